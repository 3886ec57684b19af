// Runs the suite in a page with the module inside, which has no `edgeflake/lease`.
import { run } from "./suite.js";

Object.assign(globalThis, { outcome: run() });
