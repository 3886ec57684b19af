import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The commands that the npm packages brought. */
export const bin = join(root, "node_modules", ".bin");

/** Where the tools built from crates.io and the logs of the set-up are kept. */
export const cache = resolve(process.env.EDGEFLAKE_CACHE ?? join(userCache(), "edgeflake"));

/** esbuild's own binary, which starts faster than npm's script around it. */
export const esbuild = join(
  root,
  "node_modules",
  "@esbuild",
  `${process.platform}-${process.arch}`,
  "bin",
  "esbuild",
);

function userCache() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  return join(homedir(), ".cache");
}
