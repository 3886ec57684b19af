// Bundles rows.js with the package's browser entry, and measures the rows in a page of headless
// Chromium.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { esbuild, root } from "../../tools/command/paths.js";
import { fail, output } from "../../tools/command/run.js";
import { launchChromium } from "../../tools/serve/chromium.js";

/** The bundle loads the WebAssembly module from this file, which is served beside the bundle. */
const WASM = "edgeflake_bg.wasm";

/** With these headers, Chromium's clock has steps of 5 µs instead of 100 µs. */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** @param {number} rounds */
export async function inChromium(rounds) {
  const server = createServer(serve(bundle())).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const browser = await launchChromium(["--js-flags=--expose-gc"]);
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    if (!(await page.evaluate("crossOriginIsolated")))
      throw new Error("the page is not cross-origin isolated");
    const rows = await page.evaluate(
      `import("/rows.js").then(({ measured }) => measured(${rounds}))`,
    );
    return { version: browser.version(), rows };
  } finally {
    await browser.close();
    server.close();
  }
}

/**
 * Makes the files that the page loads. Returns the type and the content of the file at each path.
 *
 * @returns {Record<string, [string, string | Buffer]>}
 */
function bundle() {
  const rows = output(esbuild, ["benches/js/rows.js", "--bundle", "--format=esm"]);
  return {
    "/": ["text/html", "<!doctype html><title>bench</title>"],
    "/rows.js": ["text/javascript", rows ?? fail("esbuild failed on benches/js/rows.js")],
    [`/${WASM}`]: [
      "application/wasm",
      readFileSync(join(root, "packages", "edgeflake", "dist", WASM)),
    ],
  };
}

/** @param {ReturnType<typeof bundle>} files @returns {import("node:http").RequestListener} */
function serve(files) {
  return ({ url }, response) => {
    const [type, content] = files[`${url}`] ?? [];
    if (!type) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": type, ...ISOLATION }).end(content);
  };
}
