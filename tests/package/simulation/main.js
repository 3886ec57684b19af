// node tools simulate:js [options] runs simulated worlds of the npm package and its authority,
// full of faults, each from a seed. It fails if an id comes twice, if there is none after a world
// has calmed down, or if one of the expected events happened in none of the worlds.
//
//   --seeds N        runs N worlds; 100 unless told
//   --from S         begins with the seed S; 0 unless told
//   --trace          prints what happened in each world that failed, or in the only one
//   --broken NAME    breaks an assumption of the store, which must be found: disk-that-forgets or
//                    names-that-are-cached
//   --schedules N    in place of worlds, runs all orders of the calls that two processes of one
//                    store make of the file system, and N random orders of three
//   --failures N     runs what is built, for two minutes of the processor, until N have
//                    failed; `npm run mutants` does this

import { readArguments } from "../../../tools/command/arguments.js";
import { fail } from "../../../tools/command/run.js";
import { setup } from "../../../tools/setup/setup.js";
import { BROKEN } from "./climate.js";

const { values } = readArguments({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "0" },
    trace: { type: "boolean", default: false },
    broken: { type: "string" },
    schedules: { type: "string", default: "0" },
    failures: { type: "string", default: "0" },
  },
});

/** @param {"seeds" | "from" | "schedules" | "failures"} name */
function integer(name) {
  if (/^\d{1,15}$/.test(values[name])) return Number(values[name]);
  return fail(`--${name} is ${values[name]}: a whole number is allowed`);
}
const [seeds, from, schedules] = [integer("seeds"), integer("from"), integer("schedules")];
const sought = integer("failures");
const failures = sought || 1;
const { broken, trace } = values;
if (broken !== undefined && !BROKEN.includes(broken)) {
  fail(`--broken is ${broken}; allowed: ${BROKEN.join(", ")}`);
}

if (!sought) await setup();
let failed = 0;
if (schedules > 0) await visitSchedules();
else await runWorlds();
if (failed > 0) fail(`${failed} failed; replay a world by --seeds 1 --from SEED --trace`);

// The simulation runs the built modules, so it is imported after they are built.
async function runWorlds() {
  const { simulate } = await import("./simulate.js");
  const seconds = sought ? 120 : Number.POSITIVE_INFINITY;
  const options = { seeds, from, broken, trace, seconds, failures, report: console.log };
  const { found, tried, tally } = await simulate(options);
  console.log(`${String(tried).padStart(12)}  seeds from ${from}\n${tally}`);
  failed = found.length;
}

async function visitSchedules() {
  const { SETTINGS, visitAll, visitRandom, visitRare } = await import("./schedules.js");
  /** @param {{ seed: number | string, message: string, trace: string[] } | undefined} wrong */
  const told = (wrong) => {
    if (!wrong) return;
    failed++;
    console.log(`seed ${wrong.seed}: ${wrong.message}`);
    if (trace) console.log(wrong.trace.join("\n"));
  };
  for (const [, setting] of SETTINGS) {
    const { wrong } = visitAll(setting);
    told(wrong && { seed: "all", ...wrong });
  }
  for (const [visit, until] of /** @type {const} */ ([
    [visitRare, 60],
    [visitRandom, from + schedules],
  ])) {
    for (let next = visit === visitRare ? 0 : from; next < until && failed < failures; ) {
      const wrong = visit({ schedules: until - next, from: next });
      told(wrong);
      next = wrong ? wrong.seed + 1 : until;
    }
  }
}
