//! Version 1 of the messages between holders and the authority: JSON, one object a message, named
//! by its only key.
//!
//! Ticks, nodes and times are numbers: all are below 2^53. Fields that are not known are ignored,
//! so that old and new code understand each other during a deploy; a field that is added later must
//! be optional.

use std::borrow::Cow;

use edgeflake::{Acquire, Error, Grant, Identity, Refusal, Renew, Renewal, Reply, Request, Span};
use serde::{Deserialize, Serialize};

/// Where in the authority the messages of this version go.
pub(crate) const PATH: &str = "/v1";

/// Why a message cannot be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It is not JSON of this form.
    Json(serde_json::Error),
    /// It has a value that cannot be.
    Value(Error),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Self {
        Self::Value(error)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RequestV1<'a> {
    Acquire {
        #[serde(borrow)]
        token: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incarnation: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        excluded_node: Option<u64>,
        now_ms: u64,
    },
    Renew {
        #[serde(borrow)]
        token: Cow<'a, str>,
        incarnation: u64,
        node: u64,
        tick: u64,
        now_ms: u64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ReplyV1<'a> {
    Granted {
        #[serde(borrow)]
        token: Cow<'a, str>,
        incarnation: u64,
        #[serde(borrow)]
        layout: Cow<'a, str>,
        first_node: u64,
        node_count: u64,
        shards: u64,
        node: u64,
        from_tick: u64,
        until_tick: u64,
        lease_ms: u64,
        allowed_future_ms: u64,
    },
    Renewed {
        #[serde(borrow)]
        token: Cow<'a, str>,
        incarnation: u64,
        until_tick: u64,
        lease_ms: u64,
        allowed_future_ms: u64,
    },
    Ended {
        #[serde(borrow)]
        token: Cow<'a, str>,
        incarnation: u64,
    },
    Refused {
        refusal: RefusalV1,
        incarnation: u64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RefusalV1 {
    ClockDisagreement { authority_ms: u64, holder_ms: u64, max_ms: u64 },
    NoNodeFree { retry_in_ms: u64 },
    OtherIncarnation { found: u64 },
    OutsideLayout { now_ms: u64, epoch_ms: u64, end_ms: u64 },
}

/// Writes a request.
pub(crate) fn write_request(request: &Request) -> Result<String, Unreadable> {
    let message = match *request {
        Request::Acquire(Acquire { token, incarnation, excluded_node, now_ms }) => {
            RequestV1::Acquire {
                token: token.to_string().into(),
                incarnation,
                excluded_node,
                now_ms,
            }
        }
        Request::Renew(Renew { token, incarnation, node, tick, now_ms }) => {
            RequestV1::Renew { token: token.to_string().into(), incarnation, node, tick, now_ms }
        }
    };
    Ok(serde_json::to_string(&message)?)
}

/// Reads a request.
pub(crate) fn read_request(text: &str) -> Result<Request, Unreadable> {
    Ok(match serde_json::from_str(text)? {
        RequestV1::Acquire { token, incarnation, excluded_node, now_ms } => {
            Request::Acquire(Acquire { token: token.parse()?, incarnation, excluded_node, now_ms })
        }
        RequestV1::Renew { token, incarnation, node, tick, now_ms } => {
            Request::Renew(Renew { token: token.parse()?, incarnation, node, tick, now_ms })
        }
    })
}

/// Writes a reply.
pub(crate) fn write_reply(reply: &Reply) -> Result<String, Unreadable> {
    let message = match *reply {
        Reply::Granted(Grant {
            token,
            incarnation,
            identity,
            span,
            lease_ms,
            allowed_future_ms,
        }) => ReplyV1::Granted {
            token: token.to_string().into(),
            incarnation,
            layout: identity.layout().to_string().into(),
            first_node: identity.first_node(),
            node_count: identity.node_count(),
            shards: identity.shards(),
            node: span.node(),
            from_tick: span.from_tick(),
            until_tick: span.until_tick(),
            lease_ms,
            allowed_future_ms,
        },
        Reply::Renewed(Renewal { token, incarnation, until_tick, lease_ms, allowed_future_ms }) => {
            ReplyV1::Renewed {
                token: token.to_string().into(),
                incarnation,
                until_tick,
                lease_ms,
                allowed_future_ms,
            }
        }
        Reply::Ended { token, incarnation } => {
            ReplyV1::Ended { token: token.to_string().into(), incarnation }
        }
        Reply::Refused { refusal, incarnation } => {
            ReplyV1::Refused { refusal: refusal.into(), incarnation }
        }
    };
    Ok(serde_json::to_string(&message)?)
}

/// Reads a reply.
pub(crate) fn read_reply(text: &str) -> Result<Reply, Unreadable> {
    Ok(match serde_json::from_str(text)? {
        ReplyV1::Granted {
            token,
            incarnation,
            layout,
            first_node,
            node_count,
            shards,
            node,
            from_tick,
            until_tick,
            lease_ms,
            allowed_future_ms,
        } => {
            let identity = Identity::new(layout.parse()?, first_node, node_count, shards)?;
            let span = Span::new(identity.layout(), node, from_tick, until_tick)?;
            Reply::Granted(Grant {
                token: token.parse()?,
                incarnation,
                identity,
                span,
                lease_ms,
                allowed_future_ms,
            })
        }
        ReplyV1::Renewed { token, incarnation, until_tick, lease_ms, allowed_future_ms } => {
            Reply::Renewed(Renewal {
                token: token.parse()?,
                incarnation,
                until_tick,
                lease_ms,
                allowed_future_ms,
            })
        }
        ReplyV1::Ended { token, incarnation } => {
            Reply::Ended { token: token.parse()?, incarnation }
        }
        ReplyV1::Refused { refusal, incarnation } => {
            Reply::Refused { refusal: refusal.into(), incarnation }
        }
    })
}

/// The wire's form of a refusal has the fields of the core's, one for one, in both directions.
macro_rules! refusals {
    ($($name:ident { $($field:ident),+ }),+ $(,)?) => {
        impl From<Refusal> for RefusalV1 {
            fn from(refusal: Refusal) -> Self {
                match refusal {
                    $(Refusal::$name { $($field),+ } => Self::$name { $($field),+ }),+
                }
            }
        }
        impl From<RefusalV1> for Refusal {
            fn from(refusal: RefusalV1) -> Self {
                match refusal {
                    $(RefusalV1::$name { $($field),+ } => Self::$name { $($field),+ }),+
                }
            }
        }
    };
}

refusals! {
    ClockDisagreement { authority_ms, holder_ms, max_ms },
    NoNodeFree { retry_in_ms },
    OtherIncarnation { found },
    OutsideLayout { now_ms, epoch_ms, end_ms },
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::{Token, preset};

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    #[test]
    fn requests_of_version_1() {
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
                    now_ms: 1_780_000_000_000,
                }),
            ),
        ] {
            assert_eq!(write_request(&request).unwrap(), text);
            assert_eq!(read_request(text).unwrap(), request);
        }
    }

    #[test]
    fn replies_of_version_1() {
        let identity = Identity::new(preset::HAZELCAST, 0, 65_536, 1).unwrap();
        let granted = Reply::Granted(Grant {
            token: token(),
            incarnation: 1,
            identity,
            span: Span::new(identity.layout(), 7, 265_235_200_000, 265_235_500_000).unwrap(),
            lease_ms: 300_000,
            allowed_future_ms: 15_000,
        });
        let renewed = Reply::Renewed(Renewal {
            token: token(),
            incarnation: 1,
            until_tick: 265_235_650_000,
            lease_ms: 300_000,
            allowed_future_ms: 15_000,
        });
        let refused = |refusal| Reply::Refused { refusal, incarnation: 1 };
        for (text, reply) in [
            (
                r#"{"granted":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000}}"#,
                granted,
            ),
            (
                r#"{"renewed":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"until_tick":265235650000,"lease_ms":300000,"allowed_future_ms":15000}}"#,
                renewed,
            ),
            (
                r#"{"ended":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1}}"#,
                Reply::Ended { token: token(), incarnation: 1 },
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
                r#"{"refused":{"refusal":{"other-incarnation":{"found":1}},"incarnation":1}}"#,
                refused(Refusal::OtherIncarnation { found: 1 }),
            ),
            (
                r#"{"refused":{"refusal":{"outside-layout":{"now_ms":0,"epoch_ms":1,"end_ms":2}},"incarnation":1}}"#,
                refused(Refusal::OutsideLayout { now_ms: 0, epoch_ms: 1, end_ms: 2 }),
            ),
        ] {
            assert_eq!(write_reply(&reply).unwrap(), text);
            assert_eq!(read_reply(text).unwrap(), reply);
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
        ] {
            assert!(read_request(text).is_err(), "{text}");
        }
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
