export { FakeIds } from "../lib/fake-ids.js";
