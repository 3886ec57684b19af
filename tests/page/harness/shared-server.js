// When all tests run, one dev server serves all files of this folder, because starting it takes
// longer than most files take. A test file that needs other arguments of the server starts its own
// server.

import { startDev } from "../../../tools/serve/dev-server.js";

/** The environment variable with the server's URL. */
export const SHARED = "EDGEFLAKE_PAGE_SERVER";

/** @type {Awaited<ReturnType<typeof startDev>>} */
let dev;

export async function globalSetup() {
  dev = await startDev();
  process.env[SHARED] = dev.url;
}

export async function globalTeardown() {
  await dev?.stop();
}
