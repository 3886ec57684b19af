// Gives each thread a unique name, made from /proc on Linux. JavaScript code stays in one thread of
// the operating system, so each worker thread of a process has a name of its own.

import type * as nodeFs from "node:fs";

/** Positions of a thread's flags and start time in /proc/.../stat. Its state has position 0. */
const FLAGS = 6;
const START = 19;

/** Linux's flag `PF_EXITING`: the thread is ending and runs no more code. */
const EXITING = 4;

/** The position of the boot id in a thread's name; the host name follows. */
const BOOT = 3;

/**
 * Returns the name of a thread of this machine: its place in /proc, its start time, the PID
 * namespace, the boot id, and the host name. Returns undefined if there is no /proc, or if the
 * thread has ended. A `place` is `<pid>/task/<tid>`; by default, that of the current thread.
 */
export function threadOf(fs: typeof nodeFs, place?: string): string | undefined {
  try {
    const found = place ?? fs.readlinkSync("/proc/thread-self");
    const stat = fs.readFileSync(`/proc/${found}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // An ended process stays in /proc until its parent reads its exit status, and an ended thread
    // for some microseconds.
    if (/[ZX]/.test(fields[0]) || Number(fields[FLAGS]) & EXITING) return undefined;
    const namespace = fs.readlinkSync("/proc/self/ns/pid");
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const host = fs.readFileSync("/proc/sys/kernel/hostname", "utf8").trim();
    return `${found} ${fields[START]} ${namespace} ${boot} ${host}`;
  } catch {
    return undefined;
  }
}

/** Returns whether the thread is running; false if the current thread's /proc does not show it. */
export function isRunning(fs: typeof nodeFs, thread: string) {
  return threadOf(fs, thread.split(" ", 1)[0]) === thread;
}

/**
 * Returns whether two threads ran on different machines: then both their boot ids and their host
 * names differ. After a restart of one machine, only the boot ids differ. In two containers of one
 * machine, only the host names differ.
 */
export function areApart(thread: string | undefined, other: string | undefined) {
  const [boot, host] = thread?.split(" ").slice(BOOT) ?? [];
  const [otherBoot, otherHost] = other?.split(" ").slice(BOOT) ?? [];
  // Without /proc the names are unknown, so the threads count as threads of one machine.
  return Boolean(host && otherHost && boot !== otherBoot && host !== otherHost);
}
