// A clock that tests can stop and set. Imported before the Worker, whose every question about the
// time goes through `Date.now`.

const realNow = Date.now.bind(Date);

/** @type {number | undefined} Unix ms at which the clock stands still. */
let frozenMs;

Date.now = () => frozenMs ?? realNow();

/**
 * Stops the clock.
 *
 * @param {number} ms Unix ms
 */
export function freeze(ms) {
  frozenMs = ms;
}
