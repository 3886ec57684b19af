// node tools profile [path]: where the time of a request for ids goes. V8 samples the
// Worker in workerd while wrk asks for that path; prints the functions by their own share, and
// writes build/profile/worker.cpuprofile, which the developer tools of Chromium open.

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { modulesIn, startWorkerd } from "../serve/workerd.js";
import { benchPrograms, requirePrograms } from "../setup/programs.js";
import { setup } from "../setup/setup.js";
import { call, open } from "./inspector.js";
import { print } from "./table.js";
import { load } from "./wrk.js";

const FUNCTIONS_SHOWN = 40;
const INTERVAL_MICROS = 200;
const [WARM_SECONDS, SECONDS] = [2, 5];

const [path = "/v1/ids"] = readArguments({ allowPositionals: true }).positionals;

await setup();
requirePrograms(benchPrograms);
run("node", ["tools", "build", "worker"]);
const directory = join(root, "build", "profile");
rmSync(directory, { force: true, recursive: true });
mkdirSync(join(directory, "storage"), { recursive: true });
for (const file of ["index.js", "glue.js"]) {
  cpSync(join(root, "build", "worker", file), join(directory, file));
}
// With the names of its functions, unlike what is uploaded.
cpSync(join(root, "build", "names", "worker.wasm"), join(directory, "index_bg.wasm"));

const objects = ["Authority", "Directory"].map((className) => ({
  binding: className.toUpperCase(),
  className,
}));
const vars = { EDGEFLAKE_PUBLIC_ISSUE: "true" };
const server = await startWorkerd({
  directory,
  storage: join(directory, "storage"),
  services: [{ name: "worker", modules: modulesIn("profile"), vars, objects }],
  prefix: ["taskset", "-c", "0"],
  inspected: true,
});
const { samples, nodes } = await profile().finally(server.kill);
const names = new Map(nodes.map(({ id, callFrame }) => [id, readable(callFrame.functionName)]));
const busy = samples.map((id) => names.get(id) ?? "").filter((name) => name !== "(idle)");
const shares = Object.entries(Object.groupBy(busy, (name) => name))
  .map(([name, found = []]) => ({ name, percent: (100 * found.length) / busy.length }))
  .toSorted((a, b) => b.percent - a.percent)
  .slice(0, FUNCTIONS_SHOWN);
print([["%", "itself in"], ...shares.map(({ name, percent }) => [percent.toFixed(1), name])]);

/** @typedef {{ samples: number[], nodes: { id: number, callFrame: { functionName: string } }[] }} Profile */

/** @returns {Promise<Profile>} */
async function profile() {
  const url = server.url("worker", path);
  const { byteLength } = await (await fetch(url, { method: "POST" })).arrayBuffer();
  load(path, url, WARM_SECONDS, "ids.lua", `${byteLength}`);
  const inspector = await open(server.inspector("worker"));
  await call(inspector, "Profiler.enable");
  await call(inspector, "Profiler.setSamplingInterval", { interval: INTERVAL_MICROS });
  await call(inspector, "Profiler.start");
  load(path, url, SECONDS, "ids.lua", `${byteLength}`);
  const { profile } = await call(inspector, "Profiler.stop");
  inspector.close();
  writeFileSync(join(directory, "worker.cpuprofile"), JSON.stringify(profile));
  return profile;
}

/** Without hashes; what has no name is the platform's. @param {string} name */
function readable(name) {
  return name.replaceAll(/\[[0-9a-f]{16}\]|(::h|_)[0-9a-f]{16}/g, "") || "(native)";
}
