// Adds the option `store`, which keeps a lease in a file, on Node, Deno and Bun.
import { begin } from "../../leased/shared-holder.js";
import { Store } from "../../leased/store.js";

begin({ Store });

export * from "./inline.js";
