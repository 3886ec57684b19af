//! Pins the texts of all errors word for word, because they are part of the interface.

use edgeflake::code;
use edgeflake::lease::{self, BoundConfig, Refusal, Settings, Terms, Token};
use edgeflake::text::{self, Encoding};
use edgeflake::{Error, Instant, Layout, Span, preset};

use crate::transcript::Words;

/// Pins the code and the text of each error.
macro_rules! coded {
    ($($error:expr => $text:expr,)*) => { $({
        let error = $error;
        assert_eq!(format!("{}: {error}", error.code()), $text);
    })* };
}

/// The refusals that no metric counts. They say that the sequencer does not exist, its variables
/// cannot be used, or its shard cannot be read, so the metrics have no shard to ask.
const UNSCRAPED: [&str; 3] =
    [code::UNKNOWN_SEQUENCER, code::INVALID_CONFIGURATION, code::AUTHORITY_UNREADABLE];

/// Returns the error for a refusal, with the same code and text. The code must have an HTTP answer
/// and, unless it is in `UNSCRAPED`, an alert that counts refusals with this code.
fn refused(refusal: Refusal) -> lease::Error {
    let row = code::ALL.iter().find(|row| row.name == refusal.code()).unwrap();
    let is_counted = row.alerts.contains("`EdgeflakeRefusals`");
    assert_eq!(is_counted, !UNSCRAPED.contains(&row.name), "{row:?}");
    assert!(code::http(row.name).is_some(), "{row:?}");
    let error = lease::Error::Refused(refusal);
    assert_eq!((error.code(), error.to_string()), (refusal.code(), refusal.to_string()));
    error
}

#[test]
fn ids_and_spans() {
    let layout = preset::HAZELCAST;
    coded! {
        preset::TWITTER.node_of(&[32, 40]).unwrap_err()
            => "too-large: datacenter is 32: at most 31 is allowed",
        preset::TWITTER.node_of(&[1, 2, 3]).unwrap_err()
            => "invalid-number: there are 3 node values: give 2, one per node field",
        layout.decode(1 << 63).unwrap_err()
            => "unused-bits: the layout does not use bits 0x8000000000000000, which are set: \
                choose another layout",
        layout.tick(1).unwrap_err()
            => "before-epoch: 1970-01-01T00:00:00.001Z is before the layout's epoch \
                2018-01-01T00:00:00.000Z: correct the time, or use another layout",
        Error::Exhausted { retry_in_ms: 7 }
            => "exhausted: the allowed future is used up: retry in 7 ms",
        Error::ClockBack { back_ms: 101, retry_in_ms: 100 }
            => "clock-back: the clock went back by 101 ms: retry in 100 ms, or set it right",
        Error::SpanEnded { until_tick: 7 } => "span-ended: the span ended at tick 7: acquire another",
        Error::NodeInUse { node: 7 } => "node-in-use: node 7 is in use: close its generator first",
        Error::LayoutEnded { now_ms: layout.end_ms() - 1, end_ms: layout.end_ms() }
            => "layout-ended: the layout ends at 2087-09-07T15:47:35.552Z: at \
                2087-09-07T15:47:35.551Z no id is left, so choose another layout",
        Error::LayoutEnded { now_ms: layout.end_ms(), end_ms: layout.end_ms() }
            => "layout-ended: the layout ended at 2087-09-07T15:47:35.552Z: for \
                2087-09-07T15:47:35.552Z, use another layout",
    }
}

/// Each line of `errors.txt` has a kind, a value of this kind, and the value's error. The layout of
/// a span or window has `_` instead of spaces.
#[test]
fn table() {
    let presets = preset::NAMES.join(", ");
    for line in include_str!("errors.txt").lines() {
        let (case, expected) = line.split_once(" -> ").unwrap();
        let (kind, found) = case.split_once(' ').unwrap();
        let words: Vec<_> = found.split(' ').collect();
        let layout = || Layout::parse(&words[0].replace('_', " ")).unwrap();
        let number = |place: usize| words[place].parse().unwrap();
        let error: lease::Error = match kind {
            "layout" => Layout::parse(found).unwrap_err().into(),
            "instant" => found.parse::<Instant>().unwrap_err().into(),
            "token" => found.parse::<Token>().unwrap_err(),
            "span" => Span::new(&layout(), number(1), number(2), number(3)).unwrap_err().into(),
            "window" => {
                let node = words.get(3).map(|_| number(3));
                layout().id_range(number(1)..number(2), node).unwrap_err().into()
            }
            "refusal" => refused(Words::of(found).refusal(words[0])),
            _ => {
                let (encoding, found) = found.split_once(' ').unwrap();
                text::parse(found, Encoding::named(encoding).unwrap()).unwrap_err().into()
            }
        };
        let coded = format!("{}: {error}", error.code()).replace(&presets, "PRESETS");
        assert_eq!(coded, expected, "{case}");
    }
}

#[test]
fn sequencers() {
    let layout = preset::TWITTER;
    let check = |terms| Settings { terms, ..Settings::default() }.check(&layout);
    coded! {
        BoundConfig::new(layout, 1_000, 25, 1).unwrap_err()
            => "invalid-configuration: there are 25 nodes from node 1000 on: give 1 to 1048576 \
                nodes, up to node 1023",
        BoundConfig::new(layout, 0, 24, 16).unwrap_err()
            => "invalid-configuration: there are 16 shards: give a power of two up to 64 that \
                divides the number of nodes, 24",
        check(Terms { lease_ms: 30_000, ..Terms::default() }).unwrap_err()
            => "invalid-configuration: the lease is 30000 ms: give 30001 \
                (twice the allowed future plus a tick) to 86400000",
        BoundConfig::to_create(preset::EDGE, 0, 1 << 20, 2).map(|_| ()).unwrap_err()
            => "invalid-configuration: 1048576 nodes do not fit in 2 shards of at most 262144 \
                nodes each: choose 4 shards or more, or at most 524288 nodes",
        lease::Error::Unwritten
            => "unwritten: store the record, then call written",
        lease::Error::StoredRow { node: 7 }
            => "invalid-row: the stored row of node 7 does not fit: undo what changed it",
        lease::Error::AuthorityUnreachable
            => "authority-unreachable: the authority gave no reply",
        lease::Error::UnexpectedReply
            => "unexpected-reply: the reply does not fit: compare the authority's version",
        lease::Error::Detached => "detached: the holder is detached: attach it to issue ids",
        lease::Error::OtherLayout
            => "other-layout: the holder is bound to another layout: change the sequencer, or use \
                its layout",
        check(Terms { prefetch_count: 100_001, ..Terms::default() }).unwrap_err()
            => "invalid-configuration: a batch has 100001 ids: give 1 to 100000",
    }
}

#[test]
fn each_code_is_explained_once() {
    for (index, row) in code::ALL.iter().enumerate() {
        let earlier = &code::ALL[..index];
        assert!(earlier.iter().all(|other| other.name != row.name), "{row:?}");
        let is_lower = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
        assert!(row.name.bytes().all(is_lower), "{row:?}");
        for text in [row.cause, row.remedy, row.alerts] {
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains(" | "), "{row:?}");
        }
        let statuses = row.http.map_or(&[][..], |http| http.statuses);
        assert!(statuses.len() < 2 || statuses.iter().all(|(_, to)| !to.is_empty()), "{row:?}");
        assert!(!row.interfaces.is_empty() || !statuses.is_empty(), "{row:?}");
    }
}

#[test]
fn a_token_is_not_shown_by_accident() {
    let token = Token::from_random(0xabcd);
    assert_eq!(format!("{token:?}"), "Token(..)");
}
