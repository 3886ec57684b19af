// This file compiles if the package's types are found and correct.
import {
  type DecodedId,
  EdgeflakeError,
  type Encoding,
  type ErrorCode,
  format,
  Generator,
  identify,
  identifyMany,
  isId,
  jsonReplacer,
  jsonReviver,
  Layout,
  type PresetName,
  presets,
  toSigned,
  type UnixTimeName,
} from "edgeflake";
import { Layout as TranslatedLayout } from "edgeflake/js";
import { LeasedGenerator, type LeaseEvent, type LeaseState } from "edgeflake/lease";
import * as light from "edgeflake/light";
import { FakeIds } from "edgeflake/testing";

const layout: Layout = TranslatedLayout.preset(presets()[0]);
const ids = new Generator({ layout, node: 5, sequenceStart: { random: 99 }, now: () => 0 });
const id: bigint = ids.next();
const decoded: DecodedId = layout.decode(id);
const node: number = decoded.node;
const text: string = format(id, "base62") + format(decoded.id);
const row: bigint = layout.decodeMany([id, text]).id[0];
const { min, max } = layout.range(new Date(0), Date.now(), { node });
const share: number = identify(row)[0].share;

// The arrays do not use shared memory, which a Blob refuses from TypeScript 5.7 on.
new Blob([ids.batch(1), layout.decodeMany([id]).node]);
// An undefined option is allowed, even under exactOptionalPropertyTypes.
new Generator({ layout, node, gaps: undefined, now: undefined, resumeAfter: undefined });
layout.encode({ timestampMs: 0, node: undefined });
const [likeliest] = identify(id, { around: [id], nowMs: new Date() });
// Unix time has no layout.
const preset: PresetName | UnixTimeName = likeliest.preset;
if (likeliest.decoded) TranslatedLayout.preset(preset);
const presetOfRow: PresetName | UnixTimeName | undefined = identifyMany([id]).preset[0];
if (isId(presetOfRow, "hex")) presetOfRow.toUpperCase();
const row2 = JSON.parse(JSON.stringify({ id }, jsonReplacer), jsonReviver("id"));
toSigned(row2.id);
const parts: light.IdParts = new light.Decoder(`${layout}`).decode(light.format(id));
const form: unknown = parts.date.toISOString();
if (light.isId(form, "base62", { unpadded: true })) form.toUpperCase();
// @ts-expect-error: isId has no option of this name.
light.isId(form, "base62", { short: true });
// A preset's name may be a string that is known only at run time.
Layout.preset(text);
new LeasedGenerator({ authority: new URL("https://ids.example.com") });

// @ts-expect-error: no encoding has this name.
format(id, "base63");
// @ts-expect-error: fields have roles.
new Layout({ fields: [{ name: "ms", bits: 41, role: "time" }], epochMs: 0 });

// The type of an id follows from the encoding, even if that is known only at run time.
const text62: string = new Generator({ layout, node: 6, encoding: "base62" }).next();
const shared = Generator.shared({ layout, node: 7, encoding: "decimal" });
const text10: string = await shared.nextAsync();
const sharedId: bigint = Generator.shared({ layout, node: 8 }).next();
const anyEncoding = ["hex" as const].at(0);
const either: string | bigint = new Generator({ layout, node: 9, encoding: anyEncoding }).next();
const plainId: bigint = new Generator({ layout, node: 10, encoding: undefined }).next();
// @ts-expect-error: the id is a string.
const notText: bigint = shared.next();
// @ts-expect-error: the id may be a string.
const notAlways: bigint = new Generator({ layout, node: 9, encoding: anyEncoding }).next();
// @ts-expect-error: no encoding has this name.
new Generator({ layout, node: 11, encoding: "base63" });
console.log(text62, text10, sharedId, either, plainId, notText, notAlways);

// The token may be undefined, as in `process.env`.
const token = ["secret"].at(0);
const leased = new LeasedGenerator({ authority: "https://ids.example.com", token, store: token });
const leasedId: bigint = await leased.next();
const batch: BigUint64Array = await leased.batch(1000);
const state: LeaseState = leased.state;
const leasedNode: number | undefined = leased.lease?.node;
const { signal } = new AbortController();
const waited: bigint[] = [await leased.next({ signal }), leased.tryNext()];
const asText: string = await leased.nextString("base62", { signal });
await leased.ready({ signal });
const issued: number = leased.stats().issued;
const onEvent = (event: LeaseEvent) => {
  if (event.type === "renewed") console.log(event.lease.untilTick, event.tookMs);
  // @ts-expect-error: a lost lease has no answer to time.
  if (event.type === "lost") console.log(event.code, event.tookMs);
};
new LeasedGenerator({ authority: "https://a.b", mode: "batch", prefetchCount: 5, onEvent });
// @ts-expect-error: a sequencer is an option of the generator.
await leased.next("orders");
// @ts-expect-error: no encoding has this name.
await leased.nextString("base63");

const authority = "https://ids.example.com";
const leasedText = new LeasedGenerator({ authority, encoding: "base62" });
const texts: string[] = [await leasedText.next(), leasedText.tryNext()];
const sharedText: string = await LeasedGenerator.shared({ authority, encoding: "hex" }).next();
const fakeText: string = new FakeIds({ encoding: "base62" }).tryNext();
const orderText = async (ids: LeasedGenerator<"base62">): Promise<string> => ids.next();
await orderText(new FakeIds({ encoding: "base62" }));
const orderAny = async (ids: LeasedGenerator<Encoding | undefined>) => `${await ids.next()}`;
await orderAny(leased);
await orderAny(leasedText);
// @ts-expect-error: its ids are bigints.
await orderText(leased);
// @ts-expect-error: no encoding has this name.
new LeasedGenerator({ authority, encoding: "base63" });
console.log(texts, sharedText, fakeText);

const order = async (ids: LeasedGenerator) => ids.next();
const fake = new FakeIds({ ids: [1n, 2n] });
fake.failNext("overloaded", { times: 2, retryInMs: 5 });
await order(fake);
await order(leased);
// @ts-expect-error: no error has this code.
fake.failNext("overload");
// @ts-expect-error: a namespace has getByName.
new LeasedGenerator({ authority: { get: () => 0 } });
console.log(leasedId, batch, state, leasedNode, waited, asText, issued);

try {
  await ids.nextAsync();
} catch (error) {
  if (error instanceof EdgeflakeError) {
    const code: ErrorCode = error.code;
    console.log(code, error.retryInMs?.toFixed(), min < max, share);
  }
}
