// Recognises links, mentions and names: text around an id that says which system made the id, and
// what kind of object has it.

import type { Encoding } from "edgeflake";

export interface Source {
  /** The name of the system's preset. */
  layout: string;
  /** The kind of text that was pasted, such as "a link to Twitter". */
  name: string;
  /** The kind of object that has such an id, such as "post". */
  numbers: string;
  /** The id as it is written in the text. */
  id: string;
  /** The encoding of the id, unless it is decimal. */
  encoding?: Encoding;
}

/** The patterns of each system, by the kind of text. The named group is the id. */
const SOURCES: [layout: string, name: string, patterns: SourcePattern[]][] = [
  [
    "discord",
    "a link to Discord",
    [
      ["message", /^discord(?:app)?\.com\/channels\/[^/]+\/\d+\/(?<id>\d+)/i],
      ["channel", /^discord(?:app)?\.com\/channels\/[^/]+\/(?<id>\d+)/i],
      ["server", /^discord(?:app)?\.com\/channels\/(?<id>\d+)/i],
      ["account", /^discord(?:app)?\.com\/users\/(?<id>\d+)/i],
      ["webhook", /^discord(?:app)?\.com\/api\/webhooks\/(?<id>\d+)/i],
      ["account", /\.discordapp\.(?:com|net)\/avatars\/(?<id>\d+)/i],
      ["server", /\.discordapp\.(?:com|net)\/icons\/(?<id>\d+)/i],
      ["emoji", /\.discordapp\.(?:com|net)\/emojis\/(?<id>\d+)/i],
      ["attachment", /\.discordapp\.(?:com|net)\/attachments\/\d+\/(?<id>\d+)/i],
      ["", /^discord(?:app)?\.com\/.*?(?<id>\d{15,20})/i],
    ],
  ],
  [
    "discord",
    "a mention of Discord",
    [
      ["account", /^<@!?(?<id>\d+)>$/],
      ["role", /^<@&(?<id>\d+)>$/],
      ["channel", /^<#(?<id>\d+)>$/],
      ["emoji", /^<a?:\w+:(?<id>\d+)>$/],
      ["command", /^<\/[^:>]+:(?<id>\d+)>$/],
    ],
  ],
  [
    "twitter",
    "a link to Twitter",
    [
      ["post", /^(?:x|twitter)\.com\/.*?status(?:es)?\/(?<id>\d+)/i],
      ["", /^(?:x|twitter)\.com\/.*?(?<id>\d{15,20})/i],
    ],
  ],
  [
    "instagram",
    "a link to Instagram",
    [
      // In the link of a private post, a key follows the id.
      ["post", /^instagram\.com\/(?:[\w.]+\/)?(?:p|reels?|tv)\/(?<id>[\w-]{11})/i, "base64url"],
      ["story", /^instagram\.com\/stories\/[\w.]+\/(?<id>\d{15,20})/i],
    ],
  ],
  [
    "instagram",
    "a link to Threads",
    [["post", /^threads\.(?:net|com)\/@[\w.]+\/post\/(?<id>[\w-]{11})/i, "base64url"]],
  ],
  [
    "linkedin",
    "a link to LinkedIn",
    [
      ["post", /^linkedin\.com\/.*?(?:activity|share|ugcpost)[-:](?<id>\d{15,20})/i],
      ["conversation", /^linkedin\.com\/messaging\/thread\/(?<id>\d{15,20})/i],
      ["", /^linkedin\.com\/.*?(?<id>\d{15,20})/i],
    ],
  ],
  [
    "linkedin",
    "a name of LinkedIn",
    [
      ["post", /\burn:li:\w+:(?<id>\d{15,20})/i],
      ["post", /(?:^|[_/-])activity[-:](?<id>\d{15,20})/i],
    ],
  ],
  // The link has the post's id and its account's id.
  ["instagram", "a media id of Instagram", [["post", /^(?<id>\d{17,19})_\d{1,20}$/]]],
  ["tiktok", "a link to TikTok", [["video", /^(?:tiktok|douyin)\.com\/.*?(?<id>\d{15,20})/i]]],
  // A Mastodon server can have any domain, so only the path is matched.
  [
    "mastodon",
    "a link to Mastodon",
    [
      ["post", /^[\w.-]+\.\w+\/(?:web\/|deck\/)?@[\w.@-]+\/(?:posts\/)?(?<id>\d{15,20})/i],
      ["post", /^[\w.-]+\.\w+\/(?:users\/\w+|web)\/statuses\/(?<id>\d{15,20})/i],
    ],
  ],
];

/** The kind of object, the pattern, and the encoding of the id unless it is decimal. */
type SourcePattern = [numbers: string, pattern: RegExp, encoding?: Encoding];

/** A web address, with or without `https://`. */
export const ADDRESS = /^(?:[a-z][a-z+.-]*:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;
/** The most characters of a link. */
const LINK_MAX = 2000;
const SCHEME = /^[a-z][a-z+.-]*:\/\//i;
const SUBDOMAIN = /^(?:www|m|mobile|web|ptb|canary)\./i;

/** Returns the system of a text that only one system writes; `undefined` for other texts. */
export function sourceOf(text: string): Source | undefined {
  if (text.length > LINK_MAX) return undefined;
  const bare = withoutScheme(text.includes("%3A") ? text.replaceAll("%3A", ":") : text);
  for (const [layout, name, patterns] of SOURCES) {
    for (const [numbers, pattern, encoding] of patterns) {
      const id = pattern.exec(bare)?.groups?.id;
      if (id !== undefined) return { layout, name, numbers, id, ...(encoding && { encoding }) };
    }
  }
  return undefined;
}

/**
 * Returns the likeliest id in an address of an unknown system: the longest number or, without
 * numbers, the last part of the path.
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
