import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root directory of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The directory of the commands that npm packages have installed. */
export const bin = join(root, "node_modules", ".bin");

const userCache =
  process.env.XDG_CACHE_HOME ||
  join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");

/** The directory for tools that are built from crates.io, and for logs of the set-up. */
export const cache = resolve(process.env.EDGEFLAKE_CACHE ?? join(userCache, "edgeflake"));

const platform = `${process.platform}-${process.arch}`;

/** The native binary of esbuild, which starts faster than the script that npm installs. */
export const esbuild = join(root, "node_modules", "@esbuild", platform, "bin", "esbuild");
