/**
 * Ids from a leased node, which are unique whatever the clocks do.
 *
 * A holder leases a node from edgeflake's authority: a Durable Object, asked directly or through
 * the Worker that has it. Ids come from memory; the authority is asked twice per lease
 * time, not once per id.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export type { Encoding, ErrorCode, LeaseState } from "../names.js";
export type { Ids } from "../text/rows.js";
export type { NextId } from "../text/text.js";
export type { Lease, LeaseEvent, LeaseStatistics } from "./lease.js";
export type { IdOptions, LeasedGeneratorOptions, WaitOptions } from "./lease-options.js";
export { LeasedGenerator } from "./leased-generator.js";
export type { ObjectNamespace, ServiceBinding } from "./transport.js";
