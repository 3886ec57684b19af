// A worker thread that issues an id of a lease stored in a file, and posts the id. Then it ends in
// the way that a message names.

import { parentPort, workerData } from "node:worker_threads";
import { LeasedGenerator } from "edgeflake/lease";
import { service } from "../consumer/authority.js";

Object.assign(globalThis, { fetch: service().fetch });
const ids = new LeasedGenerator({ authority: "https://ids.example.com", store: workerData });
parentPort?.once("message", (end) => {
  if (end === "exits") process.exit();
  if (end === "throws") throw new Error("not caught");
});
parentPort?.postMessage(await ids.next());
