/**
 * Ids for tests, without an authority.
 *
 * @module
 */

export { type FailOptions, FakeIds, type FakeIdsOptions } from "../testing/fake-ids.js";
