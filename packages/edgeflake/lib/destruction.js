// Between `admin.destroy` and the holders of the same isolate. Neither needs the other's module.

/** @typedef {(authority: object, sequencer: string, incarnation: number) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();

/** @param {Listener} listener is called when a sequencer was destroyed */
export function onDestroyed(listener) {
  listeners.add(listener);
}

/** @type {Listener} */
export function destroyed(authority, sequencer, incarnation) {
  for (const listener of listeners) listener(authority, sequencer, incarnation);
}
