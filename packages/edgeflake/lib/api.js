export { EdgeflakeError } from "./error.js";
export { Generator } from "./generator.js";
export { identify, presets } from "./identify.js";
export { Layout } from "./layout.js";
export { encode, fromSigned, parse, toSigned } from "./text.js";
