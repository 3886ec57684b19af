// Runs the suite in a Worker, which answers what failed.
import { run } from "./suite.js";

export default {
  async fetch() {
    return Response.json(await run());
  },
};
