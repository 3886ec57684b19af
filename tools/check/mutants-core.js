// node tools mutants:core [--shard K/N] [--files a,b] [--fast]: changes the core's code in every
// small way that cargo-mutants knows, and lists what no test notices. All of it takes hours, so it
// goes in shards; --fast takes two files.

import { readArguments } from "../command/arguments.js";
import { exitCode } from "../command/run.js";
import { cargoMutants, installCargoTool } from "../setup/rust.js";
import { setup } from "../setup/setup.js";

const FAST = ["src/span.rs", "src/lease/message/token.rs"];

const { values } = readArguments({
  options: {
    shard: { type: "string" },
    files: { type: "string" },
    fast: { type: "boolean", default: false },
  },
});

await setup();
installCargoTool(cargoMutants);
const files = values.fast ? FAST : (values.files?.split(",") ?? []);
const shard = values.shard === undefined ? [] : [`--shard=${values.shard}`];
const args = [
  "mutants",
  "--package=edgeflake",
  "--output=target/mutants-core",
  ...files.map((file) => `--file=${file}`),
  ...shard,
];
process.exit(exitCode(cargoMutants.path, args));
