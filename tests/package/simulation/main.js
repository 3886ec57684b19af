// node tools simulate:js [options] runs simulated worlds of the npm package, full of faults, each
// from a seed. It fails if an id comes twice, if no id comes after a world has calmed down, or if an
// expected event happened in no world.
//
//   --seeds N        runs N worlds; 100 by default
//   --from S         begins with the seed S; 0 by default
//   --trace          prints what happened in each world that failed, or in a single world
//   --schedules N    instead of worlds, runs all orders of the file system calls of two
//                    processes with one store, and N random orders of three processes
//   --failures N     does not build first, and ends when N runs have failed; worlds also end after
//                    two minutes of CPU time; `npm run mutants` uses this option

import { readArguments } from "../../../tools/command/arguments.js";
import { fail } from "../../../tools/command/run.js";
import { setup } from "../../../tools/setup/setup.js";

const { values } = readArguments({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "0" },
    trace: { type: "boolean", default: false },
    schedules: { type: "string", default: "0" },
    failures: { type: "string", default: "0" },
  },
});

const [seeds, from, schedules, sought] = /** @type {const} */ ([
  "seeds",
  "from",
  "schedules",
  "failures",
]).map((name) => {
  if (/^\d{1,15}$/.test(values[name])) return Number(values[name]);
  return fail(`--${name} is ${values[name]}: a whole number is allowed`);
});
const failures = sought || 1;
const { trace } = values;

if (!sought) await setup();
const failed = await (schedules > 0 ? failedSchedules() : failedWorlds());
if (failed > 0) fail(`${failed} runs failed; replay a world with --seeds 1 --from SEED --trace`);

// The simulation runs the built modules, so it is imported after they are built.
async function failedWorlds() {
  const { simulate } = await import("./simulate.js");
  const seconds = sought ? 120 : Number.POSITIVE_INFINITY;
  const options = { seeds, from, trace, seconds, failures, report: console.log };
  const { found, tried, tally } = await simulate(options);
  console.log(`${String(tried).padStart(12)}  seeds from ${from}\n${tally}`);
  return found.length;
}

async function failedSchedules() {
  const { SETTINGS, visitAll, visitRandom, visitRare } = await import("./schedules.js");
  const wrong = [
    ...SETTINGS.map(([, setting]) => ({ seed: "all", ...visitAll(setting).wrong })),
    ...visitRare({ seeds: 60, from: 0, failures }),
    ...visitRandom({ seeds: schedules, from, failures }),
  ].filter(({ message }) => message);
  for (const { seed, message, trace: calls } of wrong) {
    console.log(`seed ${seed}: ${message}`);
    if (trace) console.log(calls?.join("\n"));
  }
  return wrong.length;
}
