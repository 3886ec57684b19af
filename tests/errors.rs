//! The texts of errors are part of the interface: they are pinned word for word.

use edgeflake::{
    Error, Field, Identity, Layout, Name, Refusal, Role, Span, Token, Tunables, preset,
};

fn text<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn layouts() {
    let timestamp = Field::new("timestamp", Role::Timestamp, 41).unwrap();
    let later = Field::new("later", Role::Timestamp, 41).unwrap();
    let node = Field::new("node", Role::Node, 30).unwrap();
    let long = Field::new("timestamp", Role::Timestamp, 53).unwrap();
    for (found, expected) in [
        (text(Name::new("")), "a field's name has 0 characters: 1 to 24 are allowed"),
        (
            text(Name::new("a b")),
            "a field's name has another character than a-z, A-Z, 0-9, - and _ at position 1",
        ),
        (text(Field::new("n", Role::Node, 0)), "field n has 0 bits: 1 to 64 are allowed"),
        (text(Layout::new(&[], 0, 1)), "a layout of 0 fields: 1 to 16 are allowed"),
        (text(Layout::new(&[timestamp, timestamp], 0, 1)), "two fields are named timestamp"),
        (
            text(Layout::new(&[timestamp, node], 0, 1)),
            "field node ends at bit 71: a layout has at most 64",
        ),
        (text(Layout::new(&[node], 0, 1)), "a layout without a timestamp field"),
        (
            text(Layout::new(&[Field::new("t", Role::Timestamp, 9).unwrap(), later], 0, 1)),
            "two timestamp fields, t and later: exactly one is allowed",
        ),
        (text(Layout::new(&[timestamp], 0, 0)), "a tick of 0 ms: at least 1 ms is allowed"),
        (
            text(Layout::new(&[long], 0, 1)),
            "field timestamp of 53 bits lasts longer than 275760-09-13T00:00:00.000Z",
        ),
        (
            text("timestamp:41 nodes:5 @0".parse::<Layout>()),
            "layout text at position 13: expected a field, such as node:10, of unused, timestamp, \
             node, sequence or tag",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn ids_and_spans() {
    let layout = preset::HAZELCAST;
    for (found, expected) in [
        (
            text(Span::new(&layout, 65_536, 0, 1)),
            "node 65536 is too large: at most 65535 is allowed",
        ),
        (text(Span::new(&layout, 0, 7, 7)), "a span from tick 7 until 7 is empty"),
        (
            text(Span::new(&layout, 0, 7, (1 << 41) + 1)),
            "a span until tick 2199023255553: the layout has 2199023255552 ticks",
        ),
        (
            text(layout.unpack(1 << 63)),
            "bits 0x8000000000000000 are set, which the layout does not use",
        ),
        (
            text(layout.tick(1)),
            "1970-01-01T00:00:00.001Z is before the layout's epoch 2018-01-01T00:00:00.000Z",
        ),
        (
            text(layout.tick(4_102_444_800_000)),
            "the layout ended at 2087-09-07T15:47:35.552Z: it is 2100-01-01T00:00:00.000Z",
        ),
        (
            Error::Exhausted { retry_in_ms: 7 }.to_string(),
            "the look-ahead is used up: retry in 7 ms",
        ),
        (Error::SpanEnded { until_tick: 7 }.to_string(), "the span ended at tick 7"),
        (
            text("0A".parse::<Token>()),
            "a token of 2 characters: 32 lower-case hexadecimal digits are allowed",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn sequencers() {
    let layout = preset::TWITTER;
    for (found, expected) in [
        (
            text(Identity::new(layout, 1_000, 25, 1)),
            "25 nodes from 1000 on: 1 to 1048576 nodes up to 1023 are allowed",
        ),
        (
            text(Identity::new(layout, 0, 24, 16)),
            "16 shards: a power of two up to 64 that divides the 24 nodes is allowed",
        ),
        (
            text(Tunables::new(&layout, 30_000, 15_000, 10_000)),
            "a lease of 30000 ms: 30001 (twice the look-ahead and a tick) to 86400000 are allowed",
        ),
        (
            Error::StoredRow { node: 7 }.to_string(),
            "the stored row of node 7 does not fit the sequencer",
        ),
        (Error::AuthorityUnreachable.to_string(), "the authority did not answer"),
        (
            Error::Refused(Refusal::ClockDisagreement {
                authority_ms: 1_514_764_800_000,
                holder_ms: 1_514_764_789_999,
                max_ms: 10_000,
            })
            .to_string(),
            "clocks disagree by 10001 ms: authority 2018-01-01T00:00:00.000Z, holder \
             2017-12-31T23:59:49.999Z; at most 10000 ms are allowed",
        ),
        (
            Refusal::NoNodeFree { retry_in_ms: 5 }.to_string(),
            "no node is free: the first lease ends in 5 ms",
        ),
        (
            Refusal::OtherIncarnation { found: 1 }.to_string(),
            "incarnation 1 is not the sequencer's",
        ),
        (
            Refusal::OutsideLayout { now_ms: 0, epoch_ms: 1, end_ms: 2 }.to_string(),
            "the authority's clock 1970-01-01T00:00:00.000Z is outside the layout's time from \
             1970-01-01T00:00:00.001Z until 1970-01-01T00:00:00.002Z",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_token_is_not_shown_by_accident() {
    let token = Token::from_random(0xabcd);
    assert_eq!(format!("{token:?}"), "Token(..)");
}
