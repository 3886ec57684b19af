// How we write, as far as a program can tell: which words give way to which. CONTRIBUTING.md says
// why. Each rule has a pattern that is searched in a sentence without its code, and says what to
// write instead.

/**
 * @typedef {"page" | "comment" | "message"} Kind
 *
 * @typedef {object} Rule
 * @property {string} name
 * @property {RegExp} pattern
 * @property {string} write what to write instead
 * @property {readonly Kind[]} [kinds] of the texts that it is for; all if absent
 * @property {RegExp} [except] files that it is not for
 * @property {string} [because] why it is not for them
 */

/** The units in which rates are given. */
const UNIT = "(?:ms|millisecond|s|second|minute|hour|day|month|year|tick|node|shard|lease|request)";

/** The words that the field has for ours. @type {Rule[]} */
const terms = [
  { name: "look-ahead", pattern: /\blook-?ahead\b/gi, write: "allowed future" },
  { name: "courier", pattern: /\bcouriers?\b/gi, write: "shard router" },
  { name: "errand", pattern: /\berrands?\b/gi, write: "action" },
  { name: "stock", pattern: /\bstocks?\b/gi, write: "batch buffer" },
  { name: "identity", pattern: /\bidentit(?:y|ies)\b/gi, write: "bound configuration" },
  { name: "tunables", pattern: /\btunables?\b/gi, write: "settings" },
  { name: "text form", pattern: /\btext forms?\b/gi, write: "layout string, or encoding" },
  {
    name: "double",
    pattern: /\b(?:an?|no|any|the|of|without|two) doubles?\b/gi,
    write: "duplicate; for a number, JavaScript number",
  },
  { name: "mend", pattern: /\bmend(?:s|ed|ing)?\b/gi, write: "fix" },
  { name: "reckon", pattern: /\breckon(?:s|ed|ing)?\b/gi, write: "expect, or count" },
  { name: "parted", pattern: /\b(?:be|is|are|was|were) parted\b/gi, write: "split" },
  {
    name: "span",
    pattern: /\bspans?\b/gi,
    write: "lease",
    kinds: ["page"],
    except: /^(?:docs\/(?:DECISIONS|DESIGN|PROOF|WITNESS)|CONTRIBUTING|fuzz\/README)\.md$/,
    because: "these pages are about the code, in which `Span` is a type",
  },
];

/** Persons whom a reader cannot find. @type {Rule[]} */
const persons = [
  {
    name: "person",
    pattern: /\b(?:who(?:ever|mever|soever)|nobody|somebody|anybody|someone|anyone|no one)\b/gi,
    write: "the actor's name, such as the caller, the holder, a client, you",
  },
];

/** @type {Rule[]} */
const phrases = [
  {
    name: "rate",
    pattern: new RegExp(`\\b\\d[\\d,.]* [a-z-]+ an? ${UNIT}\\b`, "gi"),
    write: "per, as in `64 ids per ms`",
  },
  {
    name: "of-chain",
    pattern: /\b(?:problems?|errors?) of RFC\b/gi,
    write: "a noun compound, as in `an RFC 9457 problem`",
  },
  {
    name: "left to you",
    pattern: /\bis for you to\b/gi,
    write: "an imperative, as in `choose a limit that suits your traffic`",
  },
];

/** Sentences that begin in the middle of a thought. @type {Rule[]} */
const riddles = [
  {
    name: "no subject",
    pattern: /^(?:Nothing\b.{0,12}$|All of (?:it|them)\.$|Off,|On,|How (?:many|much|long)\.$)/g,
    write: "a whole sentence that names what it is about",
  },
  {
    name: "no subject",
    pattern: /^(?:Whether (?:it|they)|Since|Because|So that|Of|As|To be)\b[^,:]*\.$/g,
    write: "a whole sentence that names what it is about",
    kinds: ["comment"],
  },
  {
    name: "no subject",
    pattern: /^(?:Else|Also|Nor|Not (?!every|all|only))\b/g,
    write: "a whole sentence, in which `otherwise`, `too` or `not` has its subject",
    kinds: ["comment"],
  },
];

export const rules = [...terms, ...persons, ...phrases, ...riddles];

/** What is counted, as the words of a sentence in lower case have it. */
export const counted = {
  persons: /\b(?:whoever|nobody|somebody|anybody|none)\b/g,
  connectives:
    /\b(?:because|however|instead|therefore|although|for example|otherwise|unless|since)\b/g,
  you: /\b(?:you|your)\b/g,
};

/** Per 1,000 words of Markdown. */
export const limits = { personsBelow: 0.8, connectivesAbove: 4, youAbove: 6 };
