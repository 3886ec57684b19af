use edgeflake::{Acquire, Confirm, Error, Prefetch, Release, Renew, Request, Token};
use serde::{Deserialize, Serialize};

use super::sequencer::{IdentityV1, SequencerV1};
use super::text::Text;

/// The wire's form of a request has the fields of the core's, one for one, in both directions.
macro_rules! requests {
    ($($name:ident for $core:ident {
        $($(#[$attribute:meta])* $field:ident: $type:ty),+ $(,)?
    })+) => {
        $(
            #[derive(Serialize, Deserialize)]
            pub(crate) struct $name {
                pub(crate) token: Text<Token>,
                $($(#[$attribute])* pub(crate) $field: $type),+
            }

            impl From<&$core> for $name {
                fn from(request: &$core) -> Self {
                    Self { token: Text(request.token), $($field: request.$field),+ }
                }
            }

            impl From<$name> for $core {
                fn from(message: $name) -> Self {
                    Self { token: message.token.0, $($field: message.$field),+ }
                }
            }
        )+
    };
}

requests! {
    AcquireV1 for Acquire {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incarnation: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        excluded_node: Option<u64>,
        now_ms: u64,
    }
    RenewV1 for Renew {
        incarnation: u64,
        node: u64,
        tick: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issued: Option<u64>,
        now_ms: u64,
    }
    ReleaseV1 for Release {
        incarnation: u64,
        node: u64,
        until_tick: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issued: Option<u64>,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PrefetchV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    incarnation: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    now_ms: u64,
}

impl From<PrefetchV1> for Prefetch {
    fn from(PrefetchV1 { incarnation, count, now_ms }: PrefetchV1) -> Self {
        Self { incarnation, count, now_ms }
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ConfirmV1 {
    incarnation: u64,
    shard: u64,
    until_tick: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RequestV1 {
    Acquire(AcquireV1),
    Renew(RenewV1),
    Release(ReleaseV1),
    Prefetch(PrefetchV1),
    Describe,
    Create(IdentityV1),
    Destroy,
    Follow(SequencerV1),
    Confirm(ConfirmV1),
}

impl From<&Request> for RequestV1 {
    fn from(request: &Request) -> Self {
        match request {
            Request::Acquire(acquire) => Self::Acquire(acquire.into()),
            Request::Renew(renew) => Self::Renew(renew.into()),
            Request::Release(release) => Self::Release(release.into()),
            &Request::Prefetch(Prefetch { incarnation, count, now_ms }) => {
                Self::Prefetch(PrefetchV1 { incarnation, count, now_ms })
            }
            Request::Describe => Self::Describe,
            Request::Create(identity) => Self::Create(identity.into()),
            Request::Destroy => Self::Destroy,
            Request::Follow(sequencer) => Self::Follow(sequencer.into()),
            &Request::Confirm(Confirm { incarnation, shard, until_tick }) => {
                Self::Confirm(ConfirmV1 { incarnation, shard, until_tick })
            }
        }
    }
}

impl TryFrom<RequestV1> for Request {
    type Error = Error;

    fn try_from(message: RequestV1) -> Result<Self, Error> {
        Ok(match message {
            RequestV1::Acquire(acquire) => Self::Acquire(acquire.into()),
            RequestV1::Renew(renew) => Self::Renew(renew.into()),
            RequestV1::Release(release) => Self::Release(release.into()),
            RequestV1::Prefetch(prefetch) => Self::Prefetch(prefetch.into()),
            RequestV1::Describe => Self::Describe,
            RequestV1::Create(identity) => Self::Create(identity.try_into()?),
            RequestV1::Destroy => Self::Destroy,
            RequestV1::Follow(sequencer) => Self::Follow(sequencer.try_into()?),
            RequestV1::Confirm(ConfirmV1 { incarnation, shard, until_tick }) => {
                Self::Confirm(Confirm { incarnation, shard, until_tick })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read_request, write_request};
    use edgeflake::{
        Acquire, Confirm, Identity, Life, Prefetch, Release, Renew, Request, Sequencer, Token,
        preset,
    };

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    fn identity() -> Identity {
        Identity::new(preset::HAZELCAST, 0, 65_536, 4).unwrap()
    }

    #[test]
    fn requests_of_version_1() {
        let destroying = Sequencer {
            life: Life::Destroying { confirmed: 1, until_tick: 265_235_500_000 },
            ..Sequencer::new(identity())
        };
        for (text, request) in [
            (
                r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":1780000000000}}"#,
                Request::Acquire(Acquire {
                    token: token(),
                    incarnation: None,
                    excluded_node: None,
                    now_ms: 1_780_000_000_000,
                }),
            ),
            (
                r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":2,"excluded_node":7,"now_ms":1780000000000}}"#,
                Request::Acquire(Acquire {
                    token: token(),
                    incarnation: Some(2),
                    excluded_node: Some(7),
                    now_ms: 1_780_000_000_000,
                }),
            ),
            (
                r#"{"renew":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":2,"node":7,"tick":265235200150,"now_ms":1780000000000}}"#,
                Request::Renew(Renew {
                    token: token(),
                    incarnation: 2,
                    node: 7,
                    tick: 265_235_200_150,
                    issued: None,
                    now_ms: 1_780_000_000_000,
                }),
            ),
            (
                r#"{"renew":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":2,"node":7,"tick":265235200150,"issued":9000,"now_ms":1780000000000}}"#,
                Request::Renew(Renew {
                    token: token(),
                    incarnation: 2,
                    node: 7,
                    tick: 265_235_200_150,
                    issued: Some(9_000),
                    now_ms: 1_780_000_000_000,
                }),
            ),
            (
                r#"{"release":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":2,"node":7,"until_tick":265235200150,"issued":9000}}"#,
                Request::Release(Release {
                    token: token(),
                    incarnation: 2,
                    node: 7,
                    until_tick: 265_235_200_150,
                    issued: Some(9_000),
                }),
            ),
            (
                r#"{"prefetch":{"incarnation":2,"count":100,"now_ms":1780000000000}}"#,
                Request::Prefetch(Prefetch {
                    incarnation: Some(2),
                    count: Some(100),
                    now_ms: 1_780_000_000_000,
                }),
            ),
            (r#""describe""#, Request::Describe),
            (
                r#"{"create":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":4}}"#,
                Request::Create(identity()),
            ),
            (r#""destroy""#, Request::Destroy),
            (
                r#"{"follow":{"identity":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":4},"incarnation":1,"from_tick":0,"life":{"destroying":{"confirmed":1,"until_tick":265235500000}}}}"#,
                Request::Follow(destroying),
            ),
            (
                r#"{"confirm":{"incarnation":1,"shard":3,"until_tick":265235500000}}"#,
                Request::Confirm(Confirm { incarnation: 1, shard: 3, until_tick: 265_235_500_000 }),
            ),
        ] {
            assert_eq!(write_request(&request).unwrap(), text);
            assert_eq!(read_request(text).unwrap(), request);
        }
    }

    #[test]
    fn a_field_of_a_later_version_is_ignored() {
        let text = format!(r#"{{"acquire":{{"token":"{TOKEN}","now_ms":1,"later":{{}}}}}}"#);
        assert!(read_request(&text).is_ok());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for text in [
            "",
            "{}",
            r#"{"acquire":{}}"#,
            r#"{"acquire":{"token":"00","now_ms":1}}"#,
            r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":-1}}"#,
            r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":1.5}}"#,
            r#"{"steal":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":1}}"#,
            r#"{"create":{"layout":"timestamp:41 node:2 @0","first_node":0,"node_count":5,"shards":1}}"#,
        ] {
            assert!(read_request(text).is_err(), "{text}");
        }
    }
}
