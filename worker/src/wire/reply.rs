use edgeflake::{
    Batch, Counter, Error, Grant, Identity, Layout, Refusal, Renewal, Reply, SequenceStart, Span,
    Terms, Token,
};
use serde::{Deserialize, Serialize};

use super::sequencer::{IdentityV1, SequencerV1};
use super::text::Text;

/// The tunables of a holder that version 1 did not have from its start.
#[derive(Serialize, Deserialize)]
struct TermsV1 {
    sequence_start: SequenceStartV1,
    gap_max: u64,
    prefetch_count: u64,
    prefetch_validity_ms: u64,
    statistics: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SequenceStartV1 {
    Zero,
    Random { max: u64 },
    Rotating,
}

impl From<&Terms> for TermsV1 {
    fn from(terms: &Terms) -> Self {
        Self {
            sequence_start: match terms.sequence_start {
                SequenceStart::Zero => SequenceStartV1::Zero,
                SequenceStart::Random { max } => SequenceStartV1::Random { max },
                SequenceStart::Rotating => SequenceStartV1::Rotating,
            },
            gap_max: terms.gap_max,
            prefetch_count: terms.prefetch_count,
            prefetch_validity_ms: terms.prefetch_validity_ms,
            statistics: terms.statistics,
        }
    }
}

fn terms(lease_ms: u64, allowed_future_ms: u64, message: Option<&TermsV1>) -> Terms {
    let terms = Terms { lease_ms, allowed_future_ms, ..Terms::default() };
    let Some(message) = message else { return terms };
    Terms {
        sequence_start: match message.sequence_start {
            SequenceStartV1::Zero => SequenceStart::Zero,
            SequenceStartV1::Random { max } => SequenceStart::Random { max },
            SequenceStartV1::Rotating => SequenceStart::Rotating,
        },
        gap_max: message.gap_max,
        prefetch_count: message.prefetch_count,
        prefetch_validity_ms: message.prefetch_validity_ms,
        statistics: message.statistics,
        ..terms
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct GrantedV1 {
    token: Text<Token>,
    incarnation: u64,
    layout: Text<Layout>,
    first_node: u64,
    node_count: u64,
    shards: u64,
    node: u64,
    from_tick: u64,
    until_tick: u64,
    lease_ms: u64,
    allowed_future_ms: u64,
    #[serde(default)]
    terms: Option<TermsV1>,
    /// Which shard renews the lease; follows from the identity.
    #[serde(default)]
    shard: u64,
}

impl From<&Grant> for GrantedV1 {
    fn from(grant: &Grant) -> Self {
        let IdentityV1 { layout, first_node, node_count, shards } = (&grant.identity).into();
        Self {
            token: Text(grant.token),
            incarnation: grant.incarnation,
            layout,
            first_node,
            node_count,
            shards,
            node: grant.span.node(),
            from_tick: grant.span.from_tick(),
            until_tick: grant.span.until_tick(),
            lease_ms: grant.terms.lease_ms,
            allowed_future_ms: grant.terms.allowed_future_ms,
            terms: Some((&grant.terms).into()),
            shard: grant.identity.shard_of(grant.span.node()).unwrap_or(0),
        }
    }
}

impl TryFrom<GrantedV1> for Grant {
    type Error = Error;

    fn try_from(message: GrantedV1) -> Result<Self, Error> {
        let GrantedV1 { layout, first_node, node_count, shards, .. } = message;
        let identity = Identity::new(layout.0, first_node, node_count, shards)?;
        let (from_tick, until_tick) = (message.from_tick, message.until_tick);
        Ok(Self {
            token: message.token.0,
            incarnation: message.incarnation,
            identity,
            span: Span::new(identity.layout(), message.node, from_tick, until_tick)?,
            terms: terms(message.lease_ms, message.allowed_future_ms, message.terms.as_ref()),
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct RenewedV1 {
    token: Text<Token>,
    incarnation: u64,
    until_tick: u64,
    lease_ms: u64,
    allowed_future_ms: u64,
    #[serde(default)]
    terms: Option<TermsV1>,
}

impl From<&Renewal> for RenewedV1 {
    fn from(renewal: &Renewal) -> Self {
        Self {
            token: Text(renewal.token),
            incarnation: renewal.incarnation,
            until_tick: renewal.until_tick,
            lease_ms: renewal.terms.lease_ms,
            allowed_future_ms: renewal.terms.allowed_future_ms,
            terms: Some((&renewal.terms).into()),
        }
    }
}

impl From<RenewedV1> for Renewal {
    fn from(message: RenewedV1) -> Self {
        Self {
            token: message.token.0,
            incarnation: message.incarnation,
            until_tick: message.until_tick,
            terms: terms(message.lease_ms, message.allowed_future_ms, message.terms.as_ref()),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct CounterV1 {
    tick: u64,
    sequence: u64,
}

impl From<Counter> for CounterV1 {
    fn from(Counter { tick, sequence }: Counter) -> Self {
        Self { tick, sequence }
    }
}

impl From<CounterV1> for Counter {
    fn from(CounterV1 { tick, sequence }: CounterV1) -> Self {
        Self { tick, sequence }
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct BatchedV1 {
    incarnation: u64,
    identity: IdentityV1,
    node: u64,
    from: CounterV1,
    until: CounterV1,
    lease_ms: u64,
    allowed_future_ms: u64,
    #[serde(default)]
    terms: Option<TermsV1>,
}

impl From<&Batch> for BatchedV1 {
    fn from(batch: &Batch) -> Self {
        Self {
            incarnation: batch.incarnation,
            identity: (&batch.identity).into(),
            node: batch.node,
            from: batch.from.into(),
            until: batch.until.into(),
            lease_ms: batch.terms.lease_ms,
            allowed_future_ms: batch.terms.allowed_future_ms,
            terms: Some((&batch.terms).into()),
        }
    }
}

impl TryFrom<BatchedV1> for Batch {
    type Error = Error;

    fn try_from(message: BatchedV1) -> Result<Self, Error> {
        Ok(Self {
            incarnation: message.incarnation,
            identity: message.identity.try_into()?,
            node: message.node,
            from: message.from.into(),
            until: message.until.into(),
            terms: terms(message.lease_ms, message.allowed_future_ms, message.terms.as_ref()),
        })
    }
}

/// A reply that names the lease, and nothing else.
#[derive(Serialize, Deserialize)]
pub(crate) struct LeaseV1 {
    token: Text<Token>,
    incarnation: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RefusalV1 {
    ClockDisagreement { authority_ms: u64, holder_ms: u64, max_ms: u64 },
    NoNodeFree { retry_in_ms: u64 },
    BatchesExhausted { retry_in_ms: u64 },
    Overloaded { retry_in_ms: u64 },
    OtherIncarnation { found: u64 },
    OutsideLayout { now_ms: u64, epoch_ms: u64, end_ms: u64 },
    UnknownSequencer {},
    SequencerDestroyed {},
    OtherTimestamp {},
    SpansNotEnded { retry_in_ms: u64 },
    UnsuitableTunables {},
    OtherShard { shard: u64 },
}

/// The wire's form of a refusal has the fields of the core's, one for one, in both directions.
macro_rules! refusals {
    ($($name:ident { $($field:ident),* }),+ $(,)?) => {
        impl From<Refusal> for RefusalV1 {
            fn from(refusal: Refusal) -> Self {
                match refusal {
                    $(Refusal::$name { $($field),* } => Self::$name { $($field),* }),+
                }
            }
        }
        impl From<RefusalV1> for Refusal {
            fn from(refusal: RefusalV1) -> Self {
                match refusal {
                    $(RefusalV1::$name { $($field),* } => Self::$name { $($field),* }),+
                }
            }
        }
    };
}

refusals! {
    ClockDisagreement { authority_ms, holder_ms, max_ms },
    NoNodeFree { retry_in_ms },
    BatchesExhausted { retry_in_ms },
    Overloaded { retry_in_ms },
    OtherIncarnation { found },
    OutsideLayout { now_ms, epoch_ms, end_ms },
    UnknownSequencer {},
    SequencerDestroyed {},
    OtherTimestamp {},
    SpansNotEnded { retry_in_ms },
    UnsuitableTunables {},
    OtherShard { shard },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReplyV1 {
    Granted(GrantedV1),
    Renewed(RenewedV1),
    Released(LeaseV1),
    Ended(LeaseV1),
    Batched(BatchedV1),
    Described(Option<SequencerV1>),
    Refused(RefusedV1),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RefusedV1 {
    refusal: RefusalV1,
    incarnation: u64,
}

impl RefusedV1 {
    pub(crate) fn new(refusal: Refusal, incarnation: u64) -> Self {
        Self { refusal: refusal.into(), incarnation }
    }
}

impl From<&Reply> for ReplyV1 {
    fn from(reply: &Reply) -> Self {
        match *reply {
            Reply::Granted(ref grant) => Self::Granted(grant.into()),
            Reply::Renewed(ref renewal) => Self::Renewed(renewal.into()),
            Reply::Released { token, incarnation } => {
                Self::Released(LeaseV1 { token: Text(token), incarnation })
            }
            Reply::Ended { token, incarnation } => {
                Self::Ended(LeaseV1 { token: Text(token), incarnation })
            }
            Reply::Batched(ref batch) => Self::Batched(batch.into()),
            Reply::Described(ref sequencer) => {
                Self::Described(sequencer.as_ref().map(SequencerV1::from))
            }
            Reply::Refused { refusal, incarnation } => {
                Self::Refused(RefusedV1::new(refusal, incarnation))
            }
        }
    }
}

impl TryFrom<ReplyV1> for Reply {
    type Error = Error;

    fn try_from(message: ReplyV1) -> Result<Self, Error> {
        Ok(match message {
            ReplyV1::Granted(grant) => Self::Granted(grant.try_into()?),
            ReplyV1::Renewed(renewal) => Self::Renewed(renewal.into()),
            ReplyV1::Released(LeaseV1 { token, incarnation }) => {
                Self::Released { token: token.0, incarnation }
            }
            ReplyV1::Ended(LeaseV1 { token, incarnation }) => {
                Self::Ended { token: token.0, incarnation }
            }
            ReplyV1::Batched(batch) => Self::Batched(batch.try_into()?),
            ReplyV1::Described(sequencer) => {
                Self::Described(sequencer.map(TryInto::try_into).transpose()?)
            }
            ReplyV1::Refused(RefusedV1 { refusal, incarnation }) => {
                Self::Refused { refusal: refusal.into(), incarnation }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read_reply, write_reply};
    use super::*;
    use edgeflake::{Life, Sequencer, preset};

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    fn identity() -> Identity {
        Identity::new(preset::HAZELCAST, 0, 65_536, 1).unwrap()
    }

    fn grant(terms: Terms) -> Reply {
        let span = Span::new(identity().layout(), 7, 265_235_200_000, 265_235_500_000).unwrap();
        Reply::Granted(Grant { token: token(), incarnation: 1, identity: identity(), span, terms })
    }

    fn renewal(terms: Terms) -> Reply {
        let until_tick = 265_235_650_000;
        Reply::Renewed(Renewal { token: token(), incarnation: 1, until_tick, terms })
    }

    #[test]
    fn replies_of_version_1() {
        let random = SequenceStart::Random { max: 9 };
        let terms = Terms { sequence_start: random, gap_max: 3, ..Terms::default() };
        let destroyed = Life::Destroyed { until_tick: 265_235_500_000 };
        let refused = |refusal| Reply::Refused { refusal, incarnation: 1 };
        for (text, reply) in [
            (
                r#"{"granted":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":{"random":{"max":9}},"gap_max":3,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":true},"shard":0}}"#,
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
                r#"{"batched":{"incarnation":1,"identity":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1},"node":0,"from":{"tick":265235200000,"sequence":60},"until":{"tick":265235200002,"sequence":32},"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"rotating","gap_max":0,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":false}}}"#,
                Reply::Batched(Batch {
                    incarnation: 1,
                    identity: identity(),
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
            (r#"{"described":null}"#, Reply::Described(None)),
            (
                r#"{"described":{"identity":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1},"incarnation":1,"from_tick":0,"life":"active"}}"#,
                Reply::Described(Some(Sequencer::new(identity()))),
            ),
            (
                r#"{"described":{"identity":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1},"incarnation":1,"from_tick":0,"life":{"destroyed":{"until_tick":265235500000}}}}"#,
                Reply::Described(Some(Sequencer { life: destroyed, ..Sequencer::new(identity()) })),
            ),
            (
                r#"{"refused":{"refusal":{"clock-disagreement":{"authority_ms":5,"holder_ms":10006,"max_ms":10000}},"incarnation":1}}"#,
                refused(Refusal::ClockDisagreement {
                    authority_ms: 5,
                    holder_ms: 10_006,
                    max_ms: 10_000,
                }),
            ),
            (
                r#"{"refused":{"refusal":{"no-node-free":{"retry_in_ms":150000}},"incarnation":1}}"#,
                refused(Refusal::NoNodeFree { retry_in_ms: 150_000 }),
            ),
            (
                r#"{"refused":{"refusal":{"batches-exhausted":{"retry_in_ms":5}},"incarnation":1}}"#,
                refused(Refusal::BatchesExhausted { retry_in_ms: 5 }),
            ),
            (
                r#"{"refused":{"refusal":{"overloaded":{"retry_in_ms":1900}},"incarnation":1}}"#,
                refused(Refusal::Overloaded { retry_in_ms: 1_900 }),
            ),
            (
                r#"{"refused":{"refusal":{"other-incarnation":{"found":1}},"incarnation":1}}"#,
                refused(Refusal::OtherIncarnation { found: 1 }),
            ),
            (
                r#"{"refused":{"refusal":{"outside-layout":{"now_ms":0,"epoch_ms":1,"end_ms":2}},"incarnation":1}}"#,
                refused(Refusal::OutsideLayout { now_ms: 0, epoch_ms: 1, end_ms: 2 }),
            ),
            (
                r#"{"refused":{"refusal":{"unknown-sequencer":{}},"incarnation":1}}"#,
                refused(Refusal::UnknownSequencer),
            ),
            (
                r#"{"refused":{"refusal":{"sequencer-destroyed":{}},"incarnation":1}}"#,
                refused(Refusal::SequencerDestroyed),
            ),
            (
                r#"{"refused":{"refusal":{"other-timestamp":{}},"incarnation":1}}"#,
                refused(Refusal::OtherTimestamp),
            ),
            (
                r#"{"refused":{"refusal":{"spans-not-ended":{"retry_in_ms":7}},"incarnation":1}}"#,
                refused(Refusal::SpansNotEnded { retry_in_ms: 7 }),
            ),
            (
                r#"{"refused":{"refusal":{"unsuitable-tunables":{}},"incarnation":1}}"#,
                refused(Refusal::UnsuitableTunables),
            ),
            (
                r#"{"refused":{"refusal":{"other-shard":{"shard":3}},"incarnation":1}}"#,
                refused(Refusal::OtherShard { shard: 3 }),
            ),
        ] {
            assert_eq!(write_reply(&reply).unwrap(), text);
            assert_eq!(read_reply(text).unwrap(), reply);
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
            assert_eq!(read_reply(text).unwrap(), reply);
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let granted = |node: u64, from_tick: u64, until_tick: u64| {
            format!(
                r#"{{"granted":{{"token":"{TOKEN}","incarnation":1,"layout":"timestamp:41 sequence:6 node:16 @0","first_node":0,"node_count":65536,"shards":1,"node":{node},"from_tick":{from_tick},"until_tick":{until_tick},"lease_ms":300000,"allowed_future_ms":15000}}}}"#
            )
        };
        assert!(read_reply(&granted(65_535, 1, 1 << 41)).is_ok());
        assert!(read_reply(&granted(65_536, 1, 2)).is_err());
        assert!(read_reply(&granted(1, 2, 2)).is_err());
        assert!(read_reply(&granted(1, 2, (1 << 41) + 1)).is_err());
    }
}
