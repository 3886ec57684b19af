// Runs the suite in a page, which then has what failed.
import { tests } from "./lease.js";
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run(tests) });
