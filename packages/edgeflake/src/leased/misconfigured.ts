import { EdgeflakeError } from "../error.js";

const logged = new Set<string>();

/** Makes the error of a configuration that no other try helps, and logs it once. */
export function misconfigured(message: string) {
  if (!logged.has(message)) {
    logged.add(message);
    console.error(JSON.stringify({ event: "configuration-refused", message }));
  }
  return new EdgeflakeError("invalid-configuration", message);
}
