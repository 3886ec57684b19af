/**
 * Issues ids from a leased node (a number that is part of each id). The ids are unique even if
 * clocks are wrong.
 *
 * A process leases the node from an authority: a Node process, a PostgreSQL database, or a Durable
 * Object (called directly or through edgeflake's Worker). The process then makes ids in memory: it
 * calls the authority twice per lease time, not once per id.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export type { Encoding, ErrorCode, LeaseState } from "../names.js";
export type { Ids } from "../text/rows.js";
export type { NextId } from "../text/text.js";
export type { Lease, LeaseEvent, LeaseStatistics } from "./lease-log.js";
export type { IdOptions, LeasedGeneratorOptions, WaitOptions } from "./lease-options.js";
export { LeasedGenerator } from "./leased-generator.js";
export type { ObjectNamespace, ServiceBinding } from "./transport.js";
