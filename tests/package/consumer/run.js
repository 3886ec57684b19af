// Runs the suite on any platform, and prints the failures as JSON.
import { tests } from "./lease.js";
import { tests as light } from "./light.js";
import { tests as publicTests } from "./public.js";
import { run } from "./suite.js";
import { tests as testing } from "./testing.js";

console.log(JSON.stringify(await run([...tests, ...light, ...publicTests, ...testing])));
