// Compares edgeflake/light with the Rust in edgeflake's Worker. Both must read the same id from
// each text or give the same error, and write the same texts of each id. EDGEFLAKE_SEED chooses
// other values.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as edgeflake from "edgeflake";
import { createAuthority } from "edgeflake/authority/node";
import * as light from "edgeflake/light";
import { temporary } from "../harness/temporary.js";
import { Random } from "./simulation/random.js";

const SEED = BigInt(process.env.EDGEFLAKE_SEED ?? 4711);
const ID_MAX = 2n ** 64n - 1n;
const TWEET = 1541815603606036480n;
const IDS = 300;
const TEXTS = 150;
/** The number of ids per layout. */
const PARTS = 20;

const random = new Random(SEED);
const below = random.below.bind(random);
const one = random.pick.bind(random);
const anId = () => random.bits() >> BigInt(below(64));

/** The smallest and the largest id of each length in bits. */
const EDGES = Array.from({ length: 65 }, (_, bits) => 2n ** BigInt(bits))
  .flatMap((power) => [power - 1n, power])
  .filter((id) => id <= ID_MAX);

/** Characters that are in no encoding, or that some encodings read as another character. */
const ODD = [..."-+ _!~\0\x7fOoIiLlUuZz0", "é", "€", "😀", "\ufffd"];

/** Returns a result, or the error. @param {() => any} call @returns {any} */
function refusal(call) {
  try {
    return { found: call() };
  } catch (error) {
    return error;
  }
}

/**
 * Returns whether the Rust refused a text or an id. If it did, both must give the same reason.
 *
 * @param {{ code?: string, message?: string, found?: unknown }} js
 * @param {{ id?: string, type: string, detail: string }} rust @param {string} what
 */
function isRefused({ code, message }, { id, type, detail }, what) {
  if (id !== undefined) return false;
  assert.equal(`/problems/${code}`, type, what);
  assert.equal(detail.slice(-`${message}`.length), message, what);
  return true;
}

const directory = temporary();

describe("beside Rust", () => {
  /** @type {Awaited<ReturnType<typeof createAuthority>>} */
  let authority;
  before(async () => {
    authority = await createAuthority({ directory });
  });
  after(() => authority.close());

  /** Lets the Rust read a text. @param {string} text @param {Record<string, string>} parameters */
  async function decode(text, parameters) {
    const url = new URL(`http://ids/v1/decode/${encodeURIComponent(text)}`);
    url.search = `${new URLSearchParams(parameters)}`;
    return /** @type {any} */ (await (await authority.fetch(new Request(url))).json());
  }

  test("ids in all encodings", async () => {
    for (const id of [...EDGES, TWEET, ...Array.from({ length: IDS }, anId)]) {
      const { texts } = await decode(`${id}`, { encoding: "decimal" });
      assert.deepEqual(Object.keys(texts), light.encodings());
      for (const encoding of light.encodings()) {
        const what = `seed ${SEED}: ${id} in ${encoding}`;
        assert.equal(light.format(id, encoding), texts[encoding], what);
        assert.equal(light.parse(texts[encoding], encoding), id, what);
        assert.ok(light.isId(texts[encoding], encoding), what);
      }
    }
  });

  test("texts that are ids in other forms, and texts that are none", async () => {
    let refused = 0;
    for (const encoding of light.encodings()) {
      const [largest, zero] = [ID_MAX, 0n].map((id) => light.format(id, encoding));
      const one_ = light.format(1n, encoding);
      const texts = [
        ...[`${largest}${zero}`, `${zero}${largest}`, `${zero.at(-1)}${largest}`],
        ...[largest.slice(1), largest.toUpperCase(), largest.toLowerCase(), largest.repeat(7)],
        ...[zero.slice(1), one_.replace(/^(.)\1+/, ""), `-${one_}`, `--${one_}`, `+${one_}`],
        ...["-9223372036854775808", "-9223372036854775809", "9223372036854775808", "-0", "-"],
        ...["18446744073709551616", "99999999999999999999", "99999999999999999999x", "-x"],
        ...["92233720368547758070", "-92233720368547758080", `-${"1".padStart(20, "0")}`],
        ...["__________9", "__________8", "__________-", "___________", "zzzzzzzzzzzzz"],
        ...["ZZZZZZZZZZZ", "x😀"],
        ...Array.from({ length: TEXTS }, () => {
          const text = [...light.format(anId(), encoding)];
          for (let n = below(3); n > 0; n--) {
            text.splice(below(text.length), below(2), one([...largest, ...zero, ...ODD]));
          }
          return text.join("");
        }),
      ];
      // Some texts cannot be in a URL path: an empty one, `.` and `..`. For texts of more than 64
      // characters, the Worker has another error.
      for (const text of texts.filter(
        (text) => !/^\.*$/.test(text) && Buffer.byteLength(text) <= 64,
      )) {
        const rust = await decode(text, { encoding });
        const js = refusal(() => light.parse(text, encoding));
        const what = `seed ${SEED}: ${JSON.stringify(text)} as ${encoding}`;
        if (rust.id === undefined) refused++;
        if (!isRefused(js, rust, what)) assert.equal(js.found, BigInt(rust.id), what);
        assert.equal(light.isId(text, encoding, { unpadded: true }), rust.id !== undefined, what);
        const isWhole = text.length >= zero.length;
        assert.equal(light.isId(text, encoding), rust.id !== undefined && isWhole, what);
      }
    }
    assert.ok(refused > 1_000, `${refused} texts were refused`);
  });
});

// This test compares a decoder with `Layout`, because translated.test.js compares `Layout` with the
// Rust.
test("a decoder reads what a layout reads, and refuses what it refuses", () => {
  const split = "tag:4 node.a:8 timestamp:30 unused:2 node.b:4 sequence:3 tag.c:5 @7 tick=1000ms";
  for (const text of [...edgeflake.presets(), split]) {
    const layout = edgeflake.Layout.parse(text);
    const decoder = new light.Decoder(`${layout}`);
    for (const id of [0n, 1n, ID_MAX, TWEET, ...Array.from({ length: PARTS }, anId)]) {
      const [js, rust] = [refusal(() => decoder.decode(id)), refusal(() => layout.decode(id))];
      assert.equal(`${js.code} ${js.message}`, `${rust.code} ${rust.message}`);
      const parts = rust.found && { ...rust.found, date: rust.found.date };
      assert.deepEqual(js.found && { ...js.found }, parts, `seed ${SEED}: ${id} of ${text}`);
    }
  }
});

test("an error of one entry is an error of the other", () => {
  assert.equal(light.EdgeflakeError, edgeflake.EdgeflakeError);
});
