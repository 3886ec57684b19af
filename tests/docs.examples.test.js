// Every example in Markdown, in one of three kinds. `js` runs, and each `// => value` in it is
// true. Of `console` and `sh` the lines with `npx edgeflake` and `curl` run, and print what stands
// below them, but for other digits. `ts` is of libraries that are not here, and is only read.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { esbuild } from "../tools/paths.js";
import { documents } from "./docs/markdown.js";
import { SECRETS, startWorker } from "./docs/worker.js";

const directory = new URL("../build/examples/", import.meta.url);
rmSync(directory, { force: true, recursive: true });
mkdirSync(directory, { recursive: true });

/** What an example that runs in workerd alone imports. */
const PLATFORM = "cloudflare:workers";

/** Where the examples say that edgeflake's Worker is. */
const EXAMPLE_URL = "https://ids.example.com";

/** Where they keep a lease. */
const EXAMPLE_STORE = "/var/lib/orders/lease";

/** Where they say that it is in development. */
const LOCAL_URL = "localhost:8787";

/** What an example of a handler answers. */
const ID = /^\d{15,20}$/;

/** Of all documents, those of a language. @param {string[]} languages */
function examples(...languages) {
  return documents.flatMap(({ file, blocks }) =>
    blocks
      .filter(({ language }) => languages.includes(language))
      .map(({ code }, i) => ({ file, name: `${file.replaceAll("/", "-")}-${i + 1}`, code })),
  );
}

describe("js", () => {
  const all = examples("js");
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
  fetch: (request, env, context) =>
    examples[new URL(request.url).searchParams.get("example")].fetch(request, env, context),
};
`,
    );
    worker = await startWorker(embedding.pathname, ["orders"]);
    Object.assign(process.env, SECRETS);
  });
  after(() => worker.close());

  /** `<expression>; // => <value>`, the expression perhaps over several lines. */
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
        .replaceAll(EXAMPLE_STORE, new URL("lease", directory).pathname);
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
        assert.ok(claims > 0, "an example that claims nothing");
      }
    });
  }
});

describe("commands", () => {
  const run = promisify(execFile);
  const edgeflake = fileURLToPath(new URL("../js/cli.js", import.meta.url));
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  writeFileSync(new URL("ids.txt", directory), "1541815603606036480\n");

  /** @type {Awaited<ReturnType<typeof startWorker>> | undefined} */
  let worker;
  /** The document whose commands it has had. */
  let asking = "";
  after(() => worker?.close());

  /**
   * A Worker that nobody but a document has asked.
   *
   * @param {string} file
   */
  async function urlFor(file) {
    if (!worker || asking !== file) {
      await worker?.close();
      worker = await startWorker();
      asking = file;
    }
    return worker.url;
  }

  for (const { file, name, code } of examples("console", "sh")) {
    for (const { command, output } of commands(code)) {
      const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1];
      if (script && script !== "install") {
        test(`${name}: ${command}`, () => assert.ok(Object.hasOwn(scripts, script)));
      }
      const [program] = /^(npx edgeflake|curl)\b/.exec(command) ?? [];
      if (!program) continue;
      test(`${name}: ${command}`, async () => {
        const isLocal = program === "npx edgeflake";
        const line = isLocal
          ? command.replace(program, `"$NODE" "$EDGEFLAKE"`)
          : command
              .replace(program, "curl --silent --show-error --fail-with-body")
              .replace(LOCAL_URL, (await urlFor(file)).replace("http://", ""));
        const { stdout } = await run("sh", ["-c", line], {
          cwd: fileURLToPath(directory),
          env: { ...process.env, ...SECRETS, EDGEFLAKE: edgeflake, NODE: process.execPath },
        });
        assert.notEqual(stdout, "");
        if (output === "") return;
        const shape = (/** @type {string} */ text) => text.trim().replace(/\d+/g, "0");
        if (isLocal && !command.includes("generate")) assert.equal(stdout, output);
        else assert.equal(shape(stdout), shape(output));
      });
    }
  }

  /**
   * The commands of a block with what they print. After `$ ` stands a command, and below it what it
   * prints; where no line starts so, each is a command.
   *
   * @param {string} code
   */
  function commands(code) {
    const lines = code.replaceAll("\\\n", " ").trimEnd().split("\n");
    if (!lines.some((line) => line.startsWith("$ "))) {
      return lines.map((line) => ({ command: line.replace(/ +# .*/, ""), output: "" }));
    }
    /** @type {{ command: string, output: string }[]} */
    const found = [];
    for (const line of lines) {
      if (line.startsWith("$ ")) found.push({ command: line.slice(2), output: "" });
      else if (found.length > 0) found[found.length - 1].output += `${line}\n`;
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

test("there are examples of every kind", () => {
  assert.ok(examples("js").length > 10);
  assert.ok(examples("console").length > 6);
});
