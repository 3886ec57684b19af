// Bundles rows.js with the package's browser entry, and measures the rows in a page of headless
// Chromium.

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startStaticHost } from "../../tests/harness/static-host.js";
import { esbuild, root } from "../../tools/command/paths.js";
import { run } from "../../tools/command/run.js";
import { launchChromium } from "../../tools/serve/chromium.js";
import { temporary } from "../crowd.js";

/** The bundle loads the WebAssembly module from this file, which is served beside the bundle. */
const WASM = "edgeflake_bg.wasm";

/** With these headers, Chromium's clock has steps of 5 µs instead of 100 µs. */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** @param {number} rounds */
export async function inChromium(rounds) {
  const folder = temporary();
  const options = ["--bundle", "--format=esm", "--log-level=warning"];
  run(esbuild, ["benches/js/rows.js", ...options, `--outfile=${join(folder, "rows.js")}`]);
  cpSync(join(root, "packages", "edgeflake", "dist", WASM), join(folder, WASM));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>bench</title>");
  const host = await startStaticHost(folder, "/", () => ISOLATION);
  const browser = await launchChromium(["--js-flags=--expose-gc"]);
  try {
    const page = await browser.newPage();
    await page.goto(host.url);
    if (!(await page.evaluate("crossOriginIsolated")))
      throw new Error("the page is not cross-origin isolated");
    const rows = await page.evaluate(
      `import("/rows.js").then(({ measured }) => measured(${rounds}))`,
    );
    return { version: browser.version(), rows };
  } finally {
    await browser.close();
    host.close();
  }
}
