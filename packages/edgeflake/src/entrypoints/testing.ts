/**
 * Replaces `LeasedGenerator` in tests, and needs no authority.
 *
 * @module
 */

export { type FailOptions, FakeIds, type FakeIdsOptions } from "../testing/fake-ids.js";
