// What the command line prints of an id, put together from texts that all ids of a layout share.

/** @import { Decoded, FieldValue, Layout, Warning } from "edgeflake" */

const DAY_MS = 86_400_000;

const SECONDS = padded(60, 2);
const MILLIS = padded(1000, 3);
const MINUTES = padded(24, 2).flatMap((hour) => SECONDS.map((minute) => `${hour}:${minute}:`));

/** The last day that was asked for, since 1970, and its date. */
let day = NaN;
let date = "";

/** 0 to `count` - 1 in so many digits. @param {number} count @param {number} width */
function padded(count, width) {
  return Array.from({ length: count }, (_, number) => String(number).padStart(width, "0"));
}

/**
 * A moment as `toISOString` writes it, in a fifth of the time.
 *
 * @param {number} ms
 */
export function isoOf(ms) {
  const days = Math.floor(ms / DAY_MS);
  if (days !== day) {
    day = days;
    date = new Date(ms).toISOString().slice(0, -"00:00:00.000Z".length);
  }
  const millis = ms - days * DAY_MS;
  const second = Math.floor(millis / 1000);
  const minute = Math.floor(second / 60);
  const clock = MINUTES[minute] + SECONDS[second - 60 * minute];
  return `${date}${clock}.${MILLIS[millis - 1000 * second]}Z`;
}

/** What an id is most likely read as. @typedef {{ preset: string, share: number }} Likeliest */

/** Prints decoded ids, each as a line of JSON or as lines for people. */
export class Lines {
  /** What stands before each value of the fields, and after the last one. @type {Map<Layout, string[]>} */
  #words = new Map();
  #isJson;
  #styled;

  /** @param {boolean} isJson @param {(style: "bold" | "yellow", text: string) => string} styled */
  constructor(isJson, styled) {
    this.#isJson = isJson;
    this.#styled = styled;
  }

  /**
   * @param {Layout} layout
   * @param {Decoded} decoded
   * @param {Likeliest} [likeliest] what it is read as if the user named no layout
   */
  decoded(layout, decoded, likeliest) {
    const { id, timestampMs, warnings } = decoded;
    const fields = this.#fields(layout, decoded.fields);
    if (!this.#isJson)
      return `${this.#head(id, timestampMs, likeliest)}${fields}${this.#warned(warnings)}\n`;
    const { node, sequence, tag } = decoded;
    const parts = `"node":${node},"sequence":${sequence},"tag":${tag}`;
    const odd = warnings.length > 0 ? JSON.stringify(warnings) : "[]";
    const rest = `,"fields":[${fields}],"warnings":${odd}`;
    return `{${this.#moment(id, timestampMs)},${parts}${rest}${layoutOf(likeliest)}}\n`;
  }

  /**
   * An id that is Unix time, which has no layout.
   *
   * @param {bigint} id
   * @param {number} timestampMs
   * @param {Likeliest} likeliest
   */
  unixTime(id, timestampMs, likeliest) {
    if (!this.#isJson) return `${this.#head(id, timestampMs, likeliest)}\n`;
    return `{${this.#moment(id, timestampMs)}${layoutOf(likeliest)}}\n`;
  }

  /** @param {bigint} id @param {number} timestampMs @param {Likeliest} [likeliest] */
  #head(id, timestampMs, likeliest) {
    const guess = likeliest
      ? ` in ${likeliest.preset}, the likeliest layout (${percentOf(likeliest)} %)`
      : "";
    return `${this.#styled("bold", `${id}`)} ${isoOf(timestampMs)}${guess}`;
  }

  /** @param {bigint} id @param {number} timestampMs */
  #moment(id, timestampMs) {
    return `"id":"${id}","timestampMs":${timestampMs},"date":"${isoOf(timestampMs)}"`;
  }

  /** @param {Layout} layout @param {FieldValue[]} values */
  #fields(layout, values) {
    let words = this.#words.get(layout);
    if (words === undefined) {
      words = this.#isJson ? jsonWords(values) : plainWords(values);
      this.#words.set(layout, words);
    }
    let text = words[0];
    for (let i = 0; i < values.length; i++) text += values[i].value + words[i + 1];
    return text;
  }

  /** @param {Warning[]} warnings */
  #warned(warnings) {
    let text = "";
    for (const { message } of warnings)
      text += `\n${this.#styled("yellow", `  warning: ${message}`)}`;
    return text;
  }
}

/** @param {{ share: number }} candidate */
export function percentOf({ share }) {
  return (100 * share).toFixed(1);
}

/** @param {Likeliest} [likeliest] */
function layoutOf(likeliest) {
  return likeliest ? `,"layout":"${likeliest.preset}"` : "";
}

/** @param {FieldValue[]} fields */
function plainWords(fields) {
  const after = fields.map(({ bits }) => ` (${bits} ${bits === 1 ? "bit" : "bits"})`);
  const before = fields.map(({ name }) => `\n  ${name.padEnd(24)} `);
  return ["", ...after].map((text, i) => text + (before[i] ?? ""));
}

/** @param {FieldValue[]} fields */
function jsonWords(fields) {
  const before = fields.map(({ name, bits, role }, i) => {
    const constant = JSON.stringify({ name, bits, role }).slice(0, -1);
    return `${i > 0 ? "}," : ""}${constant},"value":`;
  });
  return [...before, "}"];
}
