use alloc::string::String;

use edgeflake::Span;
use edgeflake::lease::{Batch, Counter, Grant, Refusal, Renewal, Reply, Token};

use crate::{Cause, Json, Object, Unreadable, Value, sequencer, terms};

/// Writes a reply.
#[must_use]
pub fn write_reply(reply: &Reply) -> String {
    match reply {
        Reply::Granted(grant) => {
            let mut json = Json::message("granted");
            write_grant(&mut json, grant);
            // The shard that renews the lease is written as well, because not every holder computes
            // it from the bound configuration.
            json.number_or_none("shard", grant.config.shard_of(grant.span.node()));
            json.end_message()
        }
        Reply::Renewed(Renewal { token, incarnation, until_tick, terms }) => {
            let mut json = Json::message("renewed");
            json.text("token", token);
            json.number("incarnation", *incarnation);
            json.number("until_tick", *until_tick);
            terms::write(&mut json, terms);
            json.end_message()
        }
        Reply::Released { token, incarnation } => write_lease("released", *token, *incarnation),
        Reply::Ended { token, incarnation } => write_lease("ended", *token, *incarnation),
        Reply::Batched(Batch { incarnation, config, node, from, until, terms }) => {
            let mut json = Json::message("batched");
            json.number("incarnation", *incarnation);
            sequencer::write_config(&mut json, config);
            json.number("node", *node);
            json.number("from_tick", from.tick);
            json.number("from_sequence", from.sequence);
            json.number("until_tick", until.tick);
            json.number("until_sequence", until.sequence);
            terms::write(&mut json, terms);
            json.end_message()
        }
        Reply::Described(None) => Json::message("described").end_message(),
        Reply::Described(Some(known)) => {
            let mut json = Json::message("described");
            sequencer::write(&mut json, known);
            json.end_message()
        }
        Reply::Refused { refusal, incarnation } => {
            let mut json = Json::message("refused");
            write_refused(&mut json, refusal, *incarnation);
            json.end_message()
        }
    }
}

pub(crate) fn write_grant(json: &mut Json, grant: &Grant) {
    let Grant { token, incarnation, config, span, terms } = grant;
    json.text("token", token);
    json.number("incarnation", *incarnation);
    sequencer::write_config(json, config);
    json.number("node", span.node());
    json.number("from_tick", span.from_tick());
    json.number("until_tick", span.until_tick());
    terms::write(json, terms);
}

fn write_lease(name: &str, token: Token, incarnation: u64) -> String {
    let mut json = Json::message(name);
    json.text("token", &token);
    json.number("incarnation", incarnation);
    json.end_message()
}

/// Reads a reply.
///
/// # Errors
/// [`Unreadable`].
pub fn read_reply<V: Value>(message: &V) -> Result<Reply, Unreadable> {
    if let Some(grant) = message.get("granted") {
        return read_grant(&Object(&grant)).map(Reply::Granted);
    }
    if let Some(renewal) = message.get("renewed") {
        let renewal = Object(&renewal);
        return Ok(Reply::Renewed(Renewal {
            token: renewal.parsed("token")?,
            incarnation: renewal.number("incarnation")?,
            until_tick: renewal.number("until_tick")?,
            terms: terms::read(&renewal)?,
        }));
    }
    if let Some(lease) = message.get("released") {
        let (token, incarnation) = read_lease(&Object(&lease))?;
        return Ok(Reply::Released { token, incarnation });
    }
    if let Some(lease) = message.get("ended") {
        let (token, incarnation) = read_lease(&Object(&lease))?;
        return Ok(Reply::Ended { token, incarnation });
    }
    if let Some(batch) = message.get("batched") {
        return read_batch(&Object(&batch)).map(Reply::Batched);
    }
    read_described(message)
}

/// Reads the reply to a request about a sequencer as a whole: what the shard knows of the
/// sequencer, or a refusal. This function knows no other reply.
///
/// # Errors
/// [`Unreadable`].
pub fn read_described<V: Value>(message: &V) -> Result<Reply, Unreadable> {
    if let Some(known) = message.get("described") {
        // A shard that knows no sequencer answers with an object without fields.
        let is_empty = known.get("incarnation").is_none();
        let known = if is_empty { None } else { Some(sequencer::read(&Object(&known))?) };
        return Ok(Reply::Described(known));
    }
    let refused = message.get("refused").ok_or(Cause::Unknown)?;
    read_refused(&refused)
}

fn read_lease<V: Value>(lease: &Object<'_, V>) -> Result<(Token, u64), Unreadable> {
    Ok((lease.parsed("token")?, lease.number("incarnation")?))
}

pub(crate) fn read_grant<V: Value>(grant: &Object<'_, V>) -> Result<Grant, Unreadable> {
    let config = sequencer::read_config(grant)?;
    let (node, from_tick) = (grant.number("node")?, grant.number("from_tick")?);
    let span = Span::new(config.layout(), node, from_tick, grant.number("until_tick")?)
        .map_err(|error| Unreadable::value("until_tick", error.into()))?;
    let (token, incarnation) = read_lease(grant)?;
    Ok(Grant { token, incarnation, config, span, terms: terms::read(grant)? })
}

fn read_batch<V: Value>(batch: &Object<'_, V>) -> Result<Batch, Unreadable> {
    Ok(Batch {
        incarnation: batch.number("incarnation")?,
        config: sequencer::read_config(batch)?,
        node: batch.number("node")?,
        from: Counter {
            tick: batch.number("from_tick")?,
            sequence: batch.number("from_sequence")?,
        },
        until: Counter {
            tick: batch.number("until_tick")?,
            sequence: batch.number("until_sequence")?,
        },
        terms: terms::read(batch)?,
    })
}

/// Writes and reads refusals. A refusal is an object with its name and its own fields.
macro_rules! refusals {
    ($($variant:ident $name:literal { $($field:ident),* })+) => {
        /// Writes the fields of a refusal.
        pub fn write_refused(json: &mut Json, refusal: &Refusal, incarnation: u64) {
            match *refusal {
                $(Refusal::$variant { $($field),* } => {
                    json.text("refusal", &$name);
                    $(json.number(stringify!($field), $field);)*
                })+
            }
            json.number("incarnation", incarnation);
        }

        /// Reads the fields of a refusal, and returns it as a reply.
        ///
        /// # Errors
        /// [`Unreadable`].
        pub fn read_refused<V: Value>(refused: &V) -> Result<Reply, Unreadable> {
            let refused = Object(refused);
            let name = refused.text_or_none("refusal")?;
            let refusal = match name.as_deref() {
                $(Some($name) => {
                    Refusal::$variant { $($field: refused.number(stringify!($field))?),* }
                })+
                _ => {
                    let expected = "a refusal of version 1";
                    return Err(Unreadable::field("refusal", expected));
                }
            };
            Ok(Reply::Refused { refusal, incarnation: refused.number("incarnation")? })
        }
    };
}

refusals! {
    ClockDisagreement "clock-disagreement" { authority_ms, holder_ms, max_ms }
    NoNodeFree "no-node-free" { retry_in_ms }
    BatchesExhausted "batches-exhausted" { retry_in_ms }
    Overloaded "overloaded" { retry_in_ms }
    OtherIncarnation "other-incarnation" { found }
    OutsideLayout "outside-layout" { now_ms, epoch_ms, end_ms }
    UnknownSequencer "unknown-sequencer" {}
    SequencerDestroyed "sequencer-destroyed" {}
    OtherTimestamp "other-timestamp" {}
    SpansNotEnded "spans-not-ended" { retry_in_ms }
    UnsuitableSettings "unsuitable-settings" {}
    OtherShard "other-shard" { shard }
    NodesInUse "nodes-in-use" { node_count_min }
    Unreadable "authority-unreadable" {}
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use edgeflake::lease::BoundConfig;
    use edgeflake::lease::{Life, Sequencer, Terms};
    use edgeflake::{SequenceStart, preset};

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn read(text: &str) -> Result<Reply, Unreadable> {
        read_reply(&serde_json::from_str::<serde_json::Value>(text).unwrap())
    }

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    fn config() -> BoundConfig {
        BoundConfig::new(preset::HAZELCAST, 0, 65_536, 1).unwrap()
    }

    fn grant(terms: Terms) -> Reply {
        let span = Span::new(config().layout(), 7, 265_235_200_000, 265_235_500_000).unwrap();
        Reply::Granted(Grant { token: token(), incarnation: 1, config: config(), span, terms })
    }

    fn renewal(terms: Terms) -> Reply {
        let until_tick = 265_235_650_000;
        Reply::Renewed(Renewal { token: token(), incarnation: 1, until_tick, terms })
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one entry a reply")]
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
                r#"{"refused":{"refusal":"authority-unreadable","incarnation":1}}"#,
                refused(Refusal::Unreadable),
            ),
        ] {
            assert_eq!(write_reply(&reply), text);
            assert_eq!(read(text), Ok(reply));
            let is_of_sequencer = matches!(reply, Reply::Described(_) | Reply::Refused { .. });
            let described =
                read_described(&serde_json::from_str::<serde_json::Value>(text).unwrap());
            let expected = if is_of_sequencer { Ok(reply) } else { Err(Cause::Unknown.into()) };
            assert_eq!(described, expected, "{text}");
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
}
