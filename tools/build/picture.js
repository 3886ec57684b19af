// node tools picture: takes the README's screenshots of the page, in the light and in the dark
// colour scheme.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { launchChromium } from "../serve/chromium.js";
import { startDev } from "../serve/dev-server.js";
import { pagePrograms, requirePrograms } from "../setup/programs.js";
import { setup } from "../setup/setup.js";

/** Size in px. At this width, an id's bits fit into one row. */
const VIEWPORT = { width: 1024, height: 884 };

readArguments({});
await setup("lint");
requirePrograms(pagePrograms);
run("node", ["tools", "build"]);
const dev = await startDev();
const browser = await launchChromium();
for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  const page = await browser.newPage({ colorScheme, viewport: VIEWPORT });
  await page.goto(dev.url);
  await page.locator("#answer").waitFor();
  const path = join(root, "docs", `page-${colorScheme}.png`);
  await page.screenshot({ path, animations: "disabled" });
}
await browser.close();
await dev.stop();
