use edgeflake::Span;
use edgeflake::lease::{Batch, BoundConfig, Counter, Grant, Record, Refusal, Renewal, Reply};

use crate::fields::{Fields, described, fields, messages, variants};
use crate::json::Json;
use crate::value::{Unreadable, Value};

messages! {
    Reply {
        // The reply names the shard, because not every holder can compute the shard from the bound
        // configuration.
        "granted" Granted(grant),
            /// The shard that renews the lease.
            shard = grant.config.shard_of(grant.span.node());
        "renewed" Renewed(renewal);
        "released" Released { token, incarnation };
        "ended" Ended { token, incarnation };
        "batched" Batched(batch);
        "described" Described(sequencer);
        "refused" Refused { ..refusal, incarnation };
    }
}

messages! {
    Record {
        "leased" { ..grant, reserved_tick };
    }
}

fields! {
    Grant { token, incarnation, ..(config, span), ..terms }
    Renewal { token, incarnation, until_tick, ..terms }
    Batch { incarnation, ..config, node, ..(from, until), ..terms }
    Ticks {
        node, from_tick,
        /// The first tick after the span.
        until_tick
    }
    Interval {
        from_tick, from_sequence,
        /// With `until_sequence`: the first counter after the batch.
        until_tick,
        until_sequence
    }
}

described!((BoundConfig, Span) as BoundConfig, Ticks);
described!((Counter, Counter) as Interval);

/// The fields of a span.
struct Ticks {
    node: u64,
    from_tick: u64,
    until_tick: u64,
}

/// The fields of the first counter of a batch, and of the first counter after the batch.
struct Interval {
    from_tick: u64,
    from_sequence: u64,
    until_tick: u64,
    until_sequence: u64,
}

/// Reads a span together with its bound configuration, because the layout must check the span.
impl Fields for (BoundConfig, Span) {
    fn write(&self, json: &mut Json) {
        let (config, span) = self;
        config.write(json);
        let (node, from_tick, until_tick) = (span.node(), span.from_tick(), span.until_tick());
        Ticks { node, from_tick, until_tick }.write(json);
    }

    fn read<V: Value>(object: &V) -> Result<Self, Unreadable> {
        let config = BoundConfig::read(object)?;
        let Ticks { node, from_tick, until_tick } = Ticks::read(object)?;
        let span = Span::new(config.layout(), node, from_tick, until_tick)
            .map_err(|error| Unreadable::value("until_tick", error.into()))?;
        Ok((config, span))
    }
}

impl Fields for (Counter, Counter) {
    fn write(&self, json: &mut Json) {
        let (Counter { tick: from_tick, sequence: from_sequence }, until) = *self;
        let Counter { tick: until_tick, sequence: until_sequence } = until;
        Interval { from_tick, from_sequence, until_tick, until_sequence }.write(json);
    }

    fn read<V: Value>(object: &V) -> Result<Self, Unreadable> {
        let interval = Interval::read(object)?;
        let from = Counter { tick: interval.from_tick, sequence: interval.from_sequence };
        let until = Counter { tick: interval.until_tick, sequence: interval.until_sequence };
        Ok((from, until))
    }
}

variants! {
    Refusal, "refusal" is "a known refusal" {
        "clock-disagreement" ClockDisagreement { authority_ms, holder_ms, max_ms };
        "no-node-free" NoNodeFree { retry_in_ms };
        "batches-exhausted" BatchesExhausted { retry_in_ms };
        "overloaded" Overloaded { retry_in_ms };
        "other-incarnation" OtherIncarnation { found };
        "outside-layout" OutsideLayout { now_ms, epoch_ms, end_ms };
        "unknown-sequencer" UnknownSequencer;
        "sequencer-destroyed" SequencerDestroyed;
        "other-timestamp" OtherTimestamp;
        "spans-not-ended" SpansNotEnded { retry_in_ms };
        "unsuitable-settings" UnsuitableSettings;
        "other-shard" OtherShard { shard };
        "nodes-in-use" NodesInUse { node_count_min };
        "authority-unreadable" Unreadable;
        "invalid-configuration" InvalidConfiguration;
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::{Cause, write};
    use edgeflake::lease::{Life, Sequencer, Terms, Token};
    use edgeflake::{SequenceStart, preset};

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn read_record(text: &str) -> Result<Record, Unreadable> {
        crate::read(&serde_json::from_str::<serde_json::Value>(text).unwrap())
    }

    fn read(text: &str) -> Result<Reply, Unreadable> {
        crate::read(&serde_json::from_str::<serde_json::Value>(text).unwrap())
    }

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    fn config() -> BoundConfig {
        BoundConfig::new(preset::HAZELCAST, 0, 65_536, 1).unwrap()
    }

    fn grant(terms: Terms) -> Reply {
        let span = Span::new(config().layout(), 7, 265_235_200_000, 265_235_500_000).unwrap();
        Reply::Granted(Grant::new(token(), 1, config(), span, terms))
    }

    fn renewal(terms: Terms) -> Reply {
        let until_tick = 265_235_650_000;
        Reply::Renewed(Renewal { token: token(), incarnation: 1, until_tick, terms })
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one entry per reply")]
    fn replies_of_version_1() {
        let random = SequenceStart::Random { max: 9 };
        let terms = Terms { sequence_start: random, gap_max: 3, ..Terms::default() };
        let destroyed = Life::Destroyed { until_tick: 265_235_500_000 };
        let refused = |refusal| Reply::Refused { refusal, incarnation: 1 };
        for (text, reply) in [
            (
                r#"{"granted":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"random","sequence_start_max":9,"gap_max":3,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":true},"shard":0}}"#,
                grant(terms),
            ),
            (
                r#"{"renewed":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"until_tick":265235650000,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"zero","gap_max":0,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":true}}}"#,
                renewal(Terms::default()),
            ),
            (
                r#"{"released":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1}}"#,
                Reply::Released { token: token(), incarnation: 1 },
            ),
            (
                r#"{"ended":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1}}"#,
                Reply::Ended { token: token(), incarnation: 1 },
            ),
            (
                r#"{"batched":{"incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":0,"from_tick":265235200000,"from_sequence":60,"until_tick":265235200002,"until_sequence":32,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"rotating","gap_max":0,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":false}}}"#,
                Reply::Batched(Batch {
                    incarnation: 1,
                    config: config(),
                    node: 0,
                    from: Counter { tick: 265_235_200_000, sequence: 60 },
                    until: Counter { tick: 265_235_200_002, sequence: 32 },
                    terms: Terms {
                        sequence_start: SequenceStart::Rotating,
                        statistics: false,
                        ..Terms::default()
                    },
                }),
            ),
            (r#"{"described":{}}"#, Reply::Described(None)),
            (
                r#"{"described":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"incarnation":1,"from_tick":0,"life":"active"}}"#,
                Reply::Described(Some(Sequencer::new(config()))),
            ),
            (
                r#"{"described":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"incarnation":1,"from_tick":0,"life":"destroyed","until_tick":265235500000}}"#,
                Reply::Described(Some(Sequencer { life: destroyed, ..Sequencer::new(config()) })),
            ),
            (
                r#"{"refused":{"refusal":"clock-disagreement","authority_ms":5,"holder_ms":10006,"max_ms":10000,"incarnation":1}}"#,
                refused(Refusal::ClockDisagreement {
                    authority_ms: 5,
                    holder_ms: 10_006,
                    max_ms: 10_000,
                }),
            ),
            (
                r#"{"refused":{"refusal":"no-node-free","retry_in_ms":150000,"incarnation":1}}"#,
                refused(Refusal::NoNodeFree { retry_in_ms: 150_000 }),
            ),
            (
                r#"{"refused":{"refusal":"batches-exhausted","retry_in_ms":5,"incarnation":1}}"#,
                refused(Refusal::BatchesExhausted { retry_in_ms: 5 }),
            ),
            (
                r#"{"refused":{"refusal":"overloaded","retry_in_ms":1900,"incarnation":1}}"#,
                refused(Refusal::Overloaded { retry_in_ms: 1_900 }),
            ),
            (
                r#"{"refused":{"refusal":"other-incarnation","found":1,"incarnation":1}}"#,
                refused(Refusal::OtherIncarnation { found: 1 }),
            ),
            (
                r#"{"refused":{"refusal":"outside-layout","now_ms":0,"epoch_ms":1,"end_ms":2,"incarnation":1}}"#,
                refused(Refusal::OutsideLayout { now_ms: 0, epoch_ms: 1, end_ms: 2 }),
            ),
            (
                r#"{"refused":{"refusal":"unknown-sequencer","incarnation":1}}"#,
                refused(Refusal::UnknownSequencer),
            ),
            (
                r#"{"refused":{"refusal":"sequencer-destroyed","incarnation":1}}"#,
                refused(Refusal::SequencerDestroyed),
            ),
            (
                r#"{"refused":{"refusal":"other-timestamp","incarnation":1}}"#,
                refused(Refusal::OtherTimestamp),
            ),
            (
                r#"{"refused":{"refusal":"spans-not-ended","retry_in_ms":7,"incarnation":1}}"#,
                refused(Refusal::SpansNotEnded { retry_in_ms: 7 }),
            ),
            (
                r#"{"refused":{"refusal":"unsuitable-settings","incarnation":1}}"#,
                refused(Refusal::UnsuitableSettings),
            ),
            (
                r#"{"refused":{"refusal":"other-shard","shard":3,"incarnation":1}}"#,
                refused(Refusal::OtherShard { shard: 3 }),
            ),
            (
                r#"{"refused":{"refusal":"nodes-in-use","node_count_min":3,"incarnation":1}}"#,
                refused(Refusal::NodesInUse { node_count_min: 3 }),
            ),
            (
                r#"{"refused":{"refusal":"invalid-configuration","incarnation":1}}"#,
                refused(Refusal::InvalidConfiguration),
            ),
            (
                r#"{"refused":{"refusal":"authority-unreadable","incarnation":1}}"#,
                refused(Refusal::Unreadable),
            ),
        ] {
            crate::schema::check::<Reply>(text);
            assert_eq!(write(&reply), text);
            assert_eq!(read(text), Ok(reply));
        }
    }

    #[test]
    fn what_version_1_had_from_its_start_is_enough() {
        for (text, reply) in [
            (
                r#"{"granted":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000}}"#,
                grant(Terms::default()),
            ),
            (
                r#"{"renewed":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"until_tick":265235650000,"lease_ms":300000,"allowed_future_ms":15000}}"#,
                renewal(Terms::default()),
            ),
        ] {
            assert_eq!(read(text), Ok(reply));
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let granted = |node: u64, from_tick: u64, until_tick: u64| {
            format!(
                r#"{{"granted":{{"token":"{TOKEN}","incarnation":1,"layout":"timestamp:41 sequence:6 node:16 @0","first_node":0,"node_count":65536,"shards":1,"node":{node},"from_tick":{from_tick},"until_tick":{until_tick},"lease_ms":300000,"allowed_future_ms":15000}}}}"#
            )
        };
        assert!(read(&granted(65_535, 1, 1 << 41)).is_ok());
        assert!(read(&granted(65_536, 1, 2)).is_err());
        assert!(read(&granted(1, 2, 2)).is_err());
        assert!(read(&granted(1, 2, (1 << 41) + 1)).is_err());
    }

    #[test]
    fn a_record_of_version_1() {
        let config = BoundConfig::new(preset::HAZELCAST, 0, 65_536, 1).unwrap();
        let span = Span::new(config.layout(), 7, 265_235_200_000, 265_235_500_000).unwrap();
        let token = Token::from_random(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);
        let record = Record {
            grant: Grant::new(token, 1, config, span, Terms::default()),
            reserved_tick: 265_235_201_000,
        };
        let text = r#"{"leased":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"zero","gap_max":0,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":true},"reserved_tick":265235201000}}"#;
        assert_eq!(write(&record), text);
        assert_eq!(read_record(text), Ok(record));
        // Without the reserved tick, a process could issue ids of the lease a second time.
        let part = text.replace(r#","reserved_tick":265235201000"#, "");
        let cause = *read_record(&part).unwrap_err();
        assert!(matches!(cause, Cause::Field { name: "reserved_tick", .. }));
        assert_eq!(read_record(&text.replace("leased", "granted")), Err(Cause::Unknown.into()));
    }
}
