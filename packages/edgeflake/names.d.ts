// `npm run docs` writes this file from src/text/encoding.rs and src/preset/.

/**
 * How an id is written as text. `base64url-bytes` writes its eight bytes, and all others write its
 * number in these digits.
 *
 * | encoding | digits, from 0 on | characters | sorts as the ids do |
 * | --- | --- | --- | --- |
 * | `decimal` | `0-9` | 1 to 20 | no |
 * | `signed-decimal` | `0-9` | 1 to 20 | no |
 * | `hex` | `0-9a-f` | 16 | yes |
 * | `binary` | `01` | 64 | yes |
 * | `base32` | `0-9A-HJKMNP-TV-Z` | 13 | yes |
 * | `z-base-32` | `ybndrfg8ejkmcpqxot1uwisza345h769` | 1 to 13 | no |
 * | `base36` | `0-9a-z` | 1 to 13 | no |
 * | `base58` | `1-9A-HJ-NP-Za-km-z` | 1 to 11 | no |
 * | `base58-flickr` | `1-9a-km-zA-HJ-NP-Z` | 1 to 11 | no |
 * | `base62` | `0-9A-Za-z` | 11 | yes |
 * | `base64url` | `A-Za-z0-9-_` | 1 to 11 | no |
 * | `base62-lower` | `0-9a-zA-Z` | 1 to 11 | no |
 * | `base64url-bytes` | `A-Za-z0-9-_` | 11 | no |
 *
 * An encoding with a fixed number of characters pads with leading zeros. `parse` reads leading
 * zeros up to the most characters in every encoding, and their absence in all except
 * `base64url-bytes`.
 */
export type Encoding =
  | "decimal"
  | "signed-decimal"
  | "hex"
  | "binary"
  | "base32"
  | "z-base-32"
  | "base36"
  | "base58"
  | "base58-flickr"
  | "base62"
  | "base64url"
  | "base62-lower"
  | "base64url-bytes";

/** A name that `Layout.preset` knows. */
export type PresetName =
  | "hazelcast"
  | "sonyflake"
  | "sonyflake-v2"
  | "snowcast"
  | "baidu"
  | "leaf"
  | "bwmarrin"
  | "yitter"
  | "tsid"
  | "cosid"
  | "cosid-js"
  | "flake-idgen"
  | "nodejs-snowflake"
  | "snowid"
  | "twitter"
  | "discord"
  | "instagram"
  | "mastodon"
  | "linkedin"
  | "datacenter-worker"
  | "random-start"
  | "resource-type"
  | "worker-queue"
  | "js-safe"
  | "edge";
