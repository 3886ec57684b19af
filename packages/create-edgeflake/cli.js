#!/usr/bin/env node
import * as fs from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `npm create edgeflake [DIRECTORY] [-- --template NAME]

Creates a Cloudflare Worker that issues unique ids, in DIRECTORY or in the current directory.

  -t, --template NAME    worker (the default): a Worker in TypeScript
                         hono: a Worker in TypeScript, with Hono
                         rust: a Worker in Rust
  -h, --help             this help
      --version          the version of the package

npm passes on only the options after \`--\`.
`;

const templates = fileURLToPath(new URL("templates", import.meta.url));

/** Files that the directory of a new project may already contain. */
const ALLOWED = [".git", ".DS_Store"];

/** Matches a valid Worker name, which becomes part of the Worker's host name. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const RUST_NEEDS =
  "You need Rust 1.95 or newer (https://rustup.rs) and a C compiler. The first start takes some\n" +
  "minutes, because it adds Rust's target wasm32-unknown-unknown and compiles worker-build.\n";

class Usage extends Error {}

try {
  main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`create-edgeflake: ${error.message}`);
  process.exitCode = 2;
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      template: { type: "string", short: "t", default: "worker" },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", default: false },
    },
  });
  if (values.help) return process.stdout.write(USAGE);
  if (values.version) return console.log(version());
  if (positionals.length > 1) {
    throw new Usage(`give only one directory; got ${positionals.join(", ")}`);
  }
  const known = fs.readdirSync(templates);
  if (!known.includes(values.template)) {
    throw new Usage(`no template is named ${values.template}; give ${known.sort().join(", ")}`);
  }
  const directory = resolve(positionals[0] ?? ".");
  const name = nameOf(directory);
  checkEmpty(directory, positionals[0]);
  copy(values.template, directory, name);
  tellNext(values.template, directory, name);
}

/** Returns the name for both the Worker and its package. @param {string} directory */
function nameOf(directory) {
  const name = basename(directory)
    .toLowerCase()
    .replace(/[ ._]+/g, "-");
  if (NAME.test(name)) return name;
  throw new Usage(
    `the directory's name ${JSON.stringify(basename(directory))} cannot be a Worker's name, which ` +
      "has 1 to 63 of a-z, 0-9 and -, and neither begins nor ends with -; choose another directory",
  );
}

/** @param {string} directory @param {string} [name] */
function checkEmpty(directory, name = "the current directory") {
  if (!fs.existsSync(directory)) return;
  if (!fs.statSync(directory).isDirectory())
    throw new Usage(`${name} is a file; name a new or an empty directory`);
  const found = fs.readdirSync(directory).filter((file) => !ALLOWED.includes(file));
  if (found.length === 0) return;
  const shown = found.slice(0, 3).join(", ") + (found.length > 3 ? ", ..." : "");
  throw new Usage(
    `${name} is not empty: it has ${shown}; name a new or an empty directory, such as ` +
      "`npm create edgeflake my-worker`",
  );
}

/** @param {string} template @param {string} directory @param {string} name */
function copy(template, directory, name) {
  fs.mkdirSync(directory, { recursive: true });
  fs.cpSync(join(templates, template), directory, { recursive: true });
  // npm never packs a file that is named .gitignore, so the templates have `gitignore`.
  fs.renameSync(join(directory, "gitignore"), join(directory, ".gitignore"));
  for (const file of ["package.json", "wrangler.jsonc", "Cargo.toml"]) {
    const path = join(directory, file);
    if (!fs.existsSync(path)) continue;
    // A crate's name must begin with a letter.
    const own = file === "Cargo.toml" ? name.replace(/^(?=\d)/, "worker-") : name;
    const text = fs.readFileSync(path, "utf8");
    fs.writeFileSync(path, text.replace(/^( {2}"name":|name =) ".*"/m, `$1 "${own}"`));
  }
}

/** @param {string} template @param {string} directory @param {string} name */
function tellNext(template, directory, name) {
  const path = relative("", directory);
  const shown = /[^\w./-]/.test(path) ? JSON.stringify(path) : path;
  const npm = /^(pnpm|yarn|bun)\//.exec(process.env.npm_config_user_agent ?? "")?.[1] ?? "npm";
  console.log(`Created ${name} from the template ${template}. Next:
${path === "" ? "" : `\n  cd ${shown}`}
  ${npm} install
  ${npm} run dev
  curl -X POST localhost:8787/orders # in another terminal
`);
  if (template === "rust") console.log(RUST_NEEDS);
}

function version() {
  return JSON.parse(fs.readFileSync(new URL("package.json", import.meta.url), "utf8")).version;
}

/** @param {unknown} error @returns {error is Error} */
function isRefusal(error) {
  if (error instanceof Usage) return true;
  return error instanceof TypeError && "code" in error && /^ERR_PARSE_ARGS_/.test(`${error.code}`);
}
