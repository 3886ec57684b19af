// Runs the suite in a page with the modules inside, without top-level await.
import { tests } from "./lease.js";
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run(tests) });
