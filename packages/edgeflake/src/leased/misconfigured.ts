import { EdgeflakeError } from "../error.js";

const logged = new Set<string>();

/** Returns an error about a wrong configuration, which no retry can fix. Logs each error once. */
export function misconfigured(message: string) {
  if (!logged.has(message)) {
    logged.add(message);
    console.error(JSON.stringify({ event: "configuration-refused", message }));
  }
  return new EdgeflakeError("invalid-configuration", message);
}
