// Which process this is, in a way that no other one ever is, as far as the system says.

/** @import * as nodeFs from "node:fs" */

/** In /proc/<pid>/stat, counted from the state, which comes after the command in parentheses. */
const START = 19;

/** Where the boot stands in what is said of a process; the host follows. */
const BOOT = 3;

/**
 * A process of this machine: its number, when it started, its namespace of numbers, the boot, and the
 * name of the host.
 *
 * @param {typeof nodeFs} fs
 * @param {string} pid a number, or `self`
 * @returns {string | undefined} none where there is no /proc, or no such process
 */
export function processOf(fs, pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A process that has ended, and whose parent has not taken note of it.
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const namespace = fs.readlinkSync("/proc/self/ns/pid");
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const host = fs.readFileSync("/proc/sys/kernel/hostname", "utf8").trim();
    return `${stat.split(" ", 1)[0]} ${fields[START]} ${namespace} ${boot} ${host}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process is running, as far as can be seen from here.
 *
 * @param {typeof nodeFs} fs
 * @param {string | undefined} process
 */
export function isRunning(fs, process) {
  return process !== undefined && processOf(fs, process.split(" ", 1)[0]) === process;
}

/**
 * Whether two processes are of two machines, as far as they say: after a restart a machine has
 * another boot, and a container on the same machine has another host.
 *
 * @param {string | undefined} process
 * @param {string | undefined} other
 */
export function areApart(process, other) {
  const [boot, host] = process?.split(" ").slice(BOOT) ?? [];
  const [otherBoot, otherHost] = other?.split(" ").slice(BOOT) ?? [];
  // Without /proc neither is known.
  return Boolean(host && otherHost && boot !== otherBoot && host !== otherHost);
}
