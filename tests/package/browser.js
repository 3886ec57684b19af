// Runs the suite in a page, which then has what failed.
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run() });
