// node tests/package/simulation/search.js worlds|schedules FAILURES SECONDS searches for failures
// of a broken package until it has found FAILURES, and prints each. `npm run mutants` runs it in a
// copy of the checkout.

import { visitAll, visitRandom, visitRare } from "./schedules.js";
import { simulate } from "./simulate.js";

/** When one failure is too many, this number of worlds shows that the package is sound. */
const SOUND_WORLDS = 60;

const [place, failures, seconds] = process.argv.slice(2);
const count = Number(failures);
await { worlds, schedules }[/** @type {"worlds" | "schedules"} */ (place)]();

async function worlds() {
  const seeds = count === 1 ? SOUND_WORLDS : 1_000_000;
  // Some worlds fail with an unrelated message.
  const options = { seeds, from: 0, seconds: Number(seconds), failures: 2 * count };
  await simulate({ ...options, report: console.log });
}

function schedules() {
  const one = { places: 1, kills: 1, failures: 1, hasProc: false, isVolume: false };
  const two = { ...one, places: 2, kills: 0, failures: 0 };
  report("all", visitAll(one).wrong);
  for (const other of [{}, { hasProc: true }, { isVolume: true }]) {
    report("all", visitAll({ ...two, ...other }).wrong);
  }
  for (const { visit, schedules } of [
    { visit: visitRare, schedules: 60 },
    { visit: visitRandom, schedules: 1_000 },
  ]) {
    for (let i = 0, from = 0; i < count && from < schedules; i++) {
      const { tried, wrong } = visit({ schedules: schedules - from, from });
      report(wrong?.seed, wrong);
      from += tried;
    }
  }
}

/** @param {number | string | undefined} seed @param {{ message: string } | undefined} wrong */
function report(seed, wrong) {
  if (wrong) console.log(`seed ${seed}: ${wrong.message}`);
}
