// The crates that are published.

import { join } from "node:path";

/** The folder of each from the root on, in the order in which they need each other. */
export const crates = {
  edgeflake: ".",
  "edgeflake-wire": "wire",
  "edgeflake-authority": join("worker", "authority"),
  "edgeflake-workers": join("worker", "ids"),
};
