//! The table of error codes. If a code has several statuses, a client that asks for ids gets the
//! first status.

use super::codes;

codes! {
    AUTHORITY_UNREACHABLE "authority-unreachable" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The authority cannot be reached" [503],
        cause: "the isolate has no lease, and the authority did not answer within 5 s, because it is starting, down, overloaded, or cannot write. In `edgeflake/lease`, the message and the `cause` give the reason; if another try cannot help, for example because the URL redirects, the error comes at once",
        remedy: "try again; read the logs",
        alerts: "`EdgeflakeShardUnwritable`, `EdgeflakeShardUnreachable`, `EdgeflakeDown`, `EdgeflakeRefusals`",
    }
    NOT_READY "not-ready" {
        retry: Later,
        interfaces: [Rust, Npm],
        cause: "you called `tryNext()` of `edgeflake/lease`, or `try_next()` in Rust, before the generator had its first lease; the call began to acquire the lease",
        remedy: "call `await ids.ready()` before `tryNext()`, or try again",
        alerts: "none, because your own code asks too early",
    }
    UNEXPECTED_REPLY "unexpected-reply" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "No id can be issued" [503],
        cause: "the authority gave an answer that the holder cannot use, because the authority has another version, or a proxy changed the answer",
        remedy: "use releases of holders and Worker that [understand each other](GUARANTEES.md#versions)",
        alerts: "[ids are refused](OPERATING.md#ids-are-refused)",
    }
    EXHAUSTED "exhausted" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "More ids were asked for than the allowed future allows" [503],
        cause: "(a) With a lease: this request would wait for more than 5 s for ticks with unused ids, because it wants many ids, or because other requests wait before it. (b) No node was free, and the batches had too few ids. (c) `next()` of a `Generator`, which never waits: the ids up to the allowed future are used up",
        remedy: "try again after `Retry-After` or `retryInMs`. If (a) is frequent, ask for fewer ids at once; against (b), shorten leases; in case of (c), call `nextAsync()`. For more sequence bits or nodes, [create the sequencer again](OPERATING.md#adding-capacity)",
        alerts: "[ids are refused](OPERATING.md#ids-are-refused)",
    }
    SPAN_ENDED "span-ended" {
        retry: Later,
        interfaces: [Rust],
        cause: "the generator's lease has ended",
        remedy: "acquire another lease; a holder acquires it by itself",
        alerts: "none",
    }
    NO_NODE_FREE "no-node-free" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "All nodes are held" [503],
        cause: "no node can be leased now from this shard or its neighbours. Until a node is free, requests get ids from batches: each shard keeps one node for batches",
        remedy: "shorten leases; or [create the sequencer again](OPERATING.md#adding-capacity) with more nodes",
        alerts: "`EdgeflakeNodesRunOut`, `EdgeflakeRefusals`; after a restore `EdgeflakeRolledBack`",
    }
    BATCHES_EXHAUSTED "batches-exhausted" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "All nodes are held, and the batches are used up" [503],
        cause: "no node can be leased, and the shard's node for batches has already issued all ids up to the allowed future",
        remedy: "shorten leases; or [create the sequencer again](OPERATING.md#adding-capacity) with more nodes or more sequence bits",
        alerts: "`EdgeflakeNodesRunOut`, `EdgeflakeRefusals`",
    }
    OVERLOADED "overloaded" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The authority is overloaded" [503],
        cause: "the shard has reached the part of `EDGEFLAKE_OPERATIONS_PER_SECOND_MAX` that this kind of request may use (grants three quarters, batches half)",
        remedy: "lengthen the leases; or [create the sequencer again](OPERATING.md#adding-capacity) with more shards",
        alerts: "`EdgeflakeRefusals`, and [an authority is busy](OPERATING.md#an-authority-is-busy)",
    }
    CLOCK_DISAGREEMENT "clock-disagreement" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The clocks disagree" [503 to "a client", 409 to "a holder"],
        cause: "at a grant or a batch, the clocks of holder and authority differ by more than `EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS`; the message has both times",
        remedy: "set the holder's clock; existing leases go on",
        alerts: "`EdgeflakeRefusals`",
    }
    OTHER_INCARNATION "other-incarnation" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The sequencer has another incarnation" [503 to "a client", 409 to "a holder"],
        cause: "the sequencer was destroyed and created again after this lease was granted",
        remedy: "do nothing: the holder acquires a lease of the sequencer's new incarnation by itself. If the error stays, [storage was restored](OPERATING.md#restoring-storage)",
        alerts: "`EdgeflakeSequencerGone`, `EdgeflakeRefusals`",
    }
    CLOCK_BACK "clock-back" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The clock went back" [503],
        cause: "the clock of the holder or generator went back; the message says by how much. If the next id would be too far ahead of the clock, the holder waits up to 15 ms (or a tick, if that is longer); if that is not enough, the holder takes another node",
        remedy: "set the clock; the error ends when the clock is right again",
        alerts: "[ids are refused](OPERATING.md#ids-are-refused)",
    }
    SPANS_NOT_ENDED "spans-not-ended" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "The sequencer cannot be created again yet" [409],
        cause: "it is too early to create the sequencer again",
        remedy: "wait until the time `recreatable_from` that `DELETE` returned",
        alerts: "`EdgeflakeRefusals`",
    }
    TOO_MANY_REQUESTS "too-many-requests" {
        retry: Later,
        interfaces: [],
        http: "The rate limit of this client is used up" [429],
        cause: "the client's rate limit is used up, or its address sent too many wrong tokens",
        remedy: "wait, or raise [the limit](#limits) in your Wrangler file, or by `--limit` on Node",
        alerts: "none; Cloudflare's dashboard counts answers with the status 429",
    }
    DETACHED "detached" {
        retry: Later,
        interfaces: [Rust, Npm],
        http: "No id can be issued" [503],
        cause: "in `edgeflake/lease`, you called `detach()`. In the Worker, this isolate had 256 sequencers and dropped this sequencer",
        remedy: "call `attach()`; in the Worker, try again",
        alerts: "[ids are refused](OPERATING.md#ids-are-refused)",
    }
    UNWRITTEN "unwritten" {
        retry: AfterChange,
        interfaces: [Rust],
        cause: "a holder has a store, and you asked it for ids before you saved its record",
        remedy: "write `Holder::record`, then call `Holder::written`; `edgeflake/lease` with a `store` does both",
        alerts: "none",
    }
    CLOSED "closed" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        cause: "the generator was closed",
        remedy: "make another generator",
        alerts: "none",
    }
    UNKNOWN_SEQUENCER "unknown-sequencer" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "There is no sequencer of this name" [404],
        cause: "no sequencer has this name",
        remedy: "create the sequencer; an isolate notices within 5 s",
        alerts: "none, because Prometheus scrapes only sequencers that exist",
    }
    SEQUENCER_DESTROYED "sequencer-destroyed" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The sequencer was destroyed" [410],
        cause: "the sequencer was destroyed",
        remedy: "create it again, or use another name",
        alerts: "`EdgeflakeSequencerGone`, `EdgeflakeRefusals`",
    }
    SEQUENCER_ALREADY_REGISTERED "sequencer-already-registered" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The sequencer is bound to another configuration" [409],
        cause: "the sequencer was created with another configuration; the message names the first difference",
        remedy: "send the configuration of the existing sequencer, or use another name",
        alerts: "none; the log has `sequencer-created` with this `outcome`",
    }
    SEQUENCER_BEING_DESTROYED "sequencer-being-destroyed" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The sequencer is being destroyed" [409],
        cause: "a `DELETE` stopped half-way",
        remedy: "`DELETE` again",
        alerts: "none; the log has `sequencer-created` with this `outcome`",
    }
    OTHER_TIMESTAMP "other-timestamp" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The sequencer cannot be created again like this" [409],
        cause: "leases were already granted under this name with another epoch, tick length or timestamp bits",
        remedy: "send the old epoch, tick length and timestamp bits, or use another name",
        alerts: "`EdgeflakeRefusals`",
    }
    NODES_IN_USE "nodes-in-use" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The nodes are in use" [409],
        cause: "a `PATCH` would give up nodes that were granted or may have been granted by an earlier incarnation, or would give up the first node of a shard",
        remedy: "keep as many nodes as the message says; for fewer, destroy the sequencer and create it again",
        alerts: "`EdgeflakeRefusals`",
    }
    OTHER_LAYOUT "other-layout" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        cause: "a holder with the option `bind` found that the sequencer's layout is not the holder's",
        remedy: "give the holder the sequencer's layout, or use another sequencer",
        alerts: "none",
    }
    OTHER_SHARD "other-shard" {
        retry: AfterChange,
        interfaces: [Rust],
        http: "Another shard answers this" [409],
        cause: "a client of your own sent a renewal or release to the wrong shard",
        remedy: "send it with the `shard` of the grant",
        alerts: "`EdgeflakeRefusals`",
    }
    INVALID_CONFIGURATION "invalid-configuration" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "A variable or binding cannot be used" [500],
        cause: "a variable cannot be used, the settings do not suit the layout, or the Worker lacks a binding or migration of its objects. The error comes at once, and each isolate logs the error once",
        remedy: "change what the message names; in a clone, `npm run check` finds such mistakes before a deploy",
        alerts: "`EdgeflakeDown`, because a scrape fails as well; the log has `configuration-refused`",
    }
    AUTHORITY_UNREADABLE "authority-unreadable" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The authority cannot read its storage" [503],
        cause: "what a shard has stored is damaged, or newer than its code, so trying again does not help",
        remedy: "do what [its alert](OPERATING.md#edgeflakeshardunreadable) says; meanwhile, running isolates issue ids until their leases end, and other shards grant leases",
        alerts: "`EdgeflakeShardUnreadable`",
    }
    LAYOUT_ENDED "layout-ended" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The layout has run out" [503 to "a request for ids", 422 to "a request that creates a sequencer"],
        cause: "the layout has run out, by the clock of the generator or of the authority",
        remedy: "create [another layout](MIGRATING.md#another-layout) under another name",
        alerts: "`EdgeflakeLayoutRunsOut` a year before, `EdgeflakeRefusals`",
    }
    BEFORE_EPOCH "before-epoch" {
        retry: AfterChange,
        interfaces: [Rust, Npm],
        http: "The layout has not begun" [503 to "a request for ids", 422 to "a request that creates a sequencer"],
        cause: "the layout has not begun, by the clock of the generator or of the authority",
        remedy: "use another layout, or set the clock. A Worker's clock stands at 0 at module scope: make ids in a handler",
        alerts: "`EdgeflakeRefusals`",
    }
    INTERNAL "internal" {
        retry: AfterChange,
        interfaces: [],
        http: "The Worker failed" [500],
        cause: "the Worker itself failed",
        remedy: "read the log, and please report it",
        alerts: "the log has `panic`; `EdgeflakeDown` if scrapes fail",
    }
    INVALID_PARAMETER "invalid-parameter" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "A query parameter cannot be used" [400],
        cause: "a parameter is unknown, repeated, or has a value that is not allowed; the message says what is allowed, and what you probably meant",
        remedy: "send what the message allows",
        alerts: "none",
    }
    INVALID_NAME "invalid-name" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "No sequencer can have this name" [400],
        cause: "a sequencer's name has a character or a length that is not allowed",
        remedy: "use a name that the message allows",
        alerts: "none",
    }
    INVALID_BODY "invalid-body" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The body cannot be used" [422],
        cause: "the body is not JSON, has an unknown key or a value that is not allowed, or the request takes no body",
        remedy: "send what the message allows",
        alerts: "none",
    }
    BODY_TOO_LARGE "body-too-large" {
        retry: Never,
        interfaces: [],
        http: "The body is too large" [413],
        cause: "the body has more bytes than the path allows",
        remedy: "send at most as many bytes as the message says",
        alerts: "none",
    }
    BODY_TOO_SLOW "body-too-slow" {
        retry: Never,
        interfaces: [],
        http: "The body takes too long" [408],
        cause: "not all of the body arrived within 5 s",
        remedy: "send the whole body at once",
        alerts: "none",
    }
    INVALID_ID "invalid-id" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The id cannot be read" [400],
        cause: "the text is no id in the encoding that you named, or in any encoding",
        remedy: "send the id as it was printed; the message says what is wrong, and where",
        alerts: "none",
    }
    NOT_FOUND "not-found" {
        retry: Never,
        interfaces: [],
        http: "There is nothing at this path" [404],
        cause: "no route has this path",
        remedy: "use one of [the paths](#api-and-errors)",
        alerts: "none",
    }
    METHOD_NOT_ALLOWED "method-not-allowed" {
        retry: Never,
        interfaces: [],
        http: "This path does not take this method" [405],
        cause: "the path does not take this method",
        remedy: "use a method that the message lists, or the header `Allow`",
        alerts: "none",
    }
    UNAUTHORIZED "unauthorized" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "A token is needed" [401],
        cause: "the token is missing or wrong, or you set no secret for this route",
        remedy: "set the secret that the error names, or send it as the token",
        alerts: "none; the log has `token-refused`",
    }
    FORBIDDEN "forbidden" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The token's role may not do this" [403],
        cause: "the token has too low a role",
        remedy: "send the secret that the error names",
        alerts: "none; the log has `token-refused`",
    }
    UNUSED_BITS "unused-bits" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The layout has no such ids" [422],
        cause: "bits of the id are set that the layout does not use, so the id was made with another layout",
        remedy: "use the layout that made the id",
        alerts: "none",
    }
    INVALID_WINDOW "invalid-window" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The layout has no such ids" [422],
        cause: "the window is empty, shorter than a tick, or outside the layout's time",
        remedy: "use a window that the message allows",
        alerts: "none",
    }
    NOT_SORTED_BY_TIME "not-sorted-by-time" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The layout has no such ids" [422],
        cause: "the layout has a field above the timestamp, so the ids of a window are not one range",
        remedy: "decode the ids, and compare their dates with the window",
        alerts: "none",
    }
    TOO_LARGE "too-large" {
        retry: Never,
        interfaces: [Rust, Npm],
        http: "The layout has no such ids" [422],
        cause: "a node, sequence, tag or tick is wider than its field",
        remedy: "use at most the value that the message says, or a layout with a wider field",
        alerts: "none",
    }
    INVALID_NUMBER "invalid-number" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "a number is too small, too large or not whole; or a node has more or fewer values than the layout has node fields",
        remedy: "use a number that the message allows",
        alerts: "none",
    }
    INVALID_OPTION "invalid-option" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "an option is unknown, or has a value that is not allowed",
        remedy: "use what the message allows",
        alerts: "none",
    }
    UNSAFE_NUMBER "unsafe-number" {
        retry: Never,
        interfaces: [Npm],
        cause: "an id of this layout does not fit a JavaScript number",
        remedy: "take ids as bigints or strings",
        alerts: "none",
    }
    UNKNOWN_ENCODING "unknown-encoding" {
        retry: Never,
        interfaces: [Npm],
        cause: "no encoding has this name",
        remedy: "use one of the names that the message lists",
        alerts: "none",
    }
    UNKNOWN_PRESET "unknown-preset" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "no preset has this name",
        remedy: "use one of [the presets](LAYOUTS.md#presets)",
        alerts: "none",
    }
    INVALID_LAYOUT "invalid-layout" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "a layout string cannot be read, or there can be no layout with these fields or options",
        remedy: "write the layout as [Layouts](LAYOUTS.md) says",
        alerts: "none",
    }
    INVALID_INSTANT "invalid-instant" {
        retry: Never,
        interfaces: [Rust],
        cause: "a date cannot be read",
        remedy: "use an RFC 3339 date, or Unix ms",
        alerts: "none",
    }
    INVALID_TOKEN "invalid-token" {
        retry: Never,
        interfaces: [Rust],
        cause: "the text of a lease's token is not 32 lower-case hexadecimal digits",
        remedy: "use the token of the grant",
        alerts: "none",
    }
    INVALID_SPAN "invalid-span" {
        retry: Never,
        interfaces: [Rust],
        cause: "a span has no tick, or reaches past the layout's last tick",
        remedy: "use a span that the message allows",
        alerts: "none",
    }
    NODE_IN_USE "node-in-use" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "the node of a `Generator` already has a generator in this process",
        remedy: "close that generator first, or use another node",
        alerts: "none",
    }
    OTHER_NODE "other-node" {
        retry: Never,
        interfaces: [Rust, Npm],
        cause: "the id to resume after, or the stored lease, is of another node",
        remedy: "resume from an id of the generator's own node; if the stored lease has another node, delete the lease",
        alerts: "none",
    }
    STORE_IN_USE "store-in-use" {
        retry: Never,
        interfaces: [Npm],
        cause: "another process or worker thread uses the `store` of `edgeflake/lease`, or the directory of `edgeflake/authority/node`",
        remedy: "use one file per process and thread: see [the file of a store](GUARANTEES.md#the-file-of-a-store). For an authority, end the other process: another directory is another authority, which may issue the same ids",
        alerts: "none",
    }
    STORE_COPIED "store-copied" {
        retry: Never,
        interfaces: [Npm],
        cause: "the `store` of `edgeflake/lease` is a copy, or was copied, so its lease may be in use elsewhere",
        remedy: "delete the file that this process names as its `store`, to get another lease: see [the file of a store](GUARANTEES.md#the-file-of-a-store)",
        alerts: "none",
    }
    STORE_UNREADABLE "store-unreadable" {
        retry: Never,
        interfaces: [Npm],
        cause: "the `store` of `edgeflake/lease` is no file that edgeflake has written",
        remedy: "use another path: see [the file of a store](GUARANTEES.md#the-file-of-a-store)",
        alerts: "none",
    }
    STORE_FAILED "store-failed" {
        retry: Never,
        interfaces: [Npm],
        cause: "the `store` of `edgeflake/lease`, or the storage of `edgeflake/authority/node`, cannot be read or written",
        remedy: "make room on the disk, or make the file writable: see [the file of a store](GUARANTEES.md#the-file-of-a-store)",
        alerts: "none for a `store`; `EdgeflakeDown` for an authority, which then does not start",
    }
    INVALID_ROW "invalid-row" {
        retry: Never,
        interfaces: [Rust],
        cause: "the stored row is one that no shard would have written",
        remedy: "undo what changed the storage",
        alerts: "none",
    }
}
