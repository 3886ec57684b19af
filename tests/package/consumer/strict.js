// Runs the suite of what works without WebAssembly, in a page as browser.js.
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run() });
