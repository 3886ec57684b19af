// The build bundles this entry with the others for workerd, so that all share one EdgeflakeError.
export * from "./testing.js";
