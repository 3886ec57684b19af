export { EdgeflakeError } from "./error.js";
export { Generator } from "./generator.js";
export { identify, identifyMany, presets } from "./identify.js";
export { jsonReplacer, jsonReviver } from "./json.js";
export { Layout } from "./layout.js";
export { encode, encodings, fromSigned, isId, parse, toSigned } from "./text.js";
