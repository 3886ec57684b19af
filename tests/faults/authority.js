// The authority of the drill: a process of `edgeflake/authority/node`, which is killed, and started
// again on the same port.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { firstIds } from "../../benches/herd.js";
import { root } from "../../tools/command/paths.js";

const SCRIPT = fileURLToPath(new URL("../package/harness/authority.js", import.meta.url));

/** Prometheus waits this long for a scrape, unless it is configured otherwise. */
const SCRAPE_MAX_MS = 10_000;

export class Authority {
  #options;
  #token;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  url = "";

  /** @param {string} token @param {import("edgeflake/authority/node").AuthorityOptions} options */
  constructor(token, options) {
    this.#token = token;
    this.#options = options;
  }

  async start() {
    const port = this.url ? Number(new URL(this.url).port) : 0;
    const options = JSON.stringify({ port, ...this.#options });
    const child = spawn(process.execPath, [SCRIPT, options], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    // The first line is the URL, and the others are the log.
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("http")) this.url = line;
    });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    if ((child.exitCode ?? child.signalCode) !== null)
      throw new Error("the authority did not start");
  }

  /** Stops the process, or lets it go on. @param {"SIGSTOP" | "SIGCONT"} signal */
  signal(signal) {
    this.#child?.kill(signal);
  }

  async kill() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** @param {string} method @param {string} path @param {AbortSignal} [signal] */
  ask(method, path, signal) {
    const headers = { authorization: `Bearer ${this.#token}` };
    return fetch(new URL(path, this.url), { method, headers, signal });
  }

  /** Lets many holders ask for their first ids at the same time. @param {number} holders */
  async serveHerd(holders) {
    const herd = { tree: root, url: this.url, token: this.#token, holders };
    const { served, twice } = await firstIds(herd);
    if (served < holders) throw new Error(`only ${served} of ${holders} holders got an id`);
    if (twice > 0) throw new Error(`${twice} ids came twice in the herd`);
  }

  /**
   * Scrapes the metrics, and measures how long that takes. The text is empty if no answer comes in
   * time.
   */
  async scrape() {
    const begin = performance.now();
    let text = "";
    try {
      const response = await this.ask("GET", "/metrics", AbortSignal.timeout(SCRAPE_MAX_MS));
      if (response.ok) text = await response.text();
    } catch {
      // Prometheus counts the process as down.
    }
    return { text, seconds: (performance.now() - begin) / 1e3 };
  }
}
