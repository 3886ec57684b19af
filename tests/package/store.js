// store.js <entry> <path> <exit or detach>: issues an id of a lease that is kept in a file, of an
// authority that is played here, and says which and what it asked for.
import { Layout } from "edgeflake";
import { service } from "./authority.js";

const [entry, store, end] = process.argv.slice(2);
const { LeasedGenerator } = await import(entry);
const { calls, fetch } = service();
Object.assign(globalThis, { fetch });

const ids = new LeasedGenerator({ authority: "https://ids.example.com", store });
const id = await ids.next();
const { node } = Layout.parse(ids.layout).decode(id);
if (end === "detach") await ids.detach();
const asked = calls.map(({ url }) => url.replace(/.*\/default\//, ""));
console.log(JSON.stringify({ id: String(id), node, calls: asked }));
