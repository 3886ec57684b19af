// Also the default: bundlers find the file by the `new URL` in the generated `init`.
import init from "../dist/edgeflake.js";
import { begin } from "../lib/exchange.js";

begin(await init());

export * from "../lib/api.js";
