// The example texts.

/**
 * The text with which the page opens. It is a link, because its id alone could also be a Discord
 * id: Discord's epoch is 4.15 years after Twitter's, so the tweet read as a Discord id has a date
 * in the present.
 */
export const EXAMPLE = "https://x.com/i/status/1593572310593806338";

const DISCORD_MS = 1_420_070_400_000;
const LOG_MS = Date.UTC(2026, 0, 16, 12);

/**
 * A log of a chat: messages in bursts, from three processes. One message is sent twice, and some
 * lines are written late, so that their ids are out of order.
 */
export const EXAMPLE_LOG = Array.from({ length: 150 }, (_, i) => {
  const sentMs = LOG_MS + i * 700 + Math.floor(i / 25) * 9_000 - ((i * i * 37) % 650);
  const id = (BigInt(sentMs - DISCORD_MS) << 22n) | BigInt((((i * 7) % 3) + 1) << 17);
  const lateMs = i % 30 === 29 ? 3_100 : 20 + ((i * i * 31) % 90);
  const write = (ms: number) => `${new Date(ms).toISOString()} INFO sent message=${id}`;
  return [write(sentMs + lateMs), ...(i === 70 ? [write(sentMs + 1_800)] : [])];
})
  .flat()
  .sort()
  .join("\n");

export const EXAMPLES: [name: string, text: string][] = [
  ["a tweet", EXAMPLE],
  ["Discord", "https://discord.com/channels/@me/175928847299117063"],
  ["Instagram", "https://www.instagram.com/p/BxO4TgyFlEM/"],
  ["Mastodon in hex", "0x01830acfcb477a67"],
  ["a UUID", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"],
  ["a public id", "ord_kJYnezlDLK7oQV"],
  ["a date", "2026-01-16T12:00:00Z"],
  ["a log", EXAMPLE_LOG],
];
