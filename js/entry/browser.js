// Also the default: bundlers find the file by the `new URL` in the generated `init`.
import init from "../dist/edgeflake.js";
import { begin } from "../exchange.js";

begin(await init());

export * from "../api.js";
