// Simulates worlds one after the other, and counts their events.

import { Tally } from "./tally.js";
import { World } from "./world.js";

/** In this number of worlds every kind of event must have happened. */
const COMPLETE = 60;

/**
 * @param {object} options
 * @param {number} options.seeds
 * @param {number} options.from
 * @param {number} options.seconds
 * @param {number} options.failures
 * @param {string} [options.broken] the assumption to break
 * @param {boolean} [options.trace]
 * @param {(text: string) => void} [options.report]
 */
export async function simulate({ seeds, from, seconds, failures, broken, trace, report }) {
  const endMs = Date.now() + 1_000 * seconds;
  const tally = new Tally();
  const found = [];
  let tried = 0;
  for (let seed = from; seed < from + seeds && Date.now() < endMs; seed++) {
    const world = new World(seed, broken);
    const failure = await world.run();
    tried++;
    tally.add(world.tally);
    if (failure) {
      found.push({ seed, failure });
      report?.(`seed ${seed}: ${failure}`);
    }
    if (trace && (failure || seeds === 1)) report?.(world.trace.join("\n"));
    if (found.length >= failures) break;
  }
  const never = tally.never();
  if (broken === undefined && found.length === 0 && tried >= COMPLETE && never.length > 0) {
    const failure = `never met in ${tried} worlds: ${never.join(", ")}`;
    found.push({ seed: from, failure });
    report?.(failure);
  }
  return { found, tried, tally };
}
