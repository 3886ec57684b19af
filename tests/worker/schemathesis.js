// node tools test:api: asks the built Worker whatever www/openapi.json allows and much that it
// does not; fails on a server error and on every answer that is not described there.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../tools/command/arguments.js";
import { root } from "../../tools/command/paths.js";
import { exitCodeOf } from "../../tools/command/run.js";
import { pythonEnvironment } from "../../tools/setup/programs.js";
import { setup } from "../../tools/setup/setup.js";
import { startCluster } from "./harness/cluster.js";

/** Requests of each route in the phase that makes them up; with the others, a minute in all. */
const EXAMPLES = 50;

/**
 * All that it can check but for two: that a request is accepted if each of its values can be read,
 * as values may not fit each other, such as a window that ends before it starts; and that what was
 * deleted is gone, as a sequencer that was destroyed still says so.
 */
const checks = ["--checks=all", "--exclude-checks=positive_data_acceptance,use_after_free"];

/** What a request that cannot be right may be answered with, beside its own list: 410 and 413. */
const statuses = `[checks]
negative_data_rejection.expected-statuses = [
  400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 428, 429, "5xx"
]
`;

/** The name of a sequencer that is there; most made-up names are not. */
const present = `[parameters]
"path.name" = "default"
`;

const token = "admin-token-of-tests";

readArguments({});
await setup("lint");
const requirements = join(root, "tests", "worker", "requirements.txt");
const schemathesis = join(pythonEnvironment("schemathesis", requirements), "schemathesis");

const cluster = await startCluster(["a"], {
  EDGEFLAKE_ADMIN_TOKEN: token,
  // So many ids a tick that no order for them uses up the allowed future, which would be a 503.
  EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 sequence:16 node:6 @1514764800000",
});
// It reads its configuration where it runs, and leaves there what it found.
const cwd = join(root, "build");
let code = 0;
try {
  // First the sequencer that is there until a test destroys it, then names of all kinds.
  for (const [config, ...filters] of [
    [statuses + present, "--exclude-operation-id=destroy"],
    [statuses],
  ]) {
    writeFileSync(join(cwd, "schemathesis.toml"), config);
    const args = [
      "run",
      join(root, "www", "openapi.json"),
      `--url=${cluster.url("a", "")}`,
      `--header=Authorization: Bearer ${token}`,
      `--max-examples=${EXAMPLES}`,
      "--continue-on-failure",
      "--generation-database=none",
      ...checks,
      ...filters,
    ];
    code ||= await exitCodeOf(schemathesis, args, { cwd });
  }
} finally {
  await cluster.close();
}
process.exit(code);
