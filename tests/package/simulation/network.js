// Messages between processes and the authority are lost, doubled, late, and in any order.

/** @import { Process } from "./process.js" */
/** @import { World } from "./world.js" */

const LATE_MS = 30_000;

export class Network {
  #world;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * @param {Process} process
   * @param {RequestInit} init
   * @param {() => Promise<Response>} deliver
   * @returns {Promise<Response>}
   */
  send(process, init, deliver) {
    const { random, tally, timeline, climate, isCalm } = this.#world;
    const happens = () => !isCalm && random.oneIn(climate.lossOf);
    const isRelease = `${init.body}`.includes('"release"') || `${init.body}`.includes("until_tick");
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => {
        tally.count("requests past their time");
        reject(init.signal?.reason);
      });
      const arrive = (/** @type {boolean} */ isAnswered) => {
        deliver().then(
          (response) => {
            if (!isAnswered) return;
            if (happens()) {
              tally.count("replies lost");
              if (random.oneIn(2))
                this.#back(process, () => reject(new Error("the connection broke")));
              return;
            }
            this.#back(process, () => resolve(response));
          },
          (error) => {
            if (isAnswered) this.#back(process, () => reject(error));
          },
        );
      };
      if (happens()) {
        tally.count("messages lost");
        if (isRelease) tally.count("releases lost");
        if (random.oneIn(2))
          this.#back(process, () => reject(new Error("the connection was refused")));
        return;
      }
      timeline.after(this.#latencyMs(), () => arrive(true));
      if (happens()) {
        tally.count("messages doubled");
        timeline.after(this.#latencyMs() + random.below(LATE_MS), () => arrive(false));
      }
    });
  }

  /** @param {Process} process @param {() => void} run */
  #back(process, run) {
    this.#world.timeline.after(this.#latencyMs(), () => process.do(run));
  }

  #latencyMs() {
    const { random, tally, climate, isCalm } = this.#world;
    if (isCalm || !random.oneIn(climate.lossOf)) return random.below(20);
    tally.count("messages late");
    return random.below(LATE_MS);
  }
}
