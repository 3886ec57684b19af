// What people paste, each with its right answer and where that was published: one row for each system,
// link, name, log and kind of id.

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} text that is pasted
 * @property {string} source that says the answer
 * @property {string} says the preset whose id this is, the title of a kind, or the headline
 * @property {string} [id] in decimal
 * @property {string} [date] nothing for what carries no time
 * @property {string} [how] how the page says that it has read it
 * @property {string} [numbers] what has the id
 */

const TWEET = "1593572310593806338";
const TWEET_DATE = "2022-11-18T11:50:20.644Z";
const SAPPHIRE = "sapphiredev/utilities issue 521";
const RFC = "RFC 9562, appendix A";
const UNFURL = "obsidianforensics/unfurl, tests/unit";
const LINKEDIN_ID = "6685980502161199104";
const LINKEDIN_DATE = "2020-07-06T18:59:31.226Z";
const MASTODON_ID = "108942703571991143";
const MASTODON_DATE = "2022-09-04T23:22:13.703Z";
const MASTODON = "mastodon/documentation, methods/statuses.md";
const DISCORD_ID = "175928847299117063";
const DISCORD_DATE = "2016-04-30T11:18:25.796Z";
const DISCORD = "discord/discord-api-docs, snippets/snowflake.jsx";
const LAYOUTS = "tests/core/presets.txt, worked out by hand from each system's source";

/** A date for systems that have published no id, and what its id is by their layout. */
const COMPOSED_MS = Date.UTC(2022, 5, 1, 12);
const COMPOSED_DATE = "2022-06-01T12:00:00.000Z";

/**
 * @param {number} epochMs
 * @param {number} bits below the timestamp
 * @param {number} [tickMs]
 */
function composed(epochMs, bits, tickMs = 1, ms = COMPOSED_MS) {
  return String((BigInt((ms - epochMs) / tickMs) << BigInt(bits)) | 1n);
}

/** @type {Row[]} */
const systems = [
  ["twitter", TWEET, TWEET_DATE, SAPPHIRE],
  ["discord", DISCORD_ID, DISCORD_DATE, DISCORD],
  ["instagram", "2039815312720154892", "2019-05-09T06:55:55.965Z", "Racum/uuinfo, README"],
  ["mastodon", MASTODON_ID, MASTODON_DATE, MASTODON],
  ["linkedin", LINKEDIN_ID, LINKEDIN_DATE, `${UNFURL}/test_linkedin.py`],
  [
    "sonyflake",
    "282536111597682687",
    "2020-01-02T03:04:05.670Z",
    "sony/sonyflake, golden test of a port",
  ],
  [
    "hazelcast",
    "5300086112257234",
    "2018-01-15T15:00:39.000Z",
    "hazelcast, FlakeIdGeneratorProxyTest",
  ],
  ["snowcast", "44368455009519617", "2014-03-03T05:12:12.000Z", "noctarius/snowcast, README"],
  ["leaf", "1169786042799259000", "2019-09-06T01:35:00.834Z", "Leaf, LeafMonitorController.java"],
  ["flake-idgen", "5828128208445124608", "2014-01-12T13:40:46.279Z", "T-PWK/flake-idgen, README"],
  ["tsid", "2039815312720154892", "2035-05-30T19:37:48.488Z", "Racum/uuinfo, README"],
  ["snowid", "2039815312720154892", "2039-05-30T19:37:48.488Z", "Racum/uuinfo, README"],
  ["datacenter-worker", composed(1_609_459_200_000, 22), COMPOSED_DATE, LAYOUTS],
  ["resource-type", composed(1_420_041_600_000, 25), COMPOSED_DATE, LAYOUTS],
  ["worker-queue", composed(1_513_814_400_000, 25), COMPOSED_DATE, LAYOUTS],
  ["baidu", composed(1_463_673_600_000, 35, 1000), COMPOSED_DATE, LAYOUTS],
  ["bwmarrin", composed(1_288_834_974_657, 22), COMPOSED_DATE, LAYOUTS],
  ["yitter", composed(1_582_136_402_000, 12), COMPOSED_DATE, LAYOUTS],
  ["cosid", composed(1_577_203_200_000, 22), COMPOSED_DATE, LAYOUTS],
  ["cosid-js", composed(1_577_203_200_000, 12), COMPOSED_DATE, LAYOUTS],
  ["nodejs-snowflake", composed(1_546_300_800_000, 22), COMPOSED_DATE, LAYOUTS],
  [
    "sonyflake-v2",
    composed(1_735_689_600_000, 24, 10, Date.UTC(2026, 5, 1)),
    "2026-06-01T00:00:00.000Z",
    LAYOUTS,
  ],
  [
    "random-start",
    composed(1_735_689_600_000, 22, 1, Date.UTC(2026, 5, 1)),
    "2026-06-01T00:00:00.000Z",
    LAYOUTS,
  ],
  [
    "js-safe",
    composed(1_735_689_600_000, 19, 100, Date.UTC(2026, 5, 1)),
    "2026-06-01T00:00:00.000Z",
    LAYOUTS,
  ],
  [
    "edge",
    composed(1_735_689_600_000, 22, 1, Date.UTC(2026, 5, 1)),
    "2026-06-01T00:00:00.000Z",
    LAYOUTS,
  ],
  ["unix-s", "1668772220", "2022-11-18T11:50:20.000Z", "date -u -d @1668772220"],
  ["unix-ms", "1668772220644", TWEET_DATE, "date -u -d @1668772220.644"],
].map(([says, id, date, source]) => ({
  what: `an id of ${says}`,
  text: id,
  id,
  says,
  date,
  source,
}));

/** @type {[text: string, says: string, id: string, date: string, how: string, numbers: string, source: string][]} */
const linked = [
  [
    `https://x.com/a/status/${TWEET}/photo/1`,
    "twitter",
    TWEET,
    TWEET_DATE,
    "a link to Twitter",
    "post",
    SAPPHIRE,
  ],
  [
    `x.com/a/status/${TWEET}?s=20`,
    "twitter",
    TWEET,
    TWEET_DATE,
    "a link to Twitter",
    "post",
    SAPPHIRE,
  ],
  [
    "https://twitter.com/_RyanBenson/status/1098230906194546688",
    "twitter",
    "1098230906194546688",
    "2019-02-20T14:40:26.837Z",
    "a link to Twitter",
    "post",
    `${UNFURL}/test_twitter.py`,
  ],
  [
    `https://mobile.twitter.com/i/web/status/${TWEET}`,
    "twitter",
    TWEET,
    TWEET_DATE,
    "a link to Twitter",
    "post",
    SAPPHIRE,
  ],
  [
    `https://discord.com/channels/1/2/${DISCORD_ID}`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a link to Discord",
    "message",
    DISCORD,
  ],
  [
    `https://ptb.discord.com/channels/@me/${DISCORD_ID}`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a link to Discord",
    "channel",
    DISCORD,
  ],
  [
    `discordapp.com/users/${DISCORD_ID}`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a link to Discord",
    "account",
    DISCORD,
  ],
  [
    `https://cdn.discordapp.com/avatars/${DISCORD_ID}/a1b2.png`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a link to Discord",
    "account",
    DISCORD,
  ],
  [
    `https://cdn.discordapp.com/attachments/1/${DISCORD_ID}/1.png`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a link to Discord",
    "attachment",
    DISCORD,
  ],
  [
    `<@!${DISCORD_ID}>`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a mention of Discord",
    "account",
    DISCORD,
  ],
  [
    `<@&${DISCORD_ID}>`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a mention of Discord",
    "role",
    DISCORD,
  ],
  [
    `<#${DISCORD_ID}>`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a mention of Discord",
    "channel",
    DISCORD,
  ],
  [
    `<a:name:${DISCORD_ID}>`,
    "discord",
    DISCORD_ID,
    DISCORD_DATE,
    "a mention of Discord",
    "emoji",
    DISCORD,
  ],
  [
    "https://www.instagram.com/p/DW1nTDiDvnF/?img_index=1",
    "instagram",
    "3870172288071432645",
    "2026-04-07T16:48:30.621Z",
    "a link to Instagram",
    "post",
    `${UNFURL}/test_instagram.py`,
  ],
  [
    "instagram.com/somebody/reel/BxO4TgyFlEM/",
    "instagram",
    "2039815312720154892",
    "2019-05-09T06:55:55.965Z",
    "a link to Instagram",
    "post",
    "Racum/uuinfo, README",
  ],
  [
    "https://www.threads.net/@somebody/post/BxO4TgyFlEM",
    "instagram",
    "2039815312720154892",
    "2019-05-09T06:55:55.965Z",
    "a link to Threads",
    "post",
    "Racum/uuinfo, threads.rs",
  ],
  [
    `https://www.linkedin.com/messaging/thread/${LINKEDIN_ID}/`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a link to LinkedIn",
    "conversation",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `https://www.linkedin.com/feed/update/urn:li:activity:${LINKEDIN_ID}/`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a link to LinkedIn",
    "post",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `linkedin.com/feed/update/urn%3Ali%3AugcPost%3A${LINKEDIN_ID}`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a link to LinkedIn",
    "post",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `https://www.linkedin.com/posts/a-b_c-activity-${LINKEDIN_ID}-xY1z`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a link to LinkedIn",
    "post",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `urn:li:activity:${LINKEDIN_ID}`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a name of LinkedIn",
    "post",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `activity-${LINKEDIN_ID}`,
    "linkedin",
    LINKEDIN_ID,
    LINKEDIN_DATE,
    "a name of LinkedIn",
    "post",
    `${UNFURL}/test_linkedin.py`,
  ],
  [
    `https://mastodon.social/@Gargron/${MASTODON_ID}`,
    "mastodon",
    MASTODON_ID,
    MASTODON_DATE,
    "a link to Mastodon",
    "post",
    MASTODON,
  ],
  [
    `https://mastodon.social/users/Gargron/statuses/${MASTODON_ID}`,
    "mastodon",
    MASTODON_ID,
    MASTODON_DATE,
    "a link to Mastodon",
    "post",
    MASTODON,
  ],
  [
    // Uploaded at 17:28:27, says the API's answer: the id is made when the upload begins.
    "https://www.tiktok.com/@mrbeast/video/7582653507375746334",
    "timestamp:32 sequence.rest:32 @0 tick=1000ms",
    "7582653507375746334",
    "2025-12-11T17:28:16.000Z",
    "a link to TikTok",
    "video",
    "AwasthiAnshika/Social-Media-Auditor, testData.service.js",
  ],
];

/** @type {Row[]} */
const links = linked.map(([text, says, id, date, how, numbers, source]) => ({
  what: how,
  text,
  says,
  id,
  date,
  how: `, from ${how}`,
  numbers,
  source,
}));

/** @type {[text: string, says: string, date: string | undefined, source: string][]} */
const others = [
  ["C232AB00-9414-11EC-B3C8-9F6BDECED846", "UUID version 1", "2022-02-22T19:22:22.000Z", RFC],
  [
    "a28cad70-0d73-11ea-aaef-0800200c9a66",
    "UUID version 1",
    "2019-11-22T22:01:28.775Z",
    `${UNFURL}/test_uuid.py`,
  ],
  [
    "000003e8-cbb9-21ea-b201-00045a86c8a1",
    "UUID version 2",
    undefined,
    "google/uuid, uuid_test.go",
  ],
  ["5df41881-3aed-3515-88a7-2f4a814cf09e", "UUID version 3", undefined, RFC],
  ["919108f7-52d1-4320-9bac-f847db4148a8", "UUID version 4", undefined, RFC],
  ["2ed6657d-e927-568b-95e1-2665a8aea6a2", "UUID version 5", undefined, RFC],
  ["1EC9414C-232A-6B00-B3C8-9F6BDECED846", "UUID version 6", "2022-02-22T19:22:22.000Z", RFC],
  [
    "1ea0d73a-28ca-6d70-aaef-0800200c9a66",
    "UUID version 6",
    "2019-11-22T22:01:28.775Z",
    `${UNFURL}/test_uuid.py`,
  ],
  ["017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "UUID version 7", "2022-02-22T19:22:22.000Z", RFC],
  [
    "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
    "UUID version 7",
    "2022-02-22T19:22:22.000Z",
    RFC,
  ],
  ["{017F22E279B07CC398C4DC0C0C07398F}", "UUID version 7", "2022-02-22T19:22:22.000Z", RFC],
  ["2489E9AD-2EE2-8E00-8EC9-32D5F69181C0", "UUID version 8", undefined, RFC],
  ["00000000-0000-0000-0000-000000000000", "nil UUID", undefined, "RFC 9562, section 5.9"],
  ["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "max UUID", undefined, "RFC 9562, section 5.10"],
  ["01ARYZ6S41TSV4RRFFQ69G5FAV", "ULID", "2016-07-30T22:36:16.385Z", "ulid/javascript, README"],
  ["01aryz6s41tsv4rrffq69g5fav", "ULID", "2016-07-30T22:36:16.385Z", "ulid/javascript, README"],
  [
    "507c7f79bcf86cd7994f6c0e",
    "ObjectId of MongoDB",
    "2012-10-15T21:26:17.000Z",
    "MongoDB manual, getTimestamp",
  ],
  [
    'ObjectId("65920080aabbccddee112233")',
    "ObjectId of MongoDB",
    "2024-01-01T00:00:00.000Z",
    `${UNFURL}/test_mongo.py`,
  ],
  ["0ujtsYcgvSTl8PAuAdqWYSMnLOv", "KSUID", "2017-10-10T04:00:47.000Z", "segmentio/ksuid, README"],
  ["0ujzPyRiIAffKhBux4PvQdDqMHY", "KSUID", "2017-10-10T04:46:20.000Z", "segmentio/ksuid, README"],
  ["3laulgolrfz2f", "TID of Bluesky", "2024-11-14T00:15:33.133Z", `${UNFURL}/test_bluesky.py`],
  ["3l25zusnsfctk", "TID of Bluesky", "2024-08-20T16:31:35.793Z", "mary-ext/atcute, tid"],
  [
    "https://bsky.app/profile/jay.bsky.team/post/3lbd2ebt3wk2r",
    "TID of Bluesky",
    "2024-11-19T18:19:55.098Z",
    `${UNFURL}/test_bluesky.py`,
  ],
  [
    "at://jay.bsky.team/app.bsky.feed.post/3lbd2ebt3wk2r",
    "TID of Bluesky",
    "2024-11-19T18:19:55.098Z",
    `${UNFURL}/test_bluesky.py`,
  ],
  ["V1StGXR8_Z5jdHi6B-myT", "NanoID, by its length", undefined, "ai/nanoid, README"],
];

/** @type {Row[]} */
const kinds = others.map(([text, says, date, source]) => ({
  what: says,
  text,
  says,
  date,
  source,
}));

/** @type {[what: string, text: string, how: string][]} */
const written = [
  ["digits in threes, with commas", "1,593,572,310,593,806,338", "Read as one id in decimal"],
  ["digits in threes, with underscores", "1_593_572_310_593_806_338", "Read as one id in decimal"],
  ["digits in threes, with points", "1.593.572.310.593.806.338", "Read as one id in decimal"],
  [
    "digits in threes, with narrow spaces",
    "1\u202f593\u202f572\u202f310\u202f593\u202f806\u202f338",
    "Read as one id in decimal",
  ],
  [
    "a line with its time in brackets",
    `[2022-11-18 11:50:20] app: order ${TWEET}`,
    "Read as one id in decimal, from a log (order id)",
  ],
  [
    "a line of a web server",
    `10.0.0.1 - - [18/Nov/2022:11:50:20 +0000] "GET /orders/${TWEET} HTTP/1.1" 200 12`,
    "Read as one id in decimal, from a log (order id)",
  ],
  [
    "a line of keys and values",
    `ts=1668772220.644 level=info order_id=${TWEET} took=12ms`,
    "Read as one id in decimal, from a log (order id)",
  ],
  [
    "a line with a comma in its time",
    `2022-11-18 11:50:20,644 INFO orderId=${TWEET} done\n2022-11-18 11:50:21,644 INFO nothing`,
    "Read as one id in decimal, from a log (order id)",
  ],
  [
    "a line of JSON",
    `{"time":"2022-11-18T11:50:20Z","order_id":${TWEET},"status":200}`,
    "Read as one id in decimal, from JSON (order_id)",
  ],
  [
    "an address of an unknown system",
    `https://example.com/orders/${TWEET}/photo/1`,
    "Read as one id in decimal",
  ],
  ["prose", `the order ${TWEET} never came, please help`, "Read as one id in decimal"],
];

/** @type {Row[]} */
const texts = written.map(([what, text, how]) => ({
  what,
  text,
  says: "twitter",
  id: TWEET,
  date: TWEET_DATE,
  how,
  source: SAPPHIRE,
}));

/** Every row of the tables above. */
export const PASTED = [...systems, ...links, ...kinds, ...texts];
