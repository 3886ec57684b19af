// A line of the log, made in one call from WebAssembly.

/**
 * One line of JSON. What is undefined is left out.
 *
 * @param {"error" | "warn" | "info"} level
 * @param {string} event
 * @param {string} message
 * @param {string} [sequencer]
 * @param {number} [incarnation]
 * @param {string} [role]
 * @param {string} [outcome]
 * @param {string} [ray]
 * @param {number} [count]
 */
export function line(level, event, message, sequencer, incarnation, role, outcome, ray, count) {
  console[level](
    JSON.stringify({ event, message, sequencer, incarnation, role, outcome, ray, count }),
  );
}
