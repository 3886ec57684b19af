// The part `databases` of `npm test`: tests with SQLite, and with a PostgreSQL server of their own.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, run } from "../../tools/command/run.js";
import { Servers, urlOf } from "../harness/postgres.js";

// Build the npm package, because a test compares its status with the crate's.
run("node", ["tools", "build", "package"]);
// With the project's target directory, crates that the project also uses are compiled only once.
const where = ["--manifest-path=tests/databases/Cargo.toml", "--target-dir=target"];
const test = ["test", "--locked", ...where];
// Compile before SSL_CERT_FILE is set below, because downloading crates needs the certificates of the
// system.
run("cargo", [...test, "--no-run"]);
const servers = new Servers();
const { data, port } = await servers.start(servers.create());
// The tests write this file later. It must exist already, because Cargo would otherwise replace the
// variable SSL_CERT_FILE.
const certificates = join(data, "ca.crt");
writeFileSync(certificates, "");
const env = {
  ...process.env,
  EDGEFLAKE_POSTGRES_URL: urlOf(port),
  // The tests change settings of the server, so they run one after the other.
  RUST_TEST_THREADS: "1",
  SSL_CERT_FILE: certificates,
};
process.exitCode = await exitCodeOf("cargo", test, { env });
await servers.close();
