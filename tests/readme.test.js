// Every example in the npm package's README.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startCluster, TOKEN } from "./lease/cluster.js";

const readme = readFileSync(new URL("../js/README.md", import.meta.url), "utf8");
const directory = new URL("../build/readme/", import.meta.url);
rmSync(directory, { force: true, recursive: true });
mkdirSync(directory, { recursive: true });

const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** What an example that runs in workerd alone imports. */
const PLATFORM = "cloudflare:workers";

/** Where the examples say that edgeflake's Worker is. */
const EXAMPLE_URL = "https://ids.example.com";

/** Where they keep a lease. */
const EXAMPLE_STORE = "/var/lib/orders/lease";

const embedding = examples.findIndex((example) => example.includes(PLATFORM));

/** @param {number} i */
const fileOf = (i) => new URL(`example-${i + 1}.mjs`, directory);

/** @type {Awaited<ReturnType<typeof startCluster>>} */
let cluster;
before(async () => {
  const file = fileOf(embedding);
  writeFileSync(file, examples[embedding]);
  cluster = await startCluster("edgeflake", ["orders"], file.pathname);
  process.env.LEASE_TOKEN = TOKEN;
});
after(() => cluster.close());

/** `<expression>; // => <value>`, the expression perhaps over several lines. */
const CLAIM = /^( *)(\S.*); \/\/ => (.+)$/gm;

for (const [i, example] of examples.entries()) {
  const title = example.trim().split("\n").at(-1);
  test(`example ${i + 1}: ${title}`, async () => {
    if (i === embedding) {
      const { id } = await cluster.ask("/");
      assert.match(id, /^\d{18,20}$/);
      return;
    }
    const claims = [...example.matchAll(CLAIM)].length;
    const code = example
      .replace(CLAIM, "$1claim($2, $3);")
      .replaceAll(EXAMPLE_URL, cluster.url)
      .replaceAll(EXAMPLE_STORE, new URL("lease", directory).pathname);
    const file = fileOf(i);
    writeFileSync(
      file,
      `import assert from "node:assert/strict";
let claims = 0;
function claim(found, said) {
  claims++;
  assert.deepEqual(found, said);
}
${code}
export { claims };
`,
    );
    const found = await import(file.href);
    assert.equal(found.claims, claims);
    if (found.default) {
      const { id } = await (await found.default.fetch()).json();
      assert.match(id, /^\d{18,20}$/);
    } else {
      assert.ok(claims > 0, "an example that claims nothing");
    }
  });
}

test("there are examples", () => {
  assert.ok(examples.length > 7);
});
