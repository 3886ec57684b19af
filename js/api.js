export { Layout, presets } from "./dist/edgeflake.js";
export { EdgeflakeError } from "./error.js";
