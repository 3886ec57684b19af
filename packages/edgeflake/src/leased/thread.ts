// Names a thread as no other one is ever named, as far as the system tells it. JavaScript stays in
// one thread of the system, so this name tells worker threads of one process apart.

import type * as nodeFs from "node:fs";

/**
 * The places of a thread's flags and of its start in /proc/<pid>/task/<tid>/stat, counted from the
 * state, which follows the command in parentheses.
 */
const FLAGS = 6;
const START = 19;

/** The flag of a thread that runs no more code: `PF_EXITING` of Linux. */
const EXITING = 4;

/** The place of the boot in a thread's name; the host follows. */
const BOOT = 3;

/**
 * Returns the name of a thread of this machine: its place in /proc, its start, its namespace of
 * numbers, the boot, and the name of the host. It is undefined without a /proc, or without such a
 * thread.
 *
 * @param place is `<pid>/task/<tid>`, and that of this thread by default
 */
export function threadOf(fs: typeof nodeFs, place?: string): string | undefined {
  try {
    const found = place ?? fs.readlinkSync("/proc/thread-self");
    const stat = fs.readFileSync(`/proc/${found}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // An ended process stays in /proc until its parent has collected its status, and an ended
    // thread for some microseconds.
    if (/[ZX]/.test(fields[0]) || Number(fields[FLAGS]) & EXITING) return undefined;
    const namespace = fs.readlinkSync("/proc/self/ns/pid");
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const host = fs.readFileSync("/proc/sys/kernel/hostname", "utf8").trim();
    return `${found} ${fields[START]} ${namespace} ${boot} ${host}`;
  } catch {
    return undefined;
  }
}

/** Tells whether a thread is running, as far as this thread can see it. */
export function isRunning(fs: typeof nodeFs, thread: string) {
  return threadOf(fs, thread.split(" ", 1)[0]) === thread;
}

/**
 * Tells whether two threads are of two machines, as far as their names say: after a restart a
 * machine has another boot, and a container on the same machine has another host.
 */
export function areApart(thread: string | undefined, other: string | undefined) {
  const [boot, host] = thread?.split(" ").slice(BOOT) ?? [];
  const [otherBoot, otherHost] = other?.split(" ").slice(BOOT) ?? [];
  // Without /proc, both are unknown.
  return Boolean(host && otherHost && boot !== otherBoot && host !== otherHost);
}
