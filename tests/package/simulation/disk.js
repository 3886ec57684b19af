// A disk as processes see it: files, the names in one directory, and the synced state of both.
//
// A power failure keeps the synced state. Of everything else, it keeps at random the old content,
// the new content, or a mixture of both.

/** @import { Random } from "./random.js" */

/**
 * @typedef {object} Inode a file; a change replaces the object by another one
 * @property {string} text its bytes, one character each
 * @property {number} changedSeconds
 * @property {number} bornSeconds
 * @property {number} names number of its names
 * @property {{ text: string, changedSeconds: number } | undefined} synced
 *
 * @typedef {object} Machine
 * @property {string} host
 * @property {string} boot
 * @property {string} namespace the namespace of process numbers; empty without /proc
 * @property {boolean} [caches] whether it caches the names of a volume that other machines share
 *
 * @typedef {object} User a process
 * @property {string} pid
 * @property {Machine} machine
 * @property {(call: string) => boolean | void} watch called before each call; it throws the errors
 * of the call, and returns whether a write is cut short
 * @property {() => number} nowMs
 */

/** The directory of all files. */
export const DIRECTORY = "/var/lib/ids";

const DIRECTORY_INODE = 2;

/** The time for which a file name is cached, in ms. */
const CACHED_MS = 30_000;

export class Disk {
  /** @type {Map<number, Inode>} */
  inodes = new Map();
  /** @type {Map<string, number>} */
  names = new Map();
  /**
   * The names at the last sync, and after each change since. A power failure leaves one of these
   * states, because file systems write changes of names in order.
   *
   * @type {Map<string, number>[]}
   */
  history = [new Map()];
  /** Open files, by process and number. @type {Map<string, number>} */
  open = new Map();
  /**
   * Names that machines have cached, by machine and path.
   *
   * @type {Map<string, { ino: number, untilMs: number }>}
   */
  cached = new Map();
  /** The running processes, by number. @type {Map<string, User>} */
  processes = new Map();
  /** Returns the time, in ms, by which cached names expire. @type {() => number} */
  nowMs = () => 0;

  /** Returns a copy of the disk, so that the simulation can continue from here in several ways. */
  clone() {
    return Object.assign(new Disk(), this, {
      inodes: new Map(this.inodes),
      names: new Map(this.names),
      history: [...this.history],
      open: new Map(this.open),
      cached: new Map(this.cached),
      processes: new Map(this.processes),
    });
  }

  /** Returns all files and names as a text. Disks in equal states have equal texts. */
  state() {
    return JSON.stringify(
      [this.inodes, this.names, this.open, this.cached, ...this.history].map(sorted),
    );
  }

  /** Lists the contents that a power failure now could leave in a file. @param {string} path */
  leftOf(path) {
    const inodes = new Set(this.history.map((names) => names.get(path)));
    return [...inodes].map((ino) => this.inodes.get(ino ?? 0)?.synced?.text ?? "");
  }

  /** Ends a process, and closes its files. @param {string} pid */
  end(pid) {
    this.processes.delete(pid);
    for (const key of [...this.open.keys()]) {
      if (key.startsWith(`${pid}:`)) this.close(key);
    }
  }

  /** @param {string} key */
  close(key) {
    const ino = this.open.get(key);
    if (ino === undefined) throw failure("EBADF", "close");
    this.open.delete(key);
    this.sweep(ino);
  }

  /**
   * Frees an inode number if its file has no name and no process has it open.
   *
   * @param {number} ino
   */
  sweep(ino) {
    if (this.inodes.get(ino)?.names) return;
    if ([...this.open.values()].includes(ino)) return;
    // An inode number that a power failure could bring back is not reused.
    if (this.history.some((names) => [...names.values()].includes(ino))) return;
    this.inodes.delete(ino);
  }

  renamed() {
    this.history.push(new Map(this.names));
  }

  /** @param {number} ino @param {Partial<Inode>} changes */
  change(ino, changes) {
    const inode = this.inodes.get(ino);
    // Another machine has deleted the file.
    if (!inode) throw failure("ESTALE", "write");
    this.inodes.set(ino, { ...inode, ...changes });
  }

  /** Returns the lowest free inode number, because file systems reuse numbers. */
  freeInode() {
    let ino = DIRECTORY_INODE + 1;
    while (this.inodes.has(ino)) ino++;
    return ino;
  }

  /**
   * Simulates a power failure: all processes end, and unsynced data may be lost.
   *
   * @param {Random} random
   */
  fail(random) {
    for (const pid of [...this.processes.keys()]) this.end(pid);
    const names = new Map(random.pick(this.history));
    this.names = names;
    this.history = [new Map(names)];
    for (const [ino, { text, changedSeconds, bornSeconds, synced }] of [...this.inodes]) {
      const count = [...names.values()].filter((named) => named === ino).length;
      if (count === 0) {
        this.inodes.delete(ino);
        continue;
      }
      const before = synced ?? { text: "", changedSeconds };
      const torn = random.below(text.length + 1);
      const mixture = text.slice(0, torn) + before.text.slice(torn);
      const content = {
        text: random.pick([before.text, text, mixture]),
        changedSeconds: random.oneIn(2) ? before.changedSeconds : changedSeconds,
      };
      this.inodes.set(ino, { ...content, bornSeconds, names: count, synced: content });
    }
  }

  /** Makes a process's replacement for `node:fs`. @param {User} user @returns {any} */
  files(user) {
    this.processes.set(user.pid, user);
    const calls = new Calls(() => this, user);
    const names = Object.getOwnPropertyNames(Calls.prototype).filter((name) =>
      name.endsWith("Sync"),
    );
    return Object.fromEntries(
      names.map((name) => [
        name,
        (/** @type {any[]} */ ...args) => {
          const isProc = `${args[0]}`.startsWith("/proc/");
          if (!isProc && user.watch(name) && name === "writeSync") args[3] = Math.ceil(args[3] / 2);
          return /** @type {any} */ (calls)[name](...args);
        },
      ]),
    );
  }
}

/** The calls of `node:fs` that a store makes. */
export class Calls {
  #disk;
  #user;

  /** @param {() => Disk} disk @param {User} user */
  constructor(disk, user) {
    this.#disk = disk;
    this.#user = user;
  }

  /** @param {string} path @param {boolean} [asks] whether the cache is ignored */
  #find(path, asks = false) {
    const disk = this.#disk();
    const cached = disk.cached.get(this.#keyOf(path));
    const isFresh = cached && disk.nowMs() < cached.untilMs && disk.inodes.has(cached.ino);
    // Opening a file looks its name up again despite the cache, as NFS does.
    if (isFresh && !asks) return cached.ino;
    const ino = disk.names.get(path);
    this.#cache(path, ino);
    return ino;
  }

  /** @param {string} path */
  #keyOf(path) {
    return `${this.#user.machine.boot} ${path}`;
  }

  /** @param {string} path @param {number | undefined} ino */
  #cache(path, ino) {
    const disk = this.#disk();
    if (!this.#user.machine.caches) return;
    if (ino === undefined) disk.cached.delete(this.#keyOf(path));
    else disk.cached.set(this.#keyOf(path), { ino, untilMs: disk.nowMs() + CACHED_MS });
  }

  /** @param {number} ino @param {boolean} bigint */
  #stat(ino, bigint) {
    const found = this.#disk().inodes.get(ino);
    if (!found && ino !== DIRECTORY_INODE) throw failure("ESTALE", "stat");
    const inode = found ?? { changedSeconds: 2, bornSeconds: 1, names: 2 };
    const ns = (/** @type {number} */ seconds) => BigInt(seconds) * 1_000_000_000n;
    return {
      isFile: () => found !== undefined,
      ino: bigint ? BigInt(ino) : ino,
      dev: bigint ? 1n : 1,
      nlink: bigint ? BigInt(inode.names) : inode.names,
      mtimeNs: ns(inode.changedSeconds),
      birthtimeNs: ns(inode.bornSeconds),
      // The clock of the file system differs from that of the process.
      ctimeNs: ns(inode.bornSeconds) + 5n,
    };
  }

  /** @param {number} descriptor */
  #opened(descriptor) {
    const ino = this.#disk().open.get(`${this.#user.pid}:${descriptor}`);
    if (ino === undefined) throw failure("EBADF", "descriptor");
    return ino;
  }

  /** @param {string} path @param {{ bigint?: boolean, throwIfNoEntry?: boolean }} [options] */
  statSync(path, { bigint = false, throwIfNoEntry = true } = {}) {
    const ino = path === DIRECTORY ? DIRECTORY_INODE : this.#find(path);
    if (ino !== undefined) return this.#stat(ino, bigint);
    if (throwIfNoEntry) throw failure("ENOENT", path);
    return undefined;
  }

  /** @param {number} descriptor @param {{ bigint?: boolean }} [options] */
  fstatSync(descriptor, { bigint = false } = {}) {
    return this.#stat(this.#opened(descriptor), bigint);
  }

  /** @param {string} path */
  realpathSync(path) {
    if (this.#find(path) === undefined) throw failure("ENOENT", path);
    return path;
  }

  /** @param {string} path @param {string} flags */
  openSync(path, flags) {
    const disk = this.#disk();
    let ino = path === DIRECTORY ? DIRECTORY_INODE : this.#find(path, true);
    if (flags === "wx") {
      if (ino !== undefined) throw failure("EEXIST", path);
      ino = disk.freeInode();
      const seconds = Math.floor(this.#user.nowMs() / 1_000);
      const inode = { text: "", changedSeconds: seconds, bornSeconds: seconds, names: 1 };
      disk.inodes.set(ino, { ...inode, synced: undefined });
      disk.names.set(path, ino);
      disk.renamed();
      this.#cache(path, ino);
    } else if (flags !== "r") {
      throw new Error(`the simulated disk does not know the flags ${flags}`);
    }
    if (ino === undefined) throw failure("ENOENT", path);
    if (path !== DIRECTORY && !disk.inodes.has(ino)) throw failure("ESTALE", path);
    let descriptor = 3;
    while (disk.open.has(`${this.#user.pid}:${descriptor}`)) descriptor++;
    disk.open.set(`${this.#user.pid}:${descriptor}`, ino);
    return descriptor;
  }

  /** @param {number} descriptor */
  closeSync(descriptor) {
    this.#disk().close(`${this.#user.pid}:${descriptor}`);
  }

  /** @param {number | string} from */
  readFileSync(from) {
    if (typeof from === "string") return this.#proc(from);
    const { text } = this.#disk().inodes.get(this.#opened(from)) ?? {};
    if (text === undefined) throw failure("ESTALE", "read");
    return text;
  }

  /** @param {string} path */
  readlinkSync(path) {
    return this.#proc(path);
  }

  /** @param {string} path */
  #proc(path) {
    const { pid, machine } = this.#user;
    if (machine.namespace === "") throw failure("ENOENT", path);
    // All simulated processes are threads of one process, which continues when a thread ends.
    if (path === "/proc/thread-self") return `1/task/${pid}`;
    if (path === "/proc/self/ns/pid") return machine.namespace;
    if (path === "/proc/sys/kernel/random/boot_id") return `${machine.boot}\n`;
    if (path === "/proc/sys/kernel/hostname") return `${machine.host}\n`;
    const [, number = ""] = /^\/proc\/1\/task\/(\d+)\/stat$/.exec(path) ?? [];
    const process = this.#disk().processes.get(number);
    if (process?.machine !== machine) throw failure("ENOENT", path);
    return `${process.pid} (node) S ${"0 ".repeat(18)}7${process.pid} 0 0`;
  }

  /** @param {number} descriptor @param {Buffer} bytes @param {number} offset @param {number} length @param {number} position */
  writeSync(descriptor, bytes, offset, length, position) {
    const ino = this.#opened(descriptor);
    const text = this.#disk().inodes.get(ino)?.text ?? "";
    const written = bytes.toString("latin1", offset, offset + length);
    const after = text.slice(position + length);
    this.#disk().change(ino, { text: text.slice(0, position) + written + after });
    return length;
  }

  /** @param {number} descriptor @param {number} length */
  ftruncateSync(descriptor, length) {
    const ino = this.#opened(descriptor);
    const text = this.#disk().inodes.get(ino)?.text ?? "";
    this.#disk().change(ino, { text: text.slice(0, length) });
  }

  /** @param {number} descriptor @param {number} _ @param {number} changedSeconds */
  futimesSync(descriptor, _, changedSeconds) {
    const ino = this.#opened(descriptor);
    this.#disk().change(ino, { changedSeconds });
  }

  /** @param {number} descriptor */
  fdatasyncSync(descriptor) {
    this.fsyncSync(descriptor);
  }

  /** @param {number} descriptor */
  fsyncSync(descriptor) {
    const disk = this.#disk();
    const ino = this.#opened(descriptor);
    if (ino === DIRECTORY_INODE) {
      disk.history = [new Map(disk.names)];
      return;
    }
    const { text = "", changedSeconds = 0 } = disk.inodes.get(ino) ?? {};
    disk.change(ino, { synced: { text, changedSeconds } });
  }

  /** @param {string} from @param {string} to */
  renameSync(from, to) {
    const disk = this.#disk();
    const ino = disk.names.get(from);
    if (ino === undefined) throw failure("ENOENT", from);
    const replaced = disk.names.get(to);
    disk.names.delete(from);
    disk.names.set(to, ino);
    disk.renamed();
    this.#cache(from, undefined);
    this.#cache(to, ino);
    if (replaced !== undefined) this.#unlinked(replaced);
  }

  /** @param {string} path */
  unlinkSync(path) {
    const disk = this.#disk();
    const ino = disk.names.get(path);
    if (ino === undefined) throw failure("ENOENT", path);
    disk.names.delete(path);
    disk.renamed();
    this.#cache(path, undefined);
    this.#unlinked(ino);
  }

  /** @param {string} path */
  rmSync(path) {
    if (this.#disk().names.has(path)) this.unlinkSync(path);
  }

  /** @param {number} ino */
  #unlinked(ino) {
    const disk = this.#disk();
    disk.change(ino, { names: (disk.inodes.get(ino)?.names ?? 1) - 1 });
    disk.sweep(ino);
  }
}

/** @param {string} code @param {string} what */
export function failure(code, what) {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}

/** @param {Map<any, unknown>} map */
function sorted(map) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
