// Break the clock: a playground of leases and ids, in which the visitor breaks the clocks. It is
// loaded on its first use.

import { MARKUP } from "./markup.js";
import { cardOf, put, writeCard, writeCounts } from "./panel.js";
import { Picture } from "./picture.js";
import { load, Run } from "./run.js";
import { NAMES, offset, summary } from "./words.js";

/** @import { Dot } from "./run.js" */

/**
 * The pause between two texts, in ms. Texts are written in turn, so that no frame lays out all of
 * them, and each changes only a few times per second, because figures that change faster cannot be
 * read.
 */
const TEXT_MS = 50;

/** The number of turns from one summary to the next. */
const SUMMARY_TURNS = 20;

/**
 * The longest time that passes in a frame, in ms, so that the picture does not leap after a pause
 * of the browser.
 */
const FRAME_MAX_MS = 100;

const STEP_MS = 1_000;

/** The direction of each arrow key. */
const KEYS = /** @type {const} */ ({
  ArrowLeft: "earlier",
  ArrowRight: "later",
  ArrowUp: "above",
  ArrowDown: "below",
});

/**
 * Puts the playground into its section.
 *
 * @param {HTMLElement} section
 * @param {object} host
 * @param {(id: bigint, layout: string) => void} host.showId opens an id in the strip, by its layout
 * string
 */
export async function mount(section, { showId }) {
  await Promise.all([load(), loadStyles()]);
  section.innerHTML = MARKUP;
  // The strip stands right below the clocks, so that both are seen.
  const strip = document.querySelector('[data-answer="clock"]');
  if (strip) section.querySelector(".clock-words")?.before(strip);
  new Clock(section, showId);
}

function loadStyles() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("clock.css", import.meta.url).href;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => reject(new Error(`${link.href} cannot be loaded`)));
    document.head.append(link);
  });
}

class Clock {
  #section;
  #showId;
  #run = new Run();
  #picture;
  #canvas;
  #play;
  #classic;
  #share;
  #rate;
  /** Whether ids and flashes move. Step mode never moves them. */
  #isPlaying = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  #isSeen = false;
  /** The times of the newest frame and of the newest text, in ms. */
  #frameMs = 0;
  #textMs = 0;
  #turns = 0;
  /** @type {number | undefined} */
  #frame;

  /** @param {HTMLElement} section @param {(id: bigint, layout: string) => void} showId */
  constructor(section, showId) {
    this.#section = section;
    this.#showId = showId;
    this.#canvas = this.#part("#clock-canvas", HTMLCanvasElement);
    this.#play = this.#part("#clock-play", HTMLButtonElement);
    this.#classic = this.#part("#clock-classic", HTMLInputElement);
    this.#share = this.#part("#clock-share", HTMLInputElement);
    this.#rate = this.#part("#clock-rate", HTMLSelectElement);
    this.#picture = new Picture(this.#canvas);
    const { leaseMs, allowedFutureMs } = this.#run.snapshot();
    this.#part("#clock-lease", HTMLElement).textContent = `${leaseMs / 1000} s`;
    this.#part("#clock-future", HTMLElement).textContent = `${allowedFutureMs / 1000} s`;
    this.#listen();
    this.#begin();
  }

  /**
   * @template {HTMLElement} T
   * @param {string} selector
   * @param {new () => T} type
   */
  #part(selector, type) {
    const found = this.#section.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`the playground has no ${selector}`);
    return found;
  }

  #listen() {
    this.#play.addEventListener("click", () => this.#toggle());
    this.#part("#clock-step", HTMLButtonElement).addEventListener("click", () => this.#step());
    this.#part("#clock-again", HTMLButtonElement).addEventListener("click", () => {
      this.#run = new Run();
      this.#picture.clear();
      this.#begin();
      this.#say("The playground starts over.");
    });
    this.#rate.addEventListener("change", () => this.#run.setRate(Number(this.#rate.value)));
    this.#classic.addEventListener("change", () => this.#layOut());
    this.#share.addEventListener("change", () => this.#run.shareNode(this.#share.checked));
    for (const process of NAMES.keys()) {
      cardOf(this.#section, process).addEventListener("click", ({ target }) => {
        if (target instanceof HTMLButtonElement) this.#turn(process, target.value);
      });
    }
    this.#listenToPointer();
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));

    new ResizeObserver(() => this.#layOut()).observe(this.#canvas.parentElement ?? this.#section);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.#layOut());
    }
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#isSeen = isIntersecting;
      this.#animate();
    }).observe(this.#canvas);
  }

  /** Opens a dot on a press, and sets a clock by a drag of its hand. */
  #listenToPointer() {
    const canvas = this.#canvas;
    /** @type {{ process: number, x: number, hasMoved: boolean } | undefined} */
    let drag;
    canvas.addEventListener("pointerdown", ({ offsetX, offsetY, pointerId }) => {
      const process = this.#picture.handAt(this.#run.snapshot(), offsetX, offsetY);
      drag = process === undefined ? undefined : { process, x: offsetX, hasMoved: false };
      if (drag) canvas.setPointerCapture(pointerId);
    });
    canvas.addEventListener("pointermove", ({ offsetX, offsetY, pointerId }) => {
      if (!drag || !canvas.hasPointerCapture(pointerId)) {
        const isHand = this.#picture.handAt(this.#run.snapshot(), offsetX, offsetY) !== undefined;
        const isDot = this.#picture.dotAt(offsetX, offsetY) !== undefined;
        canvas.style.cursor = isHand ? "ew-resize" : isDot ? "pointer" : "";
        return;
      }
      this.#run.shift(drag.process, this.#picture.ms(offsetX - drag.x));
      drag = { ...drag, x: offsetX, hasMoved: true };
      this.#draw(performance.now(), !this.#isPlaying);
      this.#write();
    });
    canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const hasMoved = drag?.hasMoved;
      const process = drag?.process;
      drag = undefined;
      if (hasMoved && process !== undefined) return this.#tellClock(process);
      const dot = this.#picture.dotAt(offsetX, offsetY);
      if (dot) this.#open(dot);
    });
    canvas.addEventListener("pointercancel", () => {
      drag = undefined;
    });
  }

  /** Applies the controls, and draws the ids from before the picture was first seen. */
  #begin() {
    this.#run.setRate(Number(this.#rate.value));
    this.#run.shareNode(this.#share.checked);
    this.#picture.add(this.#run.newDots(), 0, true);
    this.#layOut();
    this.#showPlay();
    this.#animate();
  }

  #layOut() {
    const hasClassic = this.#classic.checked;
    this.#section.classList.toggle("clock-has-classic", hasClassic);
    this.#part("#clock-share-row", HTMLElement).hidden = !hasClassic;
    this.#part("#clock-score-classic", HTMLElement).hidden = !hasClassic;
    this.#picture.layOut(this.#run.snapshot().trueMs, hasClassic);
    this.#draw(performance.now(), true);
    this.#write();
  }

  #toggle() {
    this.#isPlaying = !this.#isPlaying;
    this.#showPlay();
    this.#animate();
    if (!this.#isPlaying) this.#say(this.#summarise());
  }

  #showPlay() {
    this.#play.textContent = this.#isPlaying ? "Pause" : "Play";
  }

  #step() {
    if (this.#isPlaying) this.#toggle();
    this.#run.advance(STEP_MS);
    this.#picture.add(this.#run.newDots(), performance.now(), true);
    this.#draw(performance.now(), true);
    this.#write();
    this.#say(this.#summarise());
  }

  /** Draws frames as long as time passes and the page is visible. */
  #animate() {
    const runs = this.#isPlaying && this.#isSeen;
    if (runs && this.#frame === undefined) {
      this.#frameMs = performance.now();
      this.#frame = requestAnimationFrame((atMs) => this.#pass(atMs));
    } else if (!runs && this.#frame !== undefined) {
      cancelAnimationFrame(this.#frame);
      this.#frame = undefined;
      this.#draw(performance.now(), true);
      this.#write();
    }
  }

  /** @param {number} atMs */
  #pass(atMs) {
    this.#run.advance(Math.min(Math.max(atMs - this.#frameMs, 0), FRAME_MAX_MS));
    this.#frameMs = atMs;
    this.#picture.add(this.#run.newDots(), atMs, false);
    this.#draw(atMs, false);
    if (atMs - this.#textMs >= TEXT_MS) {
      this.#textMs = atMs;
      this.#writeNext();
    }
    this.#frame = requestAnimationFrame((nextMs) => this.#pass(nextMs));
  }

  /** @param {number} atMs @param {boolean} isStill */
  #draw(atMs, isStill) {
    const leases = this.#run.leasesSince(this.#picture.fromMs);
    this.#picture.draw(leases, this.#run.snapshot(), atMs, isStill);
  }

  /** Writes all texts. */
  #write() {
    for (const process of NAMES.keys()) this.#writeCard(process);
    writeCounts(this.#section, this.#run.snapshot());
    this.#writeSummary();
  }

  /** Writes the text whose turn it is. */
  #writeNext() {
    this.#turns++;
    if (this.#turns % SUMMARY_TURNS === 0) return this.#writeSummary();
    const turn = this.#turns % (NAMES.length + 1);
    if (turn < NAMES.length) this.#writeCard(turn);
    else writeCounts(this.#section, this.#run.snapshot());
  }

  /** @param {number} process */
  #writeCard(process) {
    writeCard(this.#section, process, this.#run.snapshot());
  }

  #writeSummary() {
    this.#picture.prune();
    put(this.#section, "#clock-summary", this.#summarise());
  }

  #summarise() {
    return summary(this.#run.snapshot(), this.#classic.checked, this.#picture.count);
  }

  /**
   * Applies a button to a clock.
   *
   * @param {number} process
   * @param {string} what
   */
  #turn(process, what) {
    const { isFrozen } = this.#run.snapshot().processes[process];
    if (what === "freeze") this.#run.freeze(process, !isFrozen);
    else if (what === "right") this.#run.setRight(process);
    else this.#run.shift(process, Number(what));
    this.#draw(performance.now(), !this.#isPlaying);
    this.#write();
    this.#tellClock(process);
  }

  /** @param {number} process */
  #tellClock(process) {
    this.#say(
      `The clock of ${NAMES[process]} is ${offset(this.#run.snapshot().processes[process])}.`,
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key } = event;
    if (key in KEYS) {
      this.#choose(this.#picture.beside(KEYS[/** @type {keyof typeof KEYS} */ (key)]));
    } else if (key === "Enter" && this.#picture.chosen) this.#open(this.#picture.chosen);
    else if (key === " ") this.#toggle();
    else return;
    event.preventDefault();
  }

  /** @param {Dot | undefined} dot */
  #choose(dot) {
    this.#picture.chosen = dot;
    this.#draw(performance.now(), !this.#isPlaying);
    if (dot) put(this.#section, "#clock-chosen", this.#describe(dot));
  }

  /** @param {Dot} dot */
  #open(dot) {
    this.#choose(dot);
    put(this.#section, "#clock-chosen", `${this.#describe(dot)} Its bits are below.`);
    this.#showId(BigInt(this.#run.idOf(dot)), this.#run.layout(dot.isClassic));
    this.#section.querySelector("[data-answer]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Dot} dot */
  #describe(dot) {
    const { isClassic, process, node, ms, sequence, isDuplicate } = dot;
    const time = new Date(ms).toISOString().slice(11, 23);
    return (
      `${this.#run.idOf(dot)}: ${isClassic ? "classic" : "edgeflake"}, from ${NAMES[process]}, ` +
      `node ${node}, ${time}, sequence ${sequence}${isDuplicate ? ", a duplicate" : ""}.`
    );
  }

  /** @param {string} text */
  #say(text) {
    put(this.#section, "#clock-said", text);
  }
}
