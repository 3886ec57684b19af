// One dev server for all files of this folder whose server needs no arguments, when all tests run: its
// start takes longer than most of these files.

import { startDev } from "../../../tools/serve/dev-server.js";

/** The variable that has its address. */
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
