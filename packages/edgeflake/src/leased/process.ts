// Names a process as no other one is ever named, as far as the system tells it.

import type * as nodeFs from "node:fs";

/**
 * The place of the start in /proc/<pid>/stat, counted from the state, which follows the command in
 * parentheses.
 */
const START = 19;

/** The place of the boot in a process's name; the host follows. */
const BOOT = 3;

/**
 * Returns the name of a process of this machine: its number, its start, its namespace of numbers,
 * the boot, and the name of the host. It is undefined without a /proc, or without such a process.
 *
 * @param pid is a number, or `self`
 */
export function processOf(fs: typeof nodeFs, pid: string): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // This process has ended, but its parent has not collected its status.
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const namespace = fs.readlinkSync("/proc/self/ns/pid");
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const host = fs.readFileSync("/proc/sys/kernel/hostname", "utf8").trim();
    return `${stat.split(" ", 1)[0]} ${fields[START]} ${namespace} ${boot} ${host}`;
  } catch {
    return undefined;
  }
}

/** Tells whether a process is running, as far as this process can see it. */
export function isRunning(fs: typeof nodeFs, process: string | undefined) {
  return process !== undefined && processOf(fs, process.split(" ", 1)[0]) === process;
}

/**
 * Tells whether two processes are of two machines, as far as their names say: after a restart a
 * machine has another boot, and a container on the same machine has another host.
 */
export function areApart(process: string | undefined, other: string | undefined) {
  const [boot, host] = process?.split(" ").slice(BOOT) ?? [];
  const [otherBoot, otherHost] = other?.split(" ").slice(BOOT) ?? [];
  // Without /proc, both are unknown.
  return Boolean(host && otherHost && boot !== otherBoot && host !== otherHost);
}
