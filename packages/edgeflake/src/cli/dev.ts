// `edgeflake dev` serves edgeflake's Worker and its page on this machine. The package does not
// depend on wrangler, so the command runs the project's wrangler, or a wrangler that npx downloads.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { execPath, cwd as here, platform } from "node:process";
import { fileURLToPath } from "node:url";

/** The version that npx downloads if the project has no wrangler. */
const WRANGLER = "wrangler@4.156.0";

/** The admin token. It need not be secret, because dev-worker.ts refuses pages of other sites. */
const TOKEN = "edgeflake-dev-token";

const worker = fileURLToPath(new URL("./dev-worker.js", import.meta.url));
const page = fileURLToPath(new URL("../www", import.meta.url));

/** Returns the command that runs wrangler, and its first arguments. */
export function wranglerOf(directory: string): { command: string; args: string[] } {
  const require = createRequire(join(directory, "package.json"));
  let manifest = "";
  try {
    manifest = require.resolve("wrangler/package.json");
  } catch {
    return { command: "npx", args: ["--yes", WRANGLER] };
  }
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  return { command: execPath, args: [resolve(dirname(manifest), bin.wrangler)] };
}

/** Runs wrangler until it ends, and resolves with its exit code. */
export async function dev(port: number): Promise<number> {
  const state = join(here(), ".wrangler");
  const config = join(state, "edgeflake", "wrangler.json");
  mkdirSync(dirname(config), { recursive: true });
  const content = {
    name: "edgeflake",
    main: worker,
    assets: { directory: page },
    compatibility_date: "2026-10-01",
    migrations: [{ tag: "v1", new_sqlite_classes: ["Authority", "Directory"] }],
    vars: {
      EDGEFLAKE_PUBLIC_ISSUE: "true",
      EDGEFLAKE_PUBLIC_READ: "true",
      EDGEFLAKE_ADMIN_TOKEN: TOKEN,
    },
  };
  writeFileSync(config, `${JSON.stringify(content, undefined, 2)}\n`);
  console.log(`edgeflake's Worker and its page will be at http://localhost:${port}. The token is "${TOKEN}",
and the storage is in .wrangler/state. When wrangler says "Ready":

  curl -X POST 'http://localhost:${port}/v1/ids?count=3'
`);
  const { command, args } = wranglerOf(here());
  const given = ["dev", `--config=${config}`, `--port=${port}`, "--ip=localhost"];
  const child = spawn(command, [...args, ...given, `--persist-to=${join(state, "state")}`], {
    stdio: "inherit",
    // On Windows, npx is a script, which only a shell can run.
    shell: platform === "win32" && command === "npx",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const [code] = await once(child, "exit");
  return code ?? 1;
}
