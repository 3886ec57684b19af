// Between `admin` and the holders of the same isolate. Neither needs the other's module.

/**
 * @typedef {"create" | "status" | "shrink" | "destroy"} Task
 * @typedef {(task: Task, authority: object, sequencer: { name: string, incarnation: number }) => void} Listener
 */

/** @type {Set<Listener>} */
const listeners = new Set();

/** @param {Listener} listener is called when a task of `admin` is done */
export function onDone(listener) {
  listeners.add(listener);
}

/** @type {Listener} */
export function done(task, authority, sequencer) {
  for (const listener of listeners) listener(task, authority, sequencer);
}
