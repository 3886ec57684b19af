// Tries the orders in which processes with one store can make their file system calls.
//
// JavaScript cannot stop a function in the middle, so a process runs again from its beginning for
// each of its calls. It gets the answers of its earlier calls again, makes one more call, and is
// stopped at the next one. Between two calls of one process, any other process can make a call, be
// killed, or meet a failure. States that were seen before are not visited again.

import { Calls, DIRECTORY, Disk, failure } from "./disk.js";
import { startPackage } from "./modules.js";
import { Random } from "./random.js";

/** @import { Machine } from "./disk.js" */

const PATH = `${DIRECTORY}/lease`;
const NOW_MS = 1_790_000_000_000;

/** The number of ticks that one record reserves. */
const TICKS = 10;

/** A process that replaces a killed one gets the number of the killed one plus this. */
const LIVES = 10;

/** The place of the process that is started after all others have ended. */
const LAST = 8;

const CONSTANT = /^\/proc\/(thread-self$|self\/|sys\/)/;

/** The error that stops a process in a call. */
const LEFT = new Error("the process is left here");

/** The process that draws names, and its number of drawn names. Each name contains both. */
let [drawing, drawn] = ["", 0];
const { Store } = startPackage(
  /** @type {any} */ ({ now: () => NOW_MS, random: { uuid: () => `${drawing}-${++drawn}` } }),
);

/**
 * @typedef {{ value?: any, error?: any }} Answer
 *
 * @typedef {object} Process
 * @property {string} pid
 * @property {Machine} machine
 * @property {number} place where it runs; when it is killed, another one starts there
 * @property {Answer[]} answers the answers of its calls up to now
 * @property {string} history the answers, as a text
 * @property {boolean} isDone
 *
 * @typedef {object} Issued
 * @property {number} lease
 * @property {number} from
 * @property {number} until
 * @property {string} pid
 *
 * @typedef {object} State
 * @property {Disk} disk
 * @property {Process[]} processes
 * @property {Issued[]} issued
 * @property {number} leases number of granted leases
 * @property {number} kills number of kills that are left
 * @property {number} failures number of failures that are left
 * @property {string[]} trace
 * @property {boolean} isDisturbed whether a process was killed or a call failed
 */

/** An error of the store, with the calls that led to it. */
class Wrong extends Error {
  /** @param {string} message @param {string[]} trace */
  constructor(message, trace) {
    super(message);
    this.trace = trace;
  }
}

/**
 * @typedef {object} Setting
 * @property {number} places number of processes at a time
 * @property {number} kills
 * @property {number} failures
 * @property {boolean} hasProc whether the processes see each other
 * @property {boolean} isVolume whether each process has its own machine, which caches names
 */

/** @param {Setting} setting @returns {State} */
function begin({ places, kills, failures, hasProc, isVolume }) {
  const machineOf = (/** @type {number} */ place) => ({
    host: "host",
    boot: isVolume ? `boot ${place}` : "boot",
    namespace: hasProc ? "pid:[1]" : "",
    caches: isVolume,
  });
  const state = {
    disk: new Disk(),
    processes: [],
    issued: [],
    trace: [],
    kills,
    failures,
    leases: 0,
    isDisturbed: false,
  };
  for (let place = 0; place < places; place++) start(state, place, machineOf(place));
  return state;
}

/** @param {State} state @param {number} place @param {Machine} machine */
function start(state, place, machine) {
  const { disk, processes } = state;
  const before = processes[place];
  const pid = `${before ? Number(before.pid) + LIVES : place + 1}`;
  const process = { pid, machine, place, answers: [], history: "", isDone: false };
  disk.files({ pid, machine, watch: () => {}, nowMs: () => NOW_MS });
  processes[place] = process;
}

/**
 * Runs a process that resumes or acquires a lease, and then issues ids twice.
 *
 * @param {any} files @param {(what: string, value?: any) => any} act
 */
function live(files, act) {
  const store = new Store(PATH, "https://ids.example.com", "orders", files);
  const found = store.open();
  const record = found && JSON.parse(found);
  const lease = record ? record.lease : act("acquire");
  let from = record ? record.until : 0;
  for (let times = 0; times < 2; times++) {
    const until = from + TICKS;
    store.write(JSON.stringify({ lease, until }));
    act("issue", { lease, from, until });
    from = until;
  }
}

/** @typedef {{ place: number, kind: "goes on" | "is killed" | "fails" }} Choice */

/** Lists the possible next choices. @param {State} state */
function choices({ processes, kills, failures }) {
  /** @type {Choice[]} */
  const all = [];
  for (const { place, isDone } of processes) {
    if (isDone) continue;
    all.push({ place, kind: "goes on" });
    if (kills > 0) all.push({ place, kind: "is killed" });
    if (failures > 0) all.push({ place, kind: "fails" });
  }
  return all;
}

/**
 * Returns the state after a choice.
 *
 * @param {State} before @param {Choice} choice
 * @returns {State}
 */
function next(before, { place, kind }) {
  const state = {
    ...before,
    disk: before.disk.clone(),
    processes: [...before.processes],
    issued: [...before.issued],
    trace: [...before.trace],
  };
  const process = state.processes[place];
  if (kind === "is killed") {
    state.kills--;
    state.isDisturbed = true;
    state.disk.end(process.pid);
    state.trace.push(`${process.pid} is killed`);
    start(state, place, process.machine);
    return state;
  }
  if (kind === "fails") state.failures--;
  state.isDisturbed ||= kind === "fails";
  step(state, place, kind === "fails");
  return state;
}

/** Lets a process make one more call. @param {State} state @param {number} place @param {boolean} fails */
function step(state, place, fails) {
  const { disk, trace } = state;
  const process = state.processes[place];
  const { pid, machine } = process;
  const answers = [...process.answers];
  const calls = new Calls(() => disk, { pid, machine, watch: () => {}, nowMs: () => NOW_MS });
  let at = 0;
  let isLeft = false;
  const made = (/** @type {string} */ what, /** @type {() => any} */ make) => {
    if (isLeft) throw LEFT;
    if (at === answers.length) {
      if (answers.length > process.answers.length) {
        isLeft = true;
        throw LEFT;
      }
      try {
        // Only calls of the file system can fail.
        if (fails && what.includes("Sync")) throw failure("EIO", what);
        answers.push({ value: make() });
      } catch (error) {
        if (error instanceof Wrong) throw error;
        answers.push({ error });
      }
      trace.push(`${pid} ${what}${answers[at].error ? `: ${answers[at].error.message}` : ""}`);
    }
    const answer = answers[at++];
    if (answer.error) throw answer.error;
    return answer.value;
  };
  const files = Object.fromEntries(
    Object.getOwnPropertyNames(Calls.prototype).map((name) => [
      name,
      (/** @type {any[]} */ ...args) => {
        const make = () => /** @type {any} */ (calls)[name](...args);
        // A process always reads the same data about itself and its machine.
        const isConstant = CONSTANT.test(`${args[0]}`) || args[0] === `/proc/1/task/${pid}/stat`;
        return isConstant ? make() : made(`${name} ${args[0]}`, make);
      },
    ]),
  );
  const act = (/** @type {string} */ what, /** @type {any} */ value) =>
    made(`${what} ${JSON.stringify(value)}`, () => {
      if (what === "acquire") return state.leases++;
      issue(state, { ...value, pid });
    });
  [drawing, drawn] = [pid, 0];
  let outcome = "has ended";
  try {
    live(files, act);
  } catch (/** @type {any} */ error) {
    if (error instanceof Wrong) throw error;
    outcome = error.code ?? error.stack;
    if (!isLeft && !["store-in-use", "store-failed"].includes(error.code)) throw error;
  }
  const last = answers.at(-1);
  const history = `${process.history}|${JSON.stringify(last?.error?.message ?? last?.value ?? 0, plain)}`;
  state.processes[place] = { ...process, answers, history, isDone: !isLeft };
  if (isLeft) return;
  trace.push(`${pid} ${outcome}`);
  disk.end(pid);
}

/** @param {State} state @param {Issued} issued */
function issue(state, issued) {
  const { lease, from, until, pid } = issued;
  const other = state.issued.find(
    (other) => other.lease === lease && from < other.until && other.from < until,
  );
  if (other) {
    const message = `ticks ${from}..${until} came twice: to ${other.pid} and to ${pid}`;
    throw new Wrong(message, state.trace);
  }
  state.issued.push(issued);
}

/** @param {string} _ @param {unknown} value */
function plain(_, value) {
  return typeof value === "bigint" ? `${value}` : value;
}

/** Checks that another process can issue ids after all others have ended. @param {State} before */
function end(before) {
  const state = { ...before, disk: before.disk.clone(), trace: [...before.trace] };
  const { disk, isDisturbed, trace } = state;
  const strays = [...disk.names.keys()].filter((path) => path !== PATH);
  if (!isDisturbed && strays.length > 0) throw new Wrong(`${strays} is left behind`, trace);
  const machine = { host: "host", boot: "boot", namespace: "pid:[1]" };
  state.processes = [];
  state.issued = [...before.issued];
  start(state, LAST, machine);
  const granted = state.leases;
  while (!state.processes[LAST].isDone) step(state, LAST, false);
  const went = state.issued.length - before.issued.length;
  if (went !== 2) throw new Wrong(`the next process ended: ${trace.at(-1)}`, trace);
  // The previous process recorded how far it had issued ids, so its lease must be resumed.
  if (!isDisturbed && state.leases !== granted)
    throw new Wrong("no process goes on with the lease", trace);
}

/** Runs `visit`, and returns the error of the store that it met, if any. @param {() => void} visit */
function wrongOf(visit) {
  try {
    visit();
    return undefined;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { message: error.message, trace: error.trace };
  }
}

/** Visits all orders of calls. @param {Setting} setting */
export function visitAll(setting) {
  const seen = new Set();
  const left = [begin(setting)];
  let ends = 0;
  const wrong = wrongOf(() => {
    for (let state = left.pop(); state; state = left.pop()) {
      const key = keyOf(state);
      if (seen.has(key)) continue;
      seen.add(key);
      const possible = choices(state);
      if (possible.length === 0) {
        ends++;
        end(state);
      }
      for (const choice of possible) left.push(next(state, choice));
    }
  });
  return { states: seen.size, ends, wrong };
}

/** @param {State} state */
function keyOf({ disk, processes, issued, leases, kills, failures }) {
  const parts = processes.map(({ pid, history, isDone }) => [pid, isDone ? "" : history]);
  const sorted = issued.map(({ lease, from, until }) => `${lease} ${from} ${until}`).sort();
  return JSON.stringify([disk.state(), parts, sorted, leases, kills, failures]);
}

/** Visits one random order of calls. @param {Setting} setting @param {Random} random */
function visitOne(setting, random) {
  let state = begin(setting);
  // In some orders one process makes many calls in a row, so that it gets far.
  const stay = random.pick([1, 2, 8]);
  let last = 0;
  for (let possible = choices(state); possible.length > 0; possible = choices(state)) {
    const going = possible.filter(({ kind }) => kind === "goes on");
    const same = going.find(({ place }) => place === last);
    const rare = random.oneIn(20) ? random.pick(possible) : random.pick(going);
    const choice = same && !random.oneIn(stay) ? same : rare;
    last = choice.place;
    state = next(state, choice);
  }
  end(state);
}

/**
 * An order that random choices do not find. Each row has a place, and the call up to which its
 * process runs. Process 0 moves a file away. Before it reads the file, process 1 makes a new one,
 * and process 2 moves that one away. If processes 0 and 2 moved their files to the same name, both
 * would resume the lease of process 1.
 *
 * @type {[place: number, until: string][]}
 */
const TAKEN_TWICE = [
  [1, "renameSync"],
  [1, "is killed"],
  [0, "renameSync"],
  [1, "issue"],
  [1, "is killed"],
  [2, "renameSync"],
  [2, "closeSync"],
  [0, "issue"],
  [1, "renameSync"],
  [2, "issue"],
];

/** Visits the order `TAKEN_TWICE` with random detours. @param {Random} random */
function visitNear(random) {
  let state = begin({ places: 3, kills: 2, failures: 0, hasProc: false, isVolume: false });
  /** Makes a choice, and returns what it adds to the trace. @param {Choice} choice */
  const go = (choice) => {
    const made = state.trace.length;
    state = next(state, choice);
    return state.trace.slice(made);
  };
  for (const [place, until] of TAKEN_TWICE) {
    if (until === "is killed") {
      if (state.kills > 0 && !state.processes[place].isDone) go({ place, kind: until });
      continue;
    }
    while (!state.processes[place].isDone) {
      if (go({ place, kind: "goes on" }).some((line) => line.includes(` ${until} `))) break;
      const others = choices(state).filter(({ kind }) => kind === "goes on");
      if (others.length > 0 && random.oneIn(40)) go(random.pick(others));
    }
  }
  for (let left = choices(state); left.length > 0; left = choices(state)) go(left[0]);
  end(state);
}

/** @typedef {{ seeds: number, from: number, failures: number }} Seeds */

/**
 * Visits orders, each from a seed, until `failures` of them have gone wrong.
 *
 * @param {Seeds} seeds @param {(seed: number) => void} visit
 */
function visitSeeds({ seeds, from, failures }, visit) {
  const found = [];
  for (let seed = from; seed < from + seeds && found.length < failures; seed++) {
    const wrong = wrongOf(() => visit(seed));
    if (wrong) found.push({ seed, ...wrong });
  }
  return found;
}

/** Visits random orders near `TAKEN_TWICE`. @param {Seeds} seeds */
export const visitRare = (seeds) => visitSeeds(seeds, (seed) => visitNear(new Random(seed)));

/** Visits random orders. @param {Seeds} seeds */
export const visitRandom = (seeds) =>
  visitSeeds(seeds, (seed) => {
    const platform = { hasProc: seed % 2 === 0, isVolume: seed % 3 === 0 };
    visitOne({ places: 3, kills: 2, failures: 1, ...platform }, new Random(seed));
  });

const one = { places: 1, kills: 1, failures: 1, hasProc: false, isVolume: false };
const two = { ...one, places: 2, kills: 0, failures: 0 };

/**
 * Small settings, whose orders are all visited. Each setting must have at least `states` states.
 *
 * @type {[what: string, setting: Setting, states: number][]}
 */
export const SETTINGS = [
  ["one, killed and failed once each", one, 1_000],
  ["the same where there is a /proc", { ...one, hasProc: true }, 1_000],
  ["two that do not see each other", two, 10_000],
  ["two that see each other", { ...two, hasProc: true }, 4_000],
  ["two on machines that share a volume", { ...two, isVolume: true }, 10_000],
];
