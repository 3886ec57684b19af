// Runs the suite of everything that works without WebAssembly, in a page as browser.js does.
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run() });
