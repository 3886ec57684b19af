// Runs the suite in a page, and leaves the failures there.
import { tests } from "./lease.js";
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run(tests) });
