// The build bundles it with the other entries for workerd, whose EdgeflakeError it shares.
export * from "./testing.js";
