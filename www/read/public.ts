// Reads edgeflake's public ids. After a prefix such as `ord_`, they have 11 digits that show the
// id, or an encrypted id, which needs a key. The cipher is loaded when the first key is given.

import type { PublicIds } from "edgeflake/public";

const PREFIX = "^[a-z](?:[a-z_]{0,61}[a-z])?_";
/** Nearly all public ids have letters of both cases after the `_`, but few other texts do. */
const BOTH_CASES = /_(?=[^_]*[a-z])(?=[^_]*[A-Z])[^_]*$/;
const PLAIN = RegExp(`${PREFIX}[0-9A-Za-z]{11}$`);
/** Matches the name of the key, the encrypted id, and the check digits. */
const OPAQUE = RegExp(`${PREFIX}([0-9A-Za-z])([0-9A-Za-z]{11})[0-9A-Za-z]{0,4}$`);
/** 2^64 - 1 in base62. Texts of equal length in base62 sort as their numbers do. */
const LARGEST = "LygHa16AHYF";
/** The number of characters after the prefix, without check digits. */
const UNCHECKED_LENGTH = 12;

let Cipher: typeof PublicIds | undefined;

export async function loadCipher(): Promise<void> {
  ({ PublicIds: Cipher } = await import("edgeflake/public"));
}

/** Returns whether a text shows its id in base62, after a prefix. */
export function isPlainPublicId(text: string): boolean {
  return PLAIN.test(text) && BOTH_CASES.test(text);
}

/**
 * Returns the name of the key of an opaque text; `undefined` for any other text. `isAmong` says
 * that there are other opaque texts around this one.
 */
export function keyNameOf(text: string, isAmong = false): string | undefined {
  const [, name, block = ""] = OPAQUE.exec(text) ?? [];
  return block <= LARGEST && (isAmong || BOTH_CASES.test(text)) ? name : undefined;
}

export function isPublicId(text: string): boolean {
  return isPlainPublicId(text) || keyNameOf(text) !== undefined;
}

/** Returns the number of check digits of an opaque text. */
export function checkDigitsOf(text: string): number {
  return text.length - text.lastIndexOf("_") - 1 - UNCHECKED_LENGTH;
}

/** Returns a function that decodes opaque texts with any prefix. The cipher must be loaded. */
export function publicReader(key: string): (text: string) => bigint {
  const known = new Map<string, PublicIds<string>>();
  return (text) => {
    const [prefix, checkDigits] = [text.slice(0, text.lastIndexOf("_")), checkDigitsOf(text)];
    const kind = `${prefix} ${checkDigits}`;
    const ids = known.get(kind) ?? newPublicIds(prefix, key, checkDigits);
    known.set(kind, ids);
    return ids.parse(text);
  };
}

/** @throws {EdgeflakeError} if the key is invalid */
export function newPublicIds(prefix: string, key: string, checkDigits = 0): PublicIds<string> {
  if (!Cipher) throw new TypeError("the cipher is not loaded yet");
  return new Cipher({ prefix, key, checkDigits });
}
