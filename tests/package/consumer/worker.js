// Runs the suite in a Worker, which answers with the failures.
import { tests } from "./lease.js";
import { tests as publicTests } from "./public.js";
import { run } from "./suite.js";
import { tests as testing } from "./testing.js";

export default {
  async fetch() {
    return Response.json(await run({ ...tests, ...publicTests, ...testing }));
  },
};
