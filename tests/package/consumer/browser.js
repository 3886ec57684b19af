// Runs the suite in a page, and leaves the failures there.
import { tests } from "./lease.js";
import { tests as publicTests } from "./public.js";
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run({ ...tests, ...publicTests }) });
