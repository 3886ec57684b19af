// node tools simulate:js [options] runs worlds of the npm package and its authority in which
// everything goes wrong, each from a seed. It fails if an id comes twice, if there is none after a
// world has calmed down, or if one of the expected events happened in none of the worlds.
//
//   --seeds N        runs N worlds; 100 unless told
//   --from S         begins with the seed S; 0 unless told
//   --trace          prints what happened in each world that failed, or in the only one
//   --broken NAME    breaks an assumption of the store, which must be found: disk-that-forgets or
//                    names-that-are-cached
//   --schedules N    in place of worlds, runs N random orders of the calls that three processes of
//                    one store make of the file system

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
  },
});

/** @param {"seeds" | "from" | "schedules"} name */
function integer(name) {
  if (/^\d{1,15}$/.test(values[name])) return Number(values[name]);
  return fail(`--${name} is ${values[name]}: a whole number is allowed`);
}
const [seeds, from, schedules] = [integer("seeds"), integer("from"), integer("schedules")];
const { broken, trace } = values;
if (broken !== undefined && !BROKEN.includes(broken)) {
  fail(`--broken is ${broken}; allowed: ${BROKEN.join(", ")}`);
}

await setup();
// The simulation runs the modules as they were built.
if (schedules > 0) {
  const { visitRandom } = await import("./schedules.js");
  const { tried, wrong } = visitRandom({ schedules, from });
  if (wrong) fail(`seed ${wrong.seed}: ${wrong.message}\n${wrong.trace.join("\n")}`);
  console.log(`${tried} orders from ${from}: no id came twice`);
  process.exit();
}
const { simulate } = await import("./simulate.js");
const options = { seeds, from, broken, trace, seconds: Number.POSITIVE_INFINITY, failures: 1 };
const { found, tried, tally } = await simulate({ ...options, report: console.log });
console.log(`${String(tried).padStart(12)}  seeds from ${from}\n${tally}`);
if (found.length > 0) {
  fail("a world failed; replay it by npm run simulate:js -- --seeds 1 --from SEED --trace");
}
