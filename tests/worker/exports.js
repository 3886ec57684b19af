// Answers with the names of what can be called of the built Worker.

import Worker from "../../build/worker/index.js";

export { Authority, Directory } from "../../build/worker/index.js";

export default {
  fetch: () => Response.json(Object.getOwnPropertyNames(Worker.prototype)),
};
