// `store.js <path> <exit or detach> <ms>` issues an id of a lease that is stored in a file, and
// prints the id and the calls to the authority. The authority is fake, and the clock is ahead by
// `ms`.
import { Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";
import { service } from "./authority.js";

const [store = "", end, aheadMs] = process.argv.slice(2);
const { now } = Date;
Date.now = () => now() + Number(aheadMs);
const { calls, fetch } = service();
Object.assign(globalThis, { fetch });

let resumed = false;
const ids = new LeasedGenerator({
  authority: "https://ids.example.com",
  store,
  onEvent: (event) => {
    resumed ||= event.type === "acquired" && event.resumed;
  },
});
const id = await ids.next();
const { node } = Layout.parse(`${ids.layout}`).decode(id);
if (end === "detach") await ids.detach();
const asked = calls.map(({ url }) => url.replace(/.*\/default\//, ""));
console.log(JSON.stringify({ id: String(id), node, calls: asked, resumed }));
