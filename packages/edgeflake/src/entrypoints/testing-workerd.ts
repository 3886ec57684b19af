// The build bundles this entry with the other entries for workerd, so that all of these entries
// have the same class EdgeflakeError.
export * from "./testing.js";
