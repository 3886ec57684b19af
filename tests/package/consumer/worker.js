// Runs the suite in a Worker, which answers what failed.
import { tests } from "./lease.js";
import { run } from "./suite.js";

export default {
  async fetch() {
    return Response.json(await run(tests));
  },
};
