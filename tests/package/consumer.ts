// Compiles where the package's types are found and are what they say.
import {
  type Decoded,
  EdgeflakeError,
  type ErrorCode,
  encode,
  Generator,
  identify,
  Layout,
  presets,
} from "edgeflake";
import { Layout as InlineLayout } from "edgeflake/inline";

const layout: Layout = InlineLayout.preset(presets()[0]);
const ids = new Generator({ layout, node: 5, sequenceStart: { random: 99 }, now: () => 0 });
const id: bigint = ids.next();
const decoded: Decoded = layout.decode(id);
const node: number = decoded.node;
const text: string = encode(id, "base62") + decoded.text("hex");
const row: bigint = layout.decodeMany([id, text]).id[0];
const { min, max } = layout.range(new Date(0), Date.now(), { node });
const share: number = identify(row)[0].share;

// @ts-expect-error: no form has this name.
encode(id, "base63");
// @ts-expect-error: fields have roles.
new Layout({ fields: [{ name: "ms", bits: 41, role: "time" }], epochMs: 0 });

try {
  await ids.nextAsync();
} catch (error) {
  if (error instanceof EdgeflakeError) {
    const code: ErrorCode = error.code;
    console.log(code, error.retryInMs?.toFixed(), min < max, share);
  }
}
