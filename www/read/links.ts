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

const CHAT = ["discord", "a link to Discord"] as const;
const MENTION = ["discord", "a mention of Discord"] as const;
const TWEET = ["twitter", "a link to Twitter"] as const;
const PHOTO = ["instagram", "a link to Instagram"] as const;
const THREAD = ["instagram", "a link to Threads"] as const;
const MEDIA = ["instagram", "a media id of Instagram"] as const;
const WORK = ["linkedin", "a link to LinkedIn"] as const;
const WORK_NAME = ["linkedin", "a name of LinkedIn"] as const;
const VIDEO = ["tiktok", "a link to TikTok"] as const;
const TOOT = ["mastodon", "a link to Mastodon"] as const;

/**
 * The preset and the kind of text, the kind of object, the pattern, whose named group is the id, and
 * the encoding of the id unless it is decimal.
 */
type SourcePattern = [readonly [string, string], string, RegExp, Encoding?];

const SOURCES: SourcePattern[] = [
  [CHAT, "message", /^discord(?:app)?\.com\/channels\/[^/]+\/\d+\/(?<id>\d+)/i],
  [CHAT, "channel", /^discord(?:app)?\.com\/channels\/[^/]+\/(?<id>\d+)/i],
  [CHAT, "server", /^discord(?:app)?\.com\/channels\/(?<id>\d+)/i],
  [CHAT, "account", /^discord(?:app)?\.com\/users\/(?<id>\d+)/i],
  [CHAT, "webhook", /^discord(?:app)?\.com\/api\/webhooks\/(?<id>\d+)/i],
  [CHAT, "account", /\.discordapp\.(?:com|net)\/avatars\/(?<id>\d+)/i],
  [CHAT, "server", /\.discordapp\.(?:com|net)\/icons\/(?<id>\d+)/i],
  [CHAT, "emoji", /\.discordapp\.(?:com|net)\/emojis\/(?<id>\d+)/i],
  [CHAT, "attachment", /\.discordapp\.(?:com|net)\/attachments\/\d+\/(?<id>\d+)/i],
  [CHAT, "", /^discord(?:app)?\.com\/.*?(?<id>\d{15,20})/i],
  [MENTION, "account", /^<@!?(?<id>\d+)>$/],
  [MENTION, "role", /^<@&(?<id>\d+)>$/],
  [MENTION, "channel", /^<#(?<id>\d+)>$/],
  [MENTION, "emoji", /^<a?:\w+:(?<id>\d+)>$/],
  [MENTION, "command", /^<\/[^:>]+:(?<id>\d+)>$/],
  [TWEET, "post", /^(?:x|twitter)\.com\/.*?status(?:es)?\/(?<id>\d+)/i],
  [TWEET, "", /^(?:x|twitter)\.com\/.*?(?<id>\d{15,20})/i],
  // In the link of a private post, a key follows the id.
  [PHOTO, "post", /^instagram\.com\/(?:[\w.]+\/)?(?:p|reels?|tv)\/(?<id>[\w-]{11})/i, "base64url"],
  [PHOTO, "story", /^instagram\.com\/stories\/[\w.]+\/(?<id>\d{15,20})/i],
  [THREAD, "post", /^threads\.(?:net|com)\/@[\w.]+\/post\/(?<id>[\w-]{11})/i, "base64url"],
  [WORK, "post", /^linkedin\.com\/.*?(?:activity|share|ugcpost)[-:](?<id>\d{15,20})/i],
  [WORK, "conversation", /^linkedin\.com\/messaging\/thread\/(?<id>\d{15,20})/i],
  [WORK, "", /^linkedin\.com\/.*?(?<id>\d{15,20})/i],
  [WORK_NAME, "post", /\burn:li:\w+:(?<id>\d{15,20})/i],
  [WORK_NAME, "post", /(?:^|[_/-])activity[-:](?<id>\d{15,20})/i],
  // The link has the post's id and its account's id.
  [MEDIA, "post", /^(?<id>\d{17,19})_\d{1,20}$/],
  [VIDEO, "video", /^(?:tiktok|douyin)\.com\/.*?(?<id>\d{15,20})/i],
  // A Mastodon server can have any domain, so only the path is matched.
  [TOOT, "post", /^[\w.-]+\.\w+\/(?:web\/|deck\/)?@[\w.@-]+\/(?:posts\/)?(?<id>\d{15,20})/i],
  [TOOT, "post", /^[\w.-]+\.\w+\/(?:users\/\w+|web)\/statuses\/(?<id>\d{15,20})/i],
];

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
  for (const [[layout, name], numbers, pattern, encoding] of SOURCES) {
    const id = pattern.exec(bare)?.groups?.id;
    if (id !== undefined) return { layout, name, numbers, id, ...(encoding && { encoding }) };
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
