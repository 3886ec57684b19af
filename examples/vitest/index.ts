import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import { handler } from "./handler";

export default handler(new LeasedGenerator({ authority: env.AUTHORITY }));
