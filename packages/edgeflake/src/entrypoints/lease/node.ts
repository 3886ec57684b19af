// Node, Deno and Bun have files, in which a store keeps a lease.
import { begin } from "../../leased/shared-holder.js";
import { Store } from "../../leased/store.js";

begin({ Store });

export * from "./inline.js";
