// Simulates the threads of one process. Each thread can be stopped before any of its file system
// calls.

import * as fs from "node:fs";

const DEFAULTS = {
  hasProc: false,
  namespace: "pid:[4026531836]",
  boot: "55fb2baa-74e9-4c7e-8660-40bc07cc94bd",
  host: "host",
};

/** @param {{ hasProc?: boolean, namespace?: string, boot?: string, host?: string }} [options] */
export function startMachine(options) {
  const { hasProc, namespace, boot, host } = { ...DEFAULTS, ...options };
  /** The state and the flags of each thread, by its number. @type {Map<string, [string, number]>} */
  const states = new Map();
  let started = 0;

  /** @param {string} own @param {string} path */
  function proc(own, path) {
    if (!hasProc) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    if (path === "/proc/thread-self") return `1/task/${own}`;
    if (path === "/proc/self/ns/pid") return namespace;
    if (path === "/proc/sys/kernel/random/boot_id") return `${boot}\n`;
    if (path === "/proc/sys/kernel/hostname") return `${host}\n`;
    const [, tid = ""] = /^\/proc\/1\/task\/(\d+)\/stat$/.exec(path) ?? [];
    const found = states.get(tid);
    if (!found) throw new Error(`ENOENT: ${path}`);
    const [state, flags] = found;
    const zeros = "0 ".repeat(12);
    return `${tid} (a (strange) name) ${state} 0 0 0 0 0 ${flags} ${zeros}${1_000 + Number(tid)} 0 0`;
  }

  return {
    states,

    /**
     * Starts a thread, and returns the file system as this thread sees it.
     *
     * @param {(name: string) => void} [watch] called before each call
     * @returns {typeof fs}
     */
    start(watch = () => {}) {
      const tid = `${++started}`;
      states.set(tid, ["R", 0]);
      return new Proxy(fs, {
        get(target, name) {
          const call = /** @type {any} */ (target)[name];
          if (typeof call !== "function") return call;
          return (/** @type {any[]} */ ...args) => {
            if (`${args[0]}`.startsWith("/proc/")) return proc(tid, args[0]);
            watch(String(name));
            return call(...args);
          };
        },
      });
    },
  };
}
