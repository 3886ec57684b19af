// node tools test:api sends the built Worker requests that www/openapi.json allows, and many that
// it does not. It fails on a server error, and on every answer that is not described there.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../tools/command/arguments.js";
import { root } from "../../tools/command/paths.js";
import { exitCodeOf } from "../../tools/command/run.js";
import { pythonEnvironment } from "../../tools/setup/programs.js";
import { setup } from "../../tools/setup/setup.js";
import { startCluster } from "./harness/cluster.js";

/**
 * Number of requests of each route in the phase that generates them. With the other phases, they
 * take a minute.
 */
const EXAMPLES = 50;

/**
 * All of its checks but two. One expects that a request is accepted if each of its values can be
 * read, but values may not fit each other, such as a window that ends before it starts. The other
 * expects that a deleted resource is not found, but a destroyed sequencer still says that it was
 * destroyed.
 */
const checks = ["--checks=all", "--exclude-checks=positive_data_acceptance,use_after_free"];

/**
 * Statuses with which an invalid request may be answered, besides its own list: 410 and 413. A
 * Worker of which all nodes are held is not ready, which is a 503.
 */
const statuses = `[checks]
negative_data_rejection.expected-statuses = [
  400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 428, 429, "5xx"
]

[[operations]]
include-operation-id = "ready"
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 503]

`;

/** The name of an existing sequencer, because most generated names are unknown. */
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
  // No order for ids can use up the allowed future of this layout, which would be a 503.
  EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 sequence:16 node:6 @1514764800000",
});
// schemathesis reads its configuration from its directory, and leaves its findings there.
const cwd = join(root, "build");
let code = 0;
try {
  // The first run is for the existing sequencer, until a test destroys it. The second is for all
  // kinds of names.
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
