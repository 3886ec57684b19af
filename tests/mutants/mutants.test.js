// Checks that every mutant can be applied to the current code. Otherwise, only `npm run mutants`
// would notice that a change of the code has invalidated a mutant.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brokenTexts, KINDS, readMutants, WORLDS } from "../../tools/check/mutant-tables.js";
import { root } from "../../tools/command/paths.js";

const tables = await Promise.all(KINDS.map(readMutants));

test("each mutant has a name of its own", () => {
  const names = tables.flat().map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

for (const [index, kind] of KINDS.entries()) {
  test(`each mutant of ${kind}.toml changes its files, and names a check`, () => {
    assert.ok(tables[index].length > 0);
    for (const mutant of tables[index]) {
      const { name, breaks, place, found_by, model = "small", changes } = mutant;
      assert.ok(changes.length > 0 && changes.every(([, { length }]) => length % 2 === 0), name);
      assert.match(model, /^small/, name);
      assert.match(breaks, /\.$/, name);
      assert.ok(found_by.length > 0 && found_by.every((text) => RegExp(text)), name);
      for (const { sound, broken } of brokenTexts(mutant, root)) {
        assert.notEqual(broken, sound, name);
      }
      const isOfCore = WORLDS.has(place) || place.startsWith("tests/core ");
      assert.equal(isOfCore, kind === "core", name);
      const [file] = place.split(" ");
      if (file.startsWith("tests/")) assert.ok(existsSync(join(root, file)), place);
      else assert.ok(WORLDS.has(place) || ["worlds", "schedules"].includes(place), place);
    }
  });
}
