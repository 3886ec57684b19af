// The project of one environment, and the steps of a test on it, which environments.txt names. It
// is a temporary directory where the packed package and the environment's tools are installed. Its
// files come from a fixture in fixtures.txt, or from an example. A command line is split at every
// space.

import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../../tools/serve/chromium.js";
import { freePort } from "../../tools/serve/dev-server.js";
import { Failure, firstAnswer, nameOf, run, start } from "../harness/processes.js";
import { startStaticHost } from "../harness/static-host.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** How long a command may run, and how long a server may give wrong answers at first, in ms. */
const COMMAND_MS = 240_000;
const ANSWER_MS = 60_000;

/** For a server with several entries: the number of ids per request, and the number of requests. */
const [IDS_A_REQUEST, REQUESTS] = [100, 60];

/** In a test of a dev server, edits of the source replace "first" by these texts. */
const EDITIONS = ["no 01", "no 02", "no 03"];

/**
 * Time between two looks at an answer or a page, and before each edit. The watcher of most dev
 * servers, chokidar, misses an edit within 50 ms of the one before:
 * https://github.com/paulmillr/chokidar/issues/1455
 */
const LOOK_MS = 250;

/** A page is loaded again after this many looks at it. */
const RELOAD_LOOKS = 20;

/**
 * @typedef {object} Options
 * @property {string} [fixture] the fixture in fixtures.txt to copy the files from
 * @property {string} [example] the folder of examples/frameworks/ to copy the files from
 * @property {string[]} [files] more files to copy, relative to tests/
 * @property {Record<string, string>} packages exact versions to install, by name
 * @property {string} [check] the path of check.js in the fixture
 * @property {Record<string, unknown>} [manifest] added to package.json
 */

export class Project {
  directory;
  #check;
  /** @type {(() => unknown)[]} */
  #ends = [];
  #edition = "first";
  /** The server that was started last. @type {any} */
  #server;

  /** @param {string} name @param {Options} options @param {string} tarball */
  constructor(name, options, tarball) {
    const { fixture, example, files = [], packages, check = "check.js", manifest = {} } = options;
    this.directory = mkdtempSync(join(tmpdir(), `edgeflake-${name}-`));
    this.#check = join(this.directory, check);
    for (const file of files) cpSync(join(here, "..", file), this.path(basename(file)));
    mkdirSync(dirname(this.#check), { recursive: true });
    cpSync(join(here, "check.js"), this.#check);
    if (example) {
      const folder = join(here, "../../examples/frameworks", example);
      cpSync(folder, this.directory, { recursive: true });
    }
    for (const { name, content } of fixture ? fixtureFiles(fixture) : []) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
    const dependencies = { edgeflake: `file:${tarball}`, ...packages };
    const content = { name: "project", private: true, type: "module", ...manifest, dependencies };
    writeFileSync(join(this.directory, "package.json"), JSON.stringify(content, null, 2));
  }

  get expected() {
    return `bigint of node 5, acquiring, ${this.#edition}`;
  }

  async install() {
    await this.run("npm install --no-audit --no-fund --no-package-lock");
  }

  /** Returns the path of a file of the project. @param {string[]} names */
  path(...names) {
    return join(this.directory, ...names);
  }

  /**
   * Returns the path of a command if a package has installed it, or else the command itself.
   *
   * @param {string} command
   */
  #bin(command) {
    const brought = this.path("node_modules", ".bin", command);
    return existsSync(brought) ? brought : command;
  }

  /** Runs a command line to its end, and returns what it printed. @param {string} line */
  async run(line) {
    const [command, ...args] = line.split(" ");
    return run(this.#bin(command), args, { cwd: this.directory }, COMMAND_MS);
  }

  /** Runs a command line that must print the program's output. @param {string} line */
  async output(line) {
    const found = await this.run(line);
    if (!found.includes(this.expected))
      throw new Failure(`${nameOf(line)} did not print "${this.expected}"`, found);
  }

  /**
   * Starts a server on a free port, for which `{port}` stands. Variables may precede the command.
   * Does not wait until the server listens.
   *
   * @param {string} line
   */
  async serve(line) {
    const port = `${await freePort()}`;
    const words = line.replaceAll("{port}", port).split(" ");
    const first = words.findIndex((word) => !/^[A-Z]+=/.test(word));
    const [command, ...args] = words.slice(first);
    const given = Object.fromEntries(words.slice(0, first).map((word) => word.split("=")));
    const env = { WRANGLER_REGISTRY_PATH: this.path(".registry"), ...given };
    const server = start(this.#bin(command), args, { cwd: this.directory, env });
    const stop = async () => {
      server.kill();
      await server.ended;
    };
    this.#ends.push(stop);
    this.#server = Object.assign(server, { url: `http://localhost:${port}/`, stop });
    return this.#server;
  }

  /** Serves files of the project. @param {string} folder */
  async files(folder) {
    this.#server = await startStaticHost(this.path(folder));
    this.#ends.push(this.#server.close);
  }

  stop() {
    return this.#server.stop();
  }

  /**
   * Waits until the server's answer contains the program's output.
   *
   * @param {string} path
   * @param {boolean} [isUp] whether no request may fail
   */
  async answer(path, isUp = false) {
    const { url, log } = this.#server;
    let found = "";
    const isFound = await this.#look(async () => {
      try {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const response = await fetch(new URL(path, url), { signal });
        found = await response.text();
        if (isUp && !response.ok) throw new Failure(`${response.status}`, `${found}\n${log()}`);
      } catch (error) {
        if (error instanceof Failure) throw error;
        found = `${error}`;
      }
      return found.includes(this.expected);
    });
    if (!isFound)
      throw new Failure(`/${path} did not answer "${this.expected}"`, `${found}\n${log()}`);
  }

  /**
   * Edits the source several times, and expects the new answer after each edit, without a failed
   * request. Then it stops the server.
   *
   * @param {string} path
   */
  async "edited-answer"(path) {
    await this.answer(path);
    await this.#edited(() => this.answer(path, true));
  }

  /** Edits the source, and looks at the result of each edit. @param {() => Promise<void>} look */
  async #edited(look) {
    for (const edition of EDITIONS) {
      await sleep(LOOK_MS);
      this.edit(edition);
      await look();
    }
    await this.stop();
    this.edit("first");
  }

  /**
   * Asks the server for ids, three times, and checks that none are equal. Then it stops the server.
   *
   * @param {string} path
   */
  async ids(path) {
    const server = this.#server;
    /** @type {string[]} */
    const ids = [];
    for (let n = 0; n < 3; n++) {
      const text = await firstAnswer(server, new URL(path, server.url), { method: "POST" });
      ids.push(...(text.match(/\b\d{17,19}\b/g) ?? []));
    }
    if (ids.length < 3 || new Set(ids).size !== ids.length) {
      throw new Failure(`/${path} gave an id twice, or fewer than 3 ids: ${ids}`, server.log());
    }
    await server.stop();
  }

  /** Asks a program at a path for ids while `edgeflake dev` serves. @param {string} line */
  async "beside-edgeflake-dev"(line) {
    const [path] = line.split(" ", 1);
    const dev = await this.serve("edgeflake dev --port={port}");
    await firstAnswer(dev, new URL("healthz", dev.url));
    await this.serve(line.slice(path.length + 1));
    await this.ids(path);
    await dev.stop();
  }

  /**
   * Asks the given paths in turn for many ids, which must all differ, because all evaluations of
   * the program share one generator. Then it asks the last path for a second generator of the node,
   * which must be refused.
   *
   * @param {string} paths
   */
  async entries(paths) {
    const { url, log } = this.#server;
    const entries = paths.split(" ").map((path) => (path === "/" ? "" : path));
    for (const entry of entries) await this.answer(entry);
    const all = new Set();
    for (let n = 0; n < REQUESTS; n++) {
      const entry = new URL(entries[n % entries.length], url);
      const response = await fetch(`${entry}?ids=${IDS_A_REQUEST}`);
      // A page has each id twice: as text, and for React.
      const ids = new Set((await response.text()).match(/\b\d{17,19}\b/g));
      if (ids.size !== IDS_A_REQUEST || !all.isDisjointFrom(ids)) {
        throw new Failure(
          `/${entries} gave an id twice, or ${ids.size} of ${IDS_A_REQUEST} ids`,
          log(),
        );
      }
      for (const id of ids) all.add(id);
    }
    const refused = await (await fetch(`${new URL(`${entries.at(-1)}`, url)}?another`)).text();
    if (!/node 5 is in use .*Generator\.shared/.test(refused)) {
      throw new Failure(`a second generator of node 5 was not refused: ${refused}`, log());
    }
  }

  /**
   * Waits until Chromium shows the program's output from each of these places: "server" and
   * "client", or only "client". The page shows the name of a place before its output.
   *
   * @param {string} places
   */
  async page(places) {
    await this.#withPage("", (isShown) => isShown(places));
  }

  /**
   * Edits the source several times, and expects the new page after each edit, without a failed
   * request and without an error in the page. Then it stops the server.
   *
   * @param {string} places
   */
  async "edited-page"(places) {
    await this.#withPage("", async (isShown) => {
      await isShown(places);
      await this.#edited(() => isShown(places, true));
    });
  }

  /**
   * @param {string} path
   * @param {(isShown: (places: string, isUp?: boolean) => Promise<void>) => Promise<void>} use
   */
  async #withPage(path, use) {
    const { url, log = () => "" } = this.#server;
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      // The cache is off, because Parcel's server answers 304 if a file was written twice within a
      // second.
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      /** @type {string[]} */
      const complaints = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (response.status() < 400 || pathname === "/favicon.ico") return;
        complaints.push(`${response.status()} ${pathname}`);
      });
      await use(async (named, isUp = false) => {
        const places = (named || "client").split(" ");
        let found = "";
        complaints.length = 0;
        const isFound = await this.#look(async (looks) => {
          // Load the page again from time to time, because a dev server may start late, and may not
          // send an edit to the open page. Do not load it right after an edit, because Next 15 may
          // answer 500 while it compiles the edit.
          if (looks % RELOAD_LOOKS === 0 && !(isUp && looks === 0)) {
            await page.goto(new URL(path, url).href).catch(() => {});
          }
          found = await page.innerText("body").catch(() => "");
          // Vite answers 504 while it bundles dependencies again, and reloads the page.
          const failed = isUp && complaints.find((complaint) => !complaint.startsWith("504"));
          if (failed) throw new Failure(failed, `${found}\n${log()}`);
          return places.every((place) => found.includes(`${place}: ${this.expected}`));
        });
        if (isFound) return;
        const reason = complaints.at(-1) ?? (found.trim() || "nothing");
        throw new Failure(`the page says: ${reason}`, `${found}\n${complaints}\n${log()}`);
      });
    } finally {
      await browser.close();
    }
  }

  /** Changes the program's output. @param {string} edition */
  edit(edition) {
    const source = readFileSync(this.#check, "utf8");
    const old = `EDITION = "${this.#edition}"`;
    // All editions have the same length, so that a reader never finds half of a write. The file is
    // not replaced, because two chokidar watchers in one process would go on watching the old file.
    const file = openSync(this.#check, "r+");
    writeSync(file, source.replace(old, `EDITION = "${edition}"`));
    closeSync(file);
    this.#edition = edition;
  }

  /**
   * Calls `look` until it returns true, but for at most `ANSWER_MS`. Each call gets the number of
   * calls before it. Returns whether a call returned true.
   *
   * @param {(looks: number) => Promise<boolean>} look
   */
  async #look(look) {
    const end = Date.now() + ANSWER_MS;
    for (let looks = 0; Date.now() < end; looks++, await sleep(LOOK_MS)) {
      if (await look(looks)) return true;
    }
    return false;
  }

  /** Checks a page that loads a bundle as a module. @param {string} file */
  module(file) {
    return this.#bundle(file, 'type="module"');
  }

  /** Checks a page that loads a bundle as a script that is no module. @param {string} file */
  script(file) {
    return this.#bundle(file, "defer");
  }

  /** @param {string} file @param {string} loads */
  async #bundle(file, loads) {
    writeFileSync(
      this.path("bundle.html"),
      `<!doctype html><title>bundle</title><body><script ${loads} src="${file}"></script>`,
    );
    await this.files(".");
    await this.#withPage("bundle.html", (isShown) => isShown("client"));
  }

  /** Ends everything that was started, and removes the directory. @param {boolean} isKept */
  async end(isKept) {
    for (const end of this.#ends.reverse()) await end();
    if (!isKept) rmSync(this.directory, { force: true, maxRetries: 5, recursive: true });
  }
}

const FILE = /^-- (.+) --\n/m;

/**
 * Reads the files of a fixture. Fixtures may share a file, which then has a path in each of these
 * fixtures.
 *
 * @param {string} fixture
 */
function fixtureFiles(fixture) {
  const [, ...parts] = readFileSync(join(import.meta.dirname, "fixtures.txt"), "utf8").split(FILE);
  const files = [];
  for (let i = 0; i < parts.length; i += 2) {
    for (const name of parts[i].split(", ")) {
      const [folder, ...path] = name.split("/");
      if (folder === fixture) files.push({ name: path.join("/"), content: parts[i + 1] });
    }
  }
  if (files.length === 0) throw new Error(`fixtures.txt has no files of "${fixture}"`);
  return files;
}
