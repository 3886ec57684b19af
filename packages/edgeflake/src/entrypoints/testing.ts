/**
 * Exports `FakeIds`, which replaces `LeasedGenerator` in tests. So a test needs no authority (the
 * service that grants leases).
 *
 * @module
 */

export { type FailOptions, FakeIds, type FakeIdsOptions } from "../testing/fake-ids.js";
