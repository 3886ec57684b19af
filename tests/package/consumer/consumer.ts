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
  Layout,
  type PresetName,
  presets,
  type UnixTimeName,
} from "edgeflake";
import { Layout as TranslatedLayout } from "edgeflake/js";
import { LeasedGenerator, type LeaseEvent, type LeaseState } from "edgeflake/lease";
import * as light from "edgeflake/light";
import { PublicIds, type PublicText, type StandardSchema, type TypedId } from "edgeflake/public";
import { FakeIds } from "edgeflake/testing";

const layout: Layout = TranslatedLayout.preset(presets()[0]);
const ids = new Generator({ layout, node: 5, sequenceStart: { random: 99 }, now: () => 0 });
const id: bigint = ids.next();
const { node }: DecodedId = layout.decode(id);
const { min, max } = layout.range(new Date(0), Date.now(), { node });

// These arrays do not use shared memory. From TypeScript 5.7 on, a Blob refuses arrays whose type
// allows shared memory.
new Blob([ids.batch(1), layout.decodeMany([id]).node]);
// An undefined option is allowed, even under exactOptionalPropertyTypes.
new Generator({ layout, node, gaps: undefined, now: undefined, resumeAfter: undefined });
layout.encode({ timestampMs: 0, node: undefined });
const [likeliest] = identify(id, { around: [id], nowMs: new Date() });
// The type includes Unix time, which has no layout.
const preset: PresetName | UnixTimeName = likeliest.preset;
if (likeliest.decoded) TranslatedLayout.preset(preset);
const presetOfRow: PresetName | UnixTimeName | undefined = identifyMany([id]).preset[0];
if (isId(presetOfRow, "hex")) presetOfRow.toUpperCase();
const parts: light.IdParts = new light.Decoder(`${layout}`).decode(light.format(id));
const form: unknown = parts.date.toISOString();
if (light.isId(form, "base62", { unpadded: true })) form.toUpperCase();
// @ts-expect-error: isId has no option of this name.
light.isId(form, "base62", { short: true });
// A preset's name may be a string that is known only at run time.
Layout.preset(format(id));

// @ts-expect-error: no encoding has this name.
format(id, "base63");
// @ts-expect-error: no field has the role `time`.
new Layout({ fields: [{ name: "ms", bits: 41, role: "time" }], epochMs: 0 });

// The type of an id follows from the encoding, even if that is known only at run time.
const shared = Generator.shared({ layout, node: 7, encoding: "decimal" });
const texts: string[] = [
  new Generator({ layout, node: 6, encoding: "base62" }).next(),
  await shared.nextAsync(),
];
const anyEncoding = ["hex" as const].at(0);
const either: string | bigint = new Generator({ layout, node: 9, encoding: anyEncoding }).next();
const plain: bigint[] = [
  Generator.shared({ layout, node: 8 }).next(),
  new Generator({ layout, node: 10, encoding: undefined }).next(),
];
// @ts-expect-error: the id is a string.
plain.push(shared.next());
// @ts-expect-error: the id may be a string.
plain.push(either);

// The token may be undefined, as in `process.env`.
const token = ["secret"].at(0);
const authority = "https://ids.example.com";
const onEvent = (event: LeaseEvent) => {
  if (event.type === "renewed") console.log(event.lease.untilTick, event.tookMs);
  // @ts-expect-error: no answer is timed when a lease is lost.
  if (event.type === "lost") console.log(event.code, event.tookMs);
};
const leased = new LeasedGenerator({ authority, token, store: token, onEvent });
const batch: BigUint64Array = await leased.batch(1000);
const state: LeaseState = leased.state;
const numbers: (number | undefined)[] = [leased.lease?.node, leased.stats().issued];
const { signal } = new AbortController();
plain.push(await leased.next({ signal }), leased.tryNext());
texts.push(await leased.nextString("base62", { signal }));
await leased.ready({ signal });
new LeasedGenerator({ authority: new URL(authority), mode: "batch", prefetchCount: 5 });
// @ts-expect-error: the sequencer is an option of the generator, not an argument.
await leased.next("orders");
// @ts-expect-error: a namespace must have getByName.
new LeasedGenerator({ authority: { get: () => 0 } });

const leasedText = new LeasedGenerator({ authority, encoding: "base62" });
texts.push(await leasedText.next(), leasedText.tryNext());
texts.push(await LeasedGenerator.shared({ authority, encoding: "hex" }).next());
texts.push(new FakeIds({ encoding: "base62" }).tryNext());
const orderText = async (ids: LeasedGenerator<"base62">): Promise<string> => ids.next();
await orderText(new FakeIds({ encoding: "base62" }));
const orderAny = async (ids: LeasedGenerator<Encoding | undefined>) => `${await ids.next()}`;
await orderAny(leased);
await orderAny(leasedText);
// @ts-expect-error: the ids of `leased` are bigints.
await orderText(leased);

const order = async (ids: LeasedGenerator) => ids.next();
const fake = new FakeIds({ ids: [1n, 2n] });
fake.failNext("overloaded", { times: 2, retryInMs: 5 });
await order(fake);
// @ts-expect-error: no error has this code.
fake.failNext("overload");
console.log(texts, plain, batch, state, numbers);

try {
  await ids.nextAsync();
} catch (error) {
  if (error instanceof EdgeflakeError) {
    const code: ErrorCode = error.code;
    console.log(code, error.retryInMs?.toFixed(), min < max);
  }
}

type OrderId = TypedId<"ord">;
type OrderText = PublicText<"ord">;

const key = "k:000102030405060708090a0b0c0d0e0f";
const orders = new PublicIds({ prefix: "ord", key, checkDigits: undefined, layout: undefined });
const customers = new PublicIds({ prefix: "cus", key: null });

const publicText: OrderText = orders.format(5n);
const anyOrderText: `ord_${string}` = publicText;
const publicId: OrderId = orders.parse(anyOrderText);
const customer = customers.parse(customers.format("5"));
const orderNumber: bigint = publicId;
const shipped = (id: OrderId) => orders.format(id);
const linked = (text: OrderText) => orders.parse(text);
const schema: StandardSchema<string, OrderId> = orders;
shipped(linked(shipped(publicId)));

// @ts-expect-error: this id is of another kind.
shipped(customer);
// @ts-expect-error: a plain bigint may be an id of any kind.
shipped(5n);
// @ts-expect-error: this id is of another kind.
orders.format(customer);
// @ts-expect-error: this text is of another kind.
linked(customers.format(5n));
// @ts-expect-error: `format` has not made this text.
linked("ord_kJYnezlDLK7oQV");
// @ts-expect-error: the kinds differ.
const otherIds: PublicIds<"cus"> = orders;
// @ts-expect-error: the kinds differ.
const otherSchema: StandardSchema<string, TypedId<"cus">> = orders;
// @ts-expect-error: an environment variable that is not set must not make the texts plain.
new PublicIds({ prefix: "ord", key: [key].at(0) });
// @ts-expect-error: plain texts need the key `null`.
new PublicIds({ prefix: "ord" });
// @ts-expect-error: the text of an id is no id.
shipped(publicText);
console.log(orderNumber, schema, otherIds, otherSchema);
