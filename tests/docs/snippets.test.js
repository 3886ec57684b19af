// Checks every example in Markdown, depending on its language. An example in `js` runs, as does
// each file in examples/recipes/, and each `// => value` in it must be true. In `console` and `sh`,
// the lines with `export`, `npx edgeflake` and `curl` run, and must print the lines below them,
// except for new ids. Examples in `ts` use libraries that are not installed, so they are only
// parsed. Examples in `rust` must be in the documentation of their crate, where cargo compiles
// them. The examples in examples/templates/ belong to the Workers that tests/templates creates.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { esbuild } from "../../tools/command/paths.js";
import { documents, files } from "./harness/markdown.js";
import { SECRETS, startWorker } from "./harness/worker.js";

const directory = new URL("../../build/examples/", import.meta.url);
rmSync(directory, { force: true, recursive: true });
mkdirSync(directory, { recursive: true });

/** An example that imports this module runs only in workerd. */
const PLATFORM = "cloudflare:workers";

const EXAMPLE_URL = "https://ids.example.com";

const EXAMPLE_STORE = "/var/lib/orders/lease";

/**
 * In examples, an authority on Node keeps its storage and its witness in these directories, and
 * listens by this call.
 */
const EXAMPLE_DIRECTORY = "/var/lib/edgeflake";
const EXAMPLE_WITNESS = "/mnt/witness/edgeflake";
const EXAMPLE_LISTEN = "listen(8787)";

/** Matches a command that serves until ended. tests/package/dev.test.js runs such commands. */
const SERVES = /^npx edgeflake (dev|authority)\b/;

/** The address of the Worker in development, as the examples name it. */
const LOCAL_URL = "localhost:8787";

/** The URL of the deployed Worker, as the examples name it. */
const DEPLOYED_URL = "https://edgeflake.{subdomain}.workers.dev";

/** Matches a command that issues ids. Other commands print exactly the same output each time. */
const ISSUES = /\/ids\b|\bgenerate\b/;

/** Matches an id in the output. */
const NEW_ID = /\b\d{15,20}\b/g;

/** The migrations of the D1 examples create this table. */
const TABLE = "CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, what TEXT NOT NULL)";

/** Matches the id in the answer of an example's handler. */
const ID = /^\w{11,20}$/;

const recipes = files
  .filter((file) => file.startsWith("examples/recipes/"))
  .map((file) => ({
    file,
    name: file.replaceAll("/", "-").replace(".js", ""),
    code: readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"),
  }));

/** Lists the examples in some languages, of all documents. @param {string[]} languages */
function examples(...languages) {
  const own = documents.filter(({ file }) => !file.startsWith("examples/templates/"));
  return own.flatMap(({ file, blocks }) =>
    blocks
      .filter(({ language }) => languages.includes(language))
      .map(({ code }, i) => ({ file, name: `${file.replaceAll("/", "-")}-${i + 1}`, code })),
  );
}

describe("js", () => {
  const all = [...examples("js"), ...recipes];
  const inWorkerd = all.filter(({ code }) => code.includes(PLATFORM));

  /** @param {string} name */
  const fileOf = (name) => new URL(`${name}.mjs`, directory);

  /** @type {Awaited<ReturnType<typeof startWorker>>} */
  let worker;
  before(async () => {
    for (const { name, code } of inWorkerd) writeFileSync(fileOf(name), code);
    const embedding = fileOf("worker");
    writeFileSync(
      embedding,
      `${inWorkerd.map(({ name }, i) => `import at${i} from "./${name}.mjs";`).join("\n")}
const examples = [${inWorkerd.map((_, i) => `at${i}`)}];
export default {
  async fetch(request, env, context) {
    await env.DB.exec("${TABLE}");
    const example = examples[new URL(request.url).searchParams.get("example")];
    return example.fetch(request, env, context);
  },
};
`,
    );
    worker = await startWorker(embedding.pathname, ["orders", "sequencer-name", "id-generator"]);
    process.env.EDGEFLAKE_LEASE_TOKEN = SECRETS.EDGEFLAKE_LEASE_TOKEN;
  });
  after(() => worker.close());

  /** Matches `<expression>; // => <value>`, where the expression may take several lines. */
  const CLAIM = /^( *)(\S.*); \/\/ => (.+)$/gm;

  /** @param {{ status: number, text: string }} answer */
  function checkId({ status, text }) {
    assert.equal(status, 200, text);
    assert.match(JSON.parse(text).id, ID);
  }

  for (const { name, code } of all) {
    const title = code.trim().split("\n").at(-1);
    test(`${name}: ${title}`, async () => {
      const place = inWorkerd.findIndex((example) => example.name === name);
      if (place >= 0) {
        checkId(await worker.ask(`/?example=${place}`));
        return;
      }
      const claims = [...code.matchAll(CLAIM)].length;
      const claiming = code
        .replace(CLAIM, "$1claim($2, $3);")
        .replaceAll(EXAMPLE_URL, worker.url)
        .replaceAll(`http://${LOCAL_URL}`, worker.url)
        .replaceAll(EXAMPLE_STORE, new URL(`${name}.lease`, directory).pathname)
        .replaceAll(EXAMPLE_DIRECTORY, new URL("authority", directory).pathname)
        .replaceAll(EXAMPLE_WITNESS, new URL("witness", directory).pathname)
        .replaceAll(EXAMPLE_LISTEN, "listen(0)");
      const file = fileOf(name);
      writeFileSync(
        file,
        `import assert from "node:assert/strict";
let claims = 0;
function claim(found, said) {
  claims++;
  assert.deepEqual(found, said);
}
${claiming}
export { claims };
`,
      );
      const found = await import(file.href);
      assert.equal(found.claims, claims);
      if (found.default) {
        const response = await found.default.fetch();
        checkId({ status: response.status, text: await response.text() });
      } else {
        assert.ok(claims > 0, "the example has no line with `// =>`");
      }
    });
  }
});

describe("commands", () => {
  const run = promisify(execFile);
  const edgeflake = fileURLToPath(
    new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url),
  );
  const { scripts } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  writeFileSync(new URL("ids.txt", directory), "1541815603606036480\n");
  for (const [name, epoch, shift, low] of /** @type {const} */ ([
    ["snowcast", "2014-01-01T00:00+01:00", 23n, 0x1_0001n],
    ["hazelcast", "2018-01-01", 22n, 0x3_0007n],
    ["queue", "2017-12-21", 25n, 0x401n],
  ])) {
    const lines = ["2026-09-05T10:00:00.123Z", "2026-09-05T11:00:00.456Z", "2026-09-06T10:00Z"].map(
      (time) => `${(BigInt(Date.parse(time) - Date.parse(epoch)) << shift) | low},${time}\n`,
    );
    writeFileSync(new URL(`${name}.csv`, directory), lines.join(""));
  }

  /** @type {Awaited<ReturnType<typeof startWorker>> | undefined} */
  let worker;
  /** The document whose commands were sent to the Worker. */
  let asking = "";
  after(() => worker?.close());

  /**
   * Returns a curl command with the URL of a running Worker. Each document gets its own Worker, so
   * that the output does not depend on commands of other documents.
   *
   * @param {string} file @param {string} command
   */
  async function asked(file, command) {
    if (!worker || asking !== file) {
      await worker?.close();
      worker = await startWorker();
      asking = file;
    }
    return command
      .replace("curl", "curl --silent --show-error --fail-with-body")
      .replace(DEPLOYED_URL, worker.url)
      .replace(LOCAL_URL, worker.url);
  }

  for (const { file, name, code } of examples("console", "sh")) {
    for (const { command, exports, output } of commands(code)) {
      const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1];
      if (script && !["create", "install"].includes(script)) {
        test(`${name}: ${command}`, () => assert.ok(Object.hasOwn(scripts, script)));
      }
      const [program] = /^(npx edgeflake|curl)\b/.exec(command) ?? [];
      if (!program || SERVES.test(command)) continue;
      test(`${name}: ${command}`, async () => {
        const line =
          program === "curl"
            ? await asked(file, command)
            : command.replace(program, `"$NODE" "$EDGEFLAKE"`);
        // A command that answers "no" exits with 1.
        const script = [...exports, `${line} || [ $? = 1 ]`].join("\n");
        const { stdout } = await run("sh", ["-c", script], {
          cwd: fileURLToPath(directory),
          env: { ...process.env, EDGEFLAKE: edgeflake, NODE: process.execPath },
        });
        assert.notEqual(stdout, "");
        if (output === "") return;
        const printed = (/** @type {string} */ text) =>
          ISSUES.test(command) ? text.replace(NEW_ID, "0") : text;
        assert.equal(printed(stdout).trim(), printed(output).trim());
      });
    }
  }

  /**
   * Splits a block into commands, each with the exports above it and with its output. A command
   * begins with `$ ` and its output follows. If no line begins with `$ `, each line is a command.
   *
   * @param {string} code
   */
  function commands(code) {
    const lines = code.replaceAll("\\\n", " ").trimEnd().split("\n");
    const isSession = lines.some((line) => line.startsWith("$ "));
    /** @type {string[]} */
    const exports = [];
    /** @type {{ command: string, exports: string[], output: string }[]} */
    const found = [];
    for (const line of lines) {
      if (isSession && !line.startsWith("$ ")) {
        if (found.length > 0) found[found.length - 1].output += `${line}\n`;
        continue;
      }
      const command = isSession ? line.slice(2) : line.replace(/ +# .*/, "");
      if (command.startsWith("export ")) exports.push(command);
      else found.push({ command, exports: [...exports], output: "" });
    }
    return found;
  }
});

describe("ts", () => {
  for (const { name, code } of examples("ts")) {
    test(name, () => {
      const { status, stderr } = spawnSync(esbuild, ["--loader=ts"], {
        encoding: "utf8",
        input: code,
      });
      assert.equal(status, 0, stderr);
    });
  }
});

describe("rust", () => {
  for (const { file, name, code } of examples("rust")) {
    test(name, () => {
      const source = new URL(`../../${dirname(file)}/src/lib.rs`, import.meta.url);
      const lines = readFileSync(source, "utf8").matchAll(/^\/\/! ?(.*\n)/gm);
      assert.ok(
        Array.from(lines, ([, line]) => line)
          .join("")
          .includes(code),
      );
    });
  }
});

test("there are examples of every kind", () => {
  for (const language of ["js", "console", "ts", "rust"]) {
    assert.notEqual(examples(language).length, 0, language);
  }
});
