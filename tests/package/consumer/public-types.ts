// Checks the types of `edgeflake/public`. This file compiles only if each mistake in it is a type
// error.
import { PublicIds, type PublicText, type StandardSchema, type TypedId } from "edgeflake/public";

type OrderId = TypedId<"ord">;
type OrderText = PublicText<"ord">;

const key = "k:000102030405060708090a0b0c0d0e0f";
const orders = new PublicIds({ prefix: "ord", key, checkDigits: undefined, layout: undefined });
const customers = new PublicIds({ prefix: "cus", key: null });

const orderText: OrderText = orders.format(5n);
const anyOrderText: `ord_${string}` = orderText;
const order: OrderId = orders.parse(anyOrderText);
const customer = customers.parse(customers.format("5"));
const number: bigint = order;
const shipped = (id: OrderId) => orders.format(id);
const linked = (text: OrderText) => orders.parse(text);
const schema: StandardSchema<string, OrderId> = orders;
shipped(linked(shipped(order)));

// @ts-expect-error: an id of another kind.
shipped(customer);
// @ts-expect-error: a number may be an id of any kind.
shipped(5n);
// @ts-expect-error: an id of another kind.
orders.format(customer);
// @ts-expect-error: a text of another kind.
linked(customers.format(5n));
// @ts-expect-error: `format` has not made this text.
linked("ord_kJYnezlDLK7oQV");
// @ts-expect-error: a text of another kind.
const otherText: `cus_${string}` = orderText;
// @ts-expect-error: an id of another kind.
const otherId: TypedId<"cus"> = order;
// @ts-expect-error: the kinds differ.
const otherIds: PublicIds<"cus"> = orders;
// @ts-expect-error: the kinds differ.
const otherSchema: StandardSchema<string, TypedId<"cus">> = orders;
// @ts-expect-error: a variable that is not set must not make the texts plain.
new PublicIds({ prefix: "ord", key: [key].at(0) });
// @ts-expect-error: `null` says that the texts are plain.
new PublicIds({ prefix: "ord" });
// @ts-expect-error: no option has this name.
new PublicIds({ prefix: "ord", key, keys: [key] });
// @ts-expect-error: the text of an id is no id.
shipped(orderText);
// @ts-expect-error: `parse` takes a text.
orders.parse(5n);
console.log(number, schema, otherText, otherId, otherIds, otherSchema);
