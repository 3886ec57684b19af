// Runs the suite in whatever runs this, and says what failed as JSON.
import { run } from "./suite.js";

console.log(JSON.stringify(await run()));
