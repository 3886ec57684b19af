// Processes of one file system, each of which can be stopped before any of its calls.

import * as fs from "node:fs";

/** /proc has this boot id for all processes. */
const BOOT = "55fb2baa-74e9-4c7e-8660-40bc07cc94bd";
const NAMESPACE = "pid:[4026531836]";

/** @param {{ hasProc?: boolean, boot?: string, host?: string }} [options] */
export function startMachine({ hasProc = false, boot = BOOT, host = "host" } = {}) {
  /** The state of each process, by its number. @type {Map<string, string>} */
  const states = new Map();
  let started = 0;

  /** @param {string} own @param {string} path */
  function proc(own, path) {
    if (!hasProc) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    if (path === "/proc/self/ns/pid") return NAMESPACE;
    if (path === "/proc/sys/kernel/random/boot_id") return `${boot}\n`;
    if (path === "/proc/sys/kernel/hostname") return `${host}\n`;
    const [, , name] = path.split("/");
    const pid = name === "self" ? own : name;
    const state = states.get(pid);
    if (state === undefined) throw new Error(`ENOENT: ${path}`);
    return `${pid} (a (strange) name) ${state} ${"0 ".repeat(18)}${1_000 + Number(pid)} 0 0`;
  }

  return {
    states,

    /**
     * Returns the file system as another process sees it.
     *
     * @param {(name: string) => void} [watch] called before each call
     * @returns {typeof fs}
     */
    start(watch = () => {}) {
      const pid = `${++started}`;
      states.set(pid, "R");
      return new Proxy(fs, {
        get(target, name) {
          const call = /** @type {any} */ (target)[name];
          if (typeof call !== "function") return call;
          return (/** @type {any[]} */ ...args) => {
            if (`${args[0]}`.startsWith("/proc/")) return proc(pid, args[0]);
            watch(String(name));
            return call(...args);
          };
        },
      });
    },
  };
}
