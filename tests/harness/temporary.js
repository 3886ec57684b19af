// Makes temporary directories.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** Returns an empty directory, which is removed after the test, suite or file that calls this. */
export function temporary() {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
  after(() => rmSync(directory, { force: true, recursive: true }));
  return directory;
}
