// zod and valibot accept only their own schemas, so here a schema calls `PublicIds.parse` to
// transform the text. Catch the error of `PublicIds.parse`, because otherwise even `safeParse`
// throws this error.

import { PublicIds } from "edgeflake/public";
import * as v from "valibot";
import { z } from "zod";

const orders = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });

const ofZod = z.string().transform((text, context) => {
  try {
    return orders.parse(text);
  } catch ({ message }) {
    context.addIssue(message);
    return z.NEVER;
  }
});
ofZod.parse("ord_kJYnezlDLK7oQV"); // => 1541815603606036480n
ofZod.safeParse("ord_1").error.issues[0].message; // => "the id has 1 characters after ord_, but needs 14"

const ofValibot = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return orders.parse(dataset.value);
    } catch ({ message }) {
      addIssue({ message });
      return NEVER;
    }
  }),
);
v.parse(ofValibot, "ord_kJYnezlDLK7oQV"); // => 1541815603606036480n
v.safeParse(ofValibot, "ord_1").issues[0].message; // => "the id has 1 characters after ord_, but needs 14"
