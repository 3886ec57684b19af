import { getRandomValues } from "node:crypto";
import process from "node:process";
import { Layout } from "../layout/layout.js";
import { PublicIds } from "../public/public-ids.js";
import { codecOf } from "../text/codec.js";
import { type Options, Usage, whole } from "./arguments.js";

export const NO_PREFIX = "--prefix is missing: give the prefix of the public ids, such as ord";

/** Returns a `PublicIds` for `format` and `parse`; undefined if no option asks for one. */
export function publicIds(options: Options) {
  const { prefix, layout, "key-env": variable } = options;
  if (prefix === undefined) {
    if (variable === undefined && options["check-digits"] === undefined) return undefined;
    throw new Usage(NO_PREFIX);
  }
  if (options.encoding !== undefined) {
    throw new Usage("--encoding and --prefix are given: give only one of them");
  }
  if (variable !== undefined && !/^\w+$/.test(variable)) {
    // The message does not show the text, which may be the key.
    throw new Usage(
      "--key-env is no name of a variable: give a name such as ORDER_KEY, not the key",
    );
  }
  const key = variable === undefined ? null : process.env[variable];
  if (key === undefined) {
    throw new Usage(
      `the variable ${variable} is not set: set it to a key that "npx edgeflake key" prints`,
    );
  }
  const checkDigits = whole("--check-digits", options["check-digits"]);
  return new PublicIds({
    prefix,
    key,
    checkDigits,
    layout: layout === undefined ? undefined : Layout.parse(layout),
  });
}

/** Returns a new key. Its name is random, too, so that two keys seldom have the same name. */
export function newKey(): string {
  const { digits } = codecOf("base62");
  const bytes = getRandomValues(new Uint8Array(16));
  const [name] = getRandomValues(new Uint32Array(1));
  const key = `${digits[name % digits.length]}:${Buffer.from(bytes).toString("hex")}`;
  try {
    new PublicIds({ prefix: "id", key });
    return key;
  } catch {
    // One in several million keys is refused because its bytes do not look random.
    return newKey();
  }
}
