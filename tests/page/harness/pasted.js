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
const ON_2022 = "2022-06-01T12:00:00.000Z";
const ON_2026 = "2026-06-01T00:00:00.000Z";
/**
 * Some systems have published no id. Theirs is of 2022-06-01 12:00 or of 2026-06-01, node 0 and
 * sequence 1, composed by hand from the epoch and the widths that the source gives.
 *
 * @type {[says: string, id: string, date: string, source: string][]}
 */
const composed = [
  ["datacenter-worker", "187173332582400001", ON_2022, "the Java article, its generator"],
  ["resource-type", "7853186639462400001", ON_2022, "the resource-type article, its table"],
  ["worker-queue", "4706693598412800001", ON_2022, "the queue article, its table"],
  ["baidu", "6542479014336921601", ON_2022, "uid-generator, DefaultUidGenerator.java"],
  ["bwmarrin", "1531968803435446273", ON_2022, "bwmarrin/snowflake, snowflake.go"],
  ["yitter", "294700638208001", ON_2022, "yitter IdGenerator, SnowWorkerM1"],
  ["cosid", "322464802406400001", ON_2022, "CosId, MillisecondSnowflakeId"],
  ["cosid-js", "314907033600001", ON_2022, "CosId, SafeJavaScriptSnowflake"],
  ["nodejs-snowflake", "452078862336000001", ON_2022, "nodejs-snowflake, README"],
  ["sonyflake-v2", "74796855459840001", ON_2026, "sony/sonyflake, v2/sonyflake.go"],
  ["random-start", "186992138649600001", ON_2026, "the Go article, its generator"],
  ["js-safe", "233740173312001", ON_2026, "edgeflake, docs/LAYOUTS.md"],
  ["edge", "186992138649600001", ON_2026, "edgeflake, docs/LAYOUTS.md"],
];

/** @type {Row[]} */
const systems = [
  ...composed,
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

/** @typedef {{ says: string, id: string, date: string, source: string }} Answer */

/** @type {Answer} */
const tweet = { says: "twitter", id: TWEET, date: TWEET_DATE, source: SAPPHIRE };
/** @type {Answer} */
const message = { says: "discord", id: DISCORD_ID, date: DISCORD_DATE, source: DISCORD };
/** @type {Answer} */
const instagram = {
  says: "instagram",
  id: "2039815312720154892",
  date: "2019-05-09T06:55:55.965Z",
  source: "Racum/uuinfo, README and threads.rs",
};
/** @type {Answer} */
const activity = {
  says: "linkedin",
  id: LINKEDIN_ID,
  date: LINKEDIN_DATE,
  source: `${UNFURL}/test_linkedin.py`,
};
/** @type {Answer} */
const toot = { says: "mastodon", id: MASTODON_ID, date: MASTODON_DATE, source: MASTODON };

/** @type {[answer: Answer, how: string, numbers: string, text: string][]} */
const linked = [
  [tweet, "a link to Twitter", "post", `https://x.com/a/status/${TWEET}/photo/1`],
  [tweet, "a link to Twitter", "post", `x.com/a/status/${TWEET}?s=20`],
  [tweet, "a link to Twitter", "post", `https://mobile.twitter.com/i/web/status/${TWEET}`],
  [
    {
      says: "twitter",
      id: "1098230906194546688",
      date: "2019-02-20T14:40:26.837Z",
      source: `${UNFURL}/test_twitter.py`,
    },
    "a link to Twitter",
    "post",
    "https://twitter.com/_RyanBenson/status/1098230906194546688",
  ],
  [message, "a link to Discord", "message", `https://discord.com/channels/1/2/${DISCORD_ID}`],
  [message, "a link to Discord", "channel", `https://ptb.discord.com/channels/@me/${DISCORD_ID}`],
  [message, "a link to Discord", "account", `discordapp.com/users/${DISCORD_ID}`],
  [
    message,
    "a link to Discord",
    "account",
    `https://cdn.discordapp.com/avatars/${DISCORD_ID}/a1b2.png`,
  ],
  [
    message,
    "a link to Discord",
    "attachment",
    `https://cdn.discordapp.com/attachments/1/${DISCORD_ID}/1.png`,
  ],
  [message, "a mention of Discord", "account", `<@!${DISCORD_ID}>`],
  [message, "a mention of Discord", "role", `<@&${DISCORD_ID}>`],
  [message, "a mention of Discord", "channel", `<#${DISCORD_ID}>`],
  [message, "a mention of Discord", "emoji", `<a:name:${DISCORD_ID}>`],
  [
    {
      says: "instagram",
      id: "3870172288071432645",
      date: "2026-04-07T16:48:30.621Z",
      source: `${UNFURL}/test_instagram.py`,
    },
    "a link to Instagram",
    "post",
    "https://www.instagram.com/p/DW1nTDiDvnF/?img_index=1",
  ],
  [instagram, "a link to Instagram", "post", "instagram.com/somebody/reel/BxO4TgyFlEM/"],
  [instagram, "a link to Threads", "post", "https://www.threads.net/@somebody/post/BxO4TgyFlEM"],
  [
    activity,
    "a link to LinkedIn",
    "conversation",
    `https://www.linkedin.com/messaging/thread/${LINKEDIN_ID}/`,
  ],
  [
    activity,
    "a link to LinkedIn",
    "post",
    `https://www.linkedin.com/feed/update/urn:li:activity:${LINKEDIN_ID}/`,
  ],
  [
    activity,
    "a link to LinkedIn",
    "post",
    `linkedin.com/feed/update/urn%3Ali%3AugcPost%3A${LINKEDIN_ID}`,
  ],
  [
    activity,
    "a link to LinkedIn",
    "post",
    `https://www.linkedin.com/posts/a-b_c-activity-${LINKEDIN_ID}-xY1z`,
  ],
  [activity, "a name of LinkedIn", "post", `urn:li:activity:${LINKEDIN_ID}`],
  [activity, "a name of LinkedIn", "post", `activity-${LINKEDIN_ID}`],
  [toot, "a link to Mastodon", "post", `https://mastodon.social/@Gargron/${MASTODON_ID}`],
  [
    toot,
    "a link to Mastodon",
    "post",
    `https://mastodon.social/users/Gargron/statuses/${MASTODON_ID}`,
  ],
  [
    // Uploaded at 17:28:27, says the API's answer: the id is made when the upload begins.
    {
      says: "timestamp:32 sequence.rest:32 @0 tick=1000ms",
      id: "7582653507375746334",
      date: "2025-12-11T17:28:16.000Z",
      source: "AwasthiAnshika/Social-Media-Auditor, testData.service.js",
    },
    "a link to TikTok",
    "video",
    "https://www.tiktok.com/@mrbeast/video/7582653507375746334",
  ],
];

/** @type {Row[]} */
const links = linked.map(([answer, how, numbers, text]) => ({
  ...answer,
  what: how,
  text,
  how: `, from ${how}`,
  numbers,
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
const texts = written.map(([what, text, how]) => ({ ...tweet, what, text, how }));

/** Every row of the tables above. */
export const PASTED = [...systems, ...links, ...kinds, ...texts];
