import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import { createApp } from "./app";

export { Authority, Directory } from "edgeflake/authority";

// Each isolate leases a node from the authority and issues ids from memory.
const ids = new LeasedGenerator({ authority: env.AUTHORITY });

export default createApp(ids);
