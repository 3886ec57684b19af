// Runs two bundles of the package in one process, each with its own memory. The arguments are the
// files of the bundles.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [{ Generator, Layout }, copy] = await Promise.all(
  process.argv.slice(2).map((file) => import(pathToFileURL(resolve(file)).href)),
);
assert.notEqual(Generator, copy.Generator);
const ids = Generator.shared({ layout: Layout.preset("twitter"), node: 5, allowedFutureMs: 1000 });
const same = copy.Generator.shared({
  layout: copy.Layout.preset("twitter"),
  node: 5,
  allowedFutureMs: 1000,
});
assert.equal(ids, same);
const issued = Array.from({ length: 6000 }, (_, i) => (i % 2 ? ids : same).next());
assert.equal(new Set(issued).size, 6000);

// The bits are those of "twitter", so the layout's name does not matter.
for (const { Generator: Any, Layout: Its } of [copy, { Generator, Layout }]) {
  for (const name of ["twitter", "leaf", "bwmarrin"]) {
    const isSame = `${Its.preset(name)}`.includes("@1288834974657");
    if (!isSame) continue;
    const layout = Its.preset(name);
    assert.throws(() => new Any({ layout, node: 5 }), { code: "node-in-use" }, name);
  }
}

// One copy continues after the ids that the other copy has issued.
ids.close();
const after = new copy.Generator({
  layout: copy.Layout.preset("leaf"),
  node: 5,
  allowedFutureMs: 1000,
});
assert.ok(after.next() > issued[5999]);
