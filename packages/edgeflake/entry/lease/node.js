// The same where there are files to keep a lease in: Node, Deno and Bun.
import { begin } from "../../lib/shared-holder.js";
import { Store } from "../../lib/store.js";

begin({ Store });

export * from "./inline.js";
