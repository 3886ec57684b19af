/**
 * Replaces `LeasedGenerator` in tests. A test needs no authority, which is the service that grants
 * leases.
 *
 * @module
 */

export { type FailOptions, FakeIds, type FakeIdsOptions } from "../testing/fake-ids.js";
