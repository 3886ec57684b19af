// The loader reads the path's parameter `id`, and answers 404 if the parameter is not a valid id.

import { PublicIds } from "edgeflake/public";
import { createStaticHandler, data } from "react-router";

const orders = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });

function loader({ params }) {
  const result = orders["~standard"].validate(params.id);
  if (result.issues) throw data(result.issues[0].message, { status: 404 });
  return `order ${result.value}`;
}

const { queryRoute } = createStaticHandler([{ path: "/orders/:id", loader }]);
const ask = (id) => queryRoute(new Request(`http://localhost/orders/${id}`));
await ask("ord_kJYnezlDLK7oQV"); // => "order 1541815603606036480"
const guessed = await ask("ord_kJYnezlDLK7oQW").catch((response) => response);
guessed.status; // => 404
