// Links, mentions and names. The text around an id says which system made it, and what it numbers.

import type { Encoding } from "edgeflake";

export interface Source {
  /** Name of the system's preset. */
  layout: string;
  /** Kind of text that was pasted, such as "a link to Twitter". */
  name: string;
  /** Kind of things that these ids number, such as "post". */
  numbers: string;
  /** The id as it is written there. */
  id: string;
  /** The encoding of the id, unless it is decimal. */
  encoding?: Encoding;
}

/** The id is the named group of each pattern. */
const SOURCES: readonly (Omit<Source, "id"> & { pattern: RegExp })[] = [
  ...[
    { pattern: /^discord(?:app)?\.com\/channels\/[^/]+\/\d+\/(?<id>\d+)/i, numbers: "message" },
    { pattern: /^discord(?:app)?\.com\/channels\/[^/]+\/(?<id>\d+)/i, numbers: "channel" },
    { pattern: /^discord(?:app)?\.com\/channels\/(?<id>\d+)/i, numbers: "server" },
    { pattern: /^discord(?:app)?\.com\/users\/(?<id>\d+)/i, numbers: "account" },
    { pattern: /^discord(?:app)?\.com\/api\/webhooks\/(?<id>\d+)/i, numbers: "webhook" },
    { pattern: /\.discordapp\.(?:com|net)\/avatars\/(?<id>\d+)/i, numbers: "account" },
    { pattern: /\.discordapp\.(?:com|net)\/icons\/(?<id>\d+)/i, numbers: "server" },
    { pattern: /\.discordapp\.(?:com|net)\/emojis\/(?<id>\d+)/i, numbers: "emoji" },
    { pattern: /\.discordapp\.(?:com|net)\/attachments\/\d+\/(?<id>\d+)/i, numbers: "attachment" },
    { pattern: /^discord(?:app)?\.com\/.*?(?<id>\d{15,20})/i, numbers: "" },
  ].map((one) => ({ ...one, layout: "discord", name: "a link to Discord" })),
  ...[
    { pattern: /^<@!?(?<id>\d+)>$/, numbers: "account" },
    { pattern: /^<@&(?<id>\d+)>$/, numbers: "role" },
    { pattern: /^<#(?<id>\d+)>$/, numbers: "channel" },
    { pattern: /^<a?:\w+:(?<id>\d+)>$/, numbers: "emoji" },
    { pattern: /^<\/[^:>]+:(?<id>\d+)>$/, numbers: "command" },
  ].map((one) => ({ ...one, layout: "discord", name: "a mention of Discord" })),
  ...[
    { pattern: /^(?:x|twitter)\.com\/.*?status(?:es)?\/(?<id>\d+)/i, numbers: "post" },
    { pattern: /^(?:x|twitter)\.com\/.*?(?<id>\d{15,20})/i, numbers: "" },
  ].map((one) => ({ ...one, layout: "twitter", name: "a link to Twitter" })),
  {
    // The id of a private post is followed by a key.
    pattern: /^instagram\.com\/(?:[\w.]+\/)?(?:p|reels?|tv)\/(?<id>[\w-]{11})/i,
    layout: "instagram",
    name: "a link to Instagram",
    numbers: "post",
    encoding: "base64url",
  },
  {
    pattern: /^threads\.(?:net|com)\/@[\w.]+\/post\/(?<id>[\w-]{11})/i,
    layout: "instagram",
    name: "a link to Threads",
    numbers: "post",
    encoding: "base64url",
  },
  {
    pattern: /^instagram\.com\/stories\/[\w.]+\/(?<id>\d{15,20})/i,
    layout: "instagram",
    name: "a link to Instagram",
    numbers: "story",
  },
  ...[
    { pattern: /^linkedin\.com\/.*?(?:activity|share|ugcpost)[-:](?<id>\d{15,20})/i },
    { pattern: /^linkedin\.com\/messaging\/thread\/(?<id>\d{15,20})/i, numbers: "conversation" },
    { pattern: /^linkedin\.com\/.*?(?<id>\d{15,20})/i, numbers: "" },
  ].map((one) => ({
    numbers: "post",
    ...one,
    layout: "linkedin",
    name: "a link to LinkedIn",
  })),
  {
    pattern: /\burn:li:\w+:(?<id>\d{15,20})/i,
    layout: "linkedin",
    name: "a name of LinkedIn",
    numbers: "post",
  },
  {
    // The id of a post and that of its account.
    pattern: /^(?<id>\d{17,19})_\d{1,20}$/,
    layout: "instagram",
    name: "a media id of Instagram",
    numbers: "post",
  },
  {
    pattern: /(?:^|[_/-])activity[-:](?<id>\d{15,20})/i,
    layout: "linkedin",
    name: "a name of LinkedIn",
    numbers: "post",
  },
  {
    pattern: /^(?:tiktok|douyin)\.com\/.*?(?<id>\d{15,20})/i,
    layout: "tiktok",
    name: "a link to TikTok",
    numbers: "video",
  },
  {
    // Mastodon has no domain of its own, but paths.
    pattern: /^[\w.-]+\.\w+\/(?:web\/|deck\/)?@[\w.@-]+\/(?:posts\/)?(?<id>\d{15,20})/i,
    layout: "mastodon",
    name: "a link to Mastodon",
    numbers: "post",
  },
  {
    pattern: /^[\w.-]+\.\w+\/(?:users\/\w+|web)\/statuses\/(?<id>\d{15,20})/i,
    layout: "mastodon",
    name: "a link to Mastodon",
    numbers: "post",
  },
];

/** An address, with `https://` or without. */
const ADDRESS = /^(?:[a-z][a-z+.-]*:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;
/** The most characters of a link. */
const LINK_MAX = 2000;
const SCHEME = /^[a-z][a-z+.-]*:\/\//i;
const SUBDOMAIN = /^(?:www|m|mobile|web|ptb|canary)\./i;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Returns the system of a text that only this system writes; `undefined` for any other text. */
export function sourceOf(text: string): Source | undefined {
  if (text.length > LINK_MAX) return undefined;
  const bare = withoutScheme(text.includes("%3A") ? text.replaceAll("%3A", ":") : text);
  for (const { pattern, ...source } of SOURCES) {
    const id = pattern.exec(bare)?.groups?.id;
    if (id !== undefined) return { ...source, id };
  }
  return undefined;
}

/**
 * Returns the likeliest id in an address that no known system writes: the longest number, or else
 * the last part of the path.
 */
export function idInAddress(address: string): string {
  const [path = ""] = withoutScheme(address).split(/[?#]/);
  const long = /(?<!\d)\d{15,20}(?!\d)/;
  const number = long.exec(path) ?? long.exec(address);
  if (number) return number[0];
  const parts = path.split("/").slice(1).filter(Boolean);
  return parts.findLast((part) => /^\d+$/.test(part)) ?? parts.at(-1) ?? "";
}

function withoutScheme(text: string) {
  return text.trim().replace(SCHEME, "").replace(SUBDOMAIN, "");
}
