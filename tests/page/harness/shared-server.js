// One dev server serves all files of this folder when all tests run, because its start takes longer
// than most of these files. A file whose server needs arguments starts its own.

import { startDev } from "../../../tools/serve/dev-server.js";

/** This variable has the server's address. */
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
