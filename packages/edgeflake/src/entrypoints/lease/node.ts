// On Node, Deno and Bun, adds the option `store`, which keeps a lease in a file.
import { platform } from "../../leased/shared-holder.js";
import { Store } from "../../leased/store.js";

platform.Store = Store;

export * from "./inline.js";
