// Simulates worlds one after the other, and counts their events. Each kind of event must happen.

import { World } from "./world.js";

/** After this number of worlds, every kind of event must have happened. */
const COMPLETE = 60;

/** Each kind of event must happen this often. A single event may be chance. */
const LEAST = 3;

const KINDS = `
  ids, acquired, renewed, resumed, batches, processes killed, processes killed in a call of the disk,
  processes of one store at a time, calls of the disk failed, writes cut short, power failures,
  refused as store-in-use, refused as store-failed, clock steps between two lines,
  messages lost, messages late, requests past their time
`
  .trim()
  .split(/,\s+/);

export class Tally {
  #counts = new Map(KINDS.map((name) => [name, 0]));
  simulatedMs = 0;

  /** @param {string} name @param {number} [times] */
  count(name, times = 1) {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  /** Lists the kinds of events that were too rare. */
  never() {
    return KINDS.filter((name) => (this.#counts.get(name) ?? 0) < LEAST);
  }

  toString() {
    const hours = (this.simulatedMs / 3_600_000).toFixed(1);
    return [...this.#counts, ["hours simulated", hours]]
      .map(([name, count]) => `${String(count).padStart(12)}  ${name}`)
      .join("\n");
  }
}

/** Returns the CPU time that this process has used, in ms. */
const spentMs = () => process.cpuUsage().user / 1_000;

/**
 * @param {object} options @param {number} options.seeds @param {number} options.from
 * @param {number} options.seconds CPU time, which other load on the machine does not change
 * @param {number} options.failures @param {boolean} [options.trace]
 * @param {(text: string) => void} options.report
 */
export async function simulate({ seeds, from, seconds, failures, trace, report }) {
  const endMs = spentMs() + 1_000 * seconds;
  const tally = new Tally();
  const found = [];
  let tried = 0;
  for (let seed = from; seed < from + seeds && spentMs() < endMs; seed++) {
    const world = new World(seed, tally);
    const failure = await world.run();
    tried++;
    if (failure) {
      found.push(failure);
      report(`seed ${seed}: ${failure}`);
    }
    if (trace && (failure || seeds === 1)) report(world.trace.join("\n"));
    if (found.length >= failures) break;
  }
  const never = tally.never();
  if (found.length === 0 && tried >= COMPLETE && never.length > 0) {
    found.push(`met less than ${LEAST} times in ${tried} worlds: ${never.join(", ")}`);
    report(`${found}`);
  }
  return { found, tried, tally };
}
