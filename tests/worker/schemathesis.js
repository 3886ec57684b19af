// node tools test:api sends requests to the built Worker: some that www/openapi.json allows, and
// many that it does not. It fails if the server fails, or if an answer is not described in that
// file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../tools/command/arguments.js";
import { root } from "../../tools/command/paths.js";
import { exitCodeOf } from "../../tools/command/run.js";
import { pythonEnvironment } from "../../tools/setup/programs.js";
import { setup } from "../../tools/setup/setup.js";
import { startCluster } from "./harness/cluster.js";

/**
 * The number of generated requests per route. With schemathesis's other phases, they take a minute.
 */
const EXAMPLES = 50;

/**
 * All checks of schemathesis except two. The first one expects that a request is accepted if each
 * value alone is valid, but values can contradict each other, as in a window that ends before it
 * starts. The second one expects that a deleted resource is not found, but a destroyed sequencer
 * says that it was destroyed.
 */
const checks = ["--checks=all", "--exclude-checks=positive_data_acceptance,use_after_free"];

/**
 * The statuses that an invalid request may get: those that schemathesis allows by default, 410 and
 * 413. The operation `ready` may also answer 503, because all nodes may be held.
 */
const statuses = `[checks]
negative_data_rejection.expected-statuses = [
  400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 428, 429, "5xx"
]

[[operations]]
include-operation-id = "ready"
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 503]

`;

/** Sets the name of a sequencer that exists. Most generated names belong to no sequencer. */
const present = `[parameters]
"path.name" = "default"
`;

const token = "admin-token-of-tests";

readArguments({});
await setup("lint");
const requirements = join(root, "tests", "worker", "requirements.lock");
const schemathesis = join(pythonEnvironment("schemathesis", requirements), "schemathesis");

const cluster = await startCluster(["a"], {
  EDGEFLAKE_ADMIN_TOKEN: token,
  // With 65,536 ids in each tick, no request can use up the allowed future and get a 503.
  EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 sequence:16 node:6 @1514764800000",
});
// schemathesis reads its configuration from its working directory, and writes its findings there.
const cwd = join(root, "build");
let code = 0;
try {
  // The first run uses the existing sequencer, and never destroys it. The second run uses all kinds
  // of names, and all operations.
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
