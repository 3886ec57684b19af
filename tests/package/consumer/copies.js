// Runs two bundles of the package in one process, each with its own memory. The arguments are the
// files of the bundles.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [{ Generator, Layout }, copy] = await Promise.all(
  process.argv.slice(2).map((file) => import(pathToFileURL(resolve(file)).href)),
);
assert.notEqual(Generator, copy.Generator);
const shared = { node: 5, allowedFutureMs: 1000 };
const ids = Generator.shared({ layout: Layout.preset("twitter"), ...shared });
const same = copy.Generator.shared({ layout: copy.Layout.preset("twitter"), ...shared });
assert.equal(ids, same);
const issued = Array.from({ length: 6000 }, (_, i) => (i % 2 ? ids : same).next());
assert.equal(new Set(issued).size, 6000);

// "leaf" divides the bits as "twitter" does, so the layout's name does not matter.
for (const { Generator: Any, Layout: Its } of [copy, { Generator, Layout }]) {
  const options = { layout: Its.preset("leaf"), node: 5 };
  assert.throws(() => new Any(options), { code: "node-in-use" });
}

// One copy continues after the ids that the other copy has issued.
ids.close();
const layout = copy.Layout.preset("leaf");
const after = new copy.Generator({ layout, node: 5, allowedFutureMs: 1000 });
assert.ok(after.next() > issued[5999]);
