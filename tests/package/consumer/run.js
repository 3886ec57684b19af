// Runs the suite in any process, and prints the failures as JSON.
import worker from "./worker.js";

console.log(await (await worker.fetch()).text());
