// Every mutant applies to the present code, so that a change of the code that invalidates one is
// noticed before `npm run mutants`.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brokenTexts, KINDS, readMutants } from "../../tools/check/mutant-tables.js";
import { root } from "../../tools/command/paths.js";

const KEYS = "name breaks place found_by model file find replace also".split(" ");

const tables = await Promise.all(KINDS.map(readMutants));

test("each mutant has a name of its own", () => {
  const names = tables.flat().map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

for (const [index, kind] of KINDS.entries()) {
  test(`each mutant of ${kind}.toml changes its files, and names a check`, () => {
    assert.ok(tables[index].length > 0);
    for (const mutant of tables[index]) {
      const { name, breaks, place, found_by } = mutant;
      assert.deepEqual(
        Object.keys(mutant).filter((key) => !KEYS.includes(key)),
        [],
        name,
      );
      assert.match(breaks, /\.$/, name);
      assert.ok(found_by.length > 0 && found_by.every((text) => RegExp(text)), name);
      for (const { sound, broken } of brokenTexts(mutant, root).values()) {
        assert.notEqual(broken, sound, name);
      }
      // A mutant of the core without a place is found by the simulation.
      const isOfCore = place === undefined || place.startsWith("tests/core ");
      assert.equal(isOfCore, kind === "core", name);
      if (place?.startsWith("tests/"))
        assert.ok(existsSync(join(root, place.split(" ")[0])), place);
      else assert.ok([undefined, "worlds", "schedules"].includes(place), place);
    }
  });
}
