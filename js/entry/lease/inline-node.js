// The same where there are files: Node, Deno and Bun.
import { begin } from "../../leased-generator.js";
import { Store } from "../../store.js";

begin({ Store });

export * from "./inline.js";
