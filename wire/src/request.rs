use edgeflake::lease::{Acquire, Confirm, Prefetch, Release, Renew, Request, Shrink};

use crate::fields::{fields, messages};

messages! {
    Request {
        "acquire" Acquire(acquire);
        "renew" Renew(renew);
        "release" Release(release);
        "prefetch" Prefetch(prefetch);
        "create" Create(config);
        "follow" Follow(sequencer);
        "confirm" Confirm(confirm);
        "shrink" Shrink(shrink);
        "describe" Describe;
        "destroy" Destroy;
    }
}

fields! {
    Acquire {
        /// 128 random bits. The holder draws them for this attempt, and sends the same bits in its
        /// retries.
        token,
        /// The sequencer's incarnation, if the holder knows it.
        incarnation = None,
        /// A node that must not be granted, because the holder wants to swap it for another node.
        excluded_node = None,
        /// The holder's clock, in Unix ms.
        now_ms
    }
    Renew {
        token, incarnation, node,
        /// The tick of the next id that the holder will issue.
        tick,
        /// The number of ids of the span that were issued so far.
        issued = None,
        now_ms
    }
    Release {
        token, incarnation, node,
        /// The first tick in which no id was issued.
        until_tick,
        /// The number of ids of the span that were issued.
        issued = None
    }
    Prefetch {
        /// The sequencer's incarnation, if the holder knows it.
        incarnation = None,
        /// The number of ids in the batch. If it is missing, the authority's terms say how many.
        count = None,
        now_ms
    }
    Confirm { incarnation, shard, until_tick }
    Shrink { incarnation, node_count }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;
    use crate::{Cause, Unreadable, write};
    use edgeflake::lease::BoundConfig;
    use edgeflake::lease::{Error, Life, Sequencer, Token};
    use edgeflake::preset;

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn read(text: &str) -> Result<Request, Unreadable> {
        crate::read(&serde_json::from_str::<serde_json::Value>(text).unwrap())
    }

    fn token() -> Token {
        TOKEN.parse().unwrap()
    }

    fn config() -> BoundConfig {
        BoundConfig::new(preset::HAZELCAST, 0, 65_536, 4).unwrap()
    }

    #[test]
    fn requests_of_version_1() {
        let destroying = Sequencer {
            life: Life::Destroying { confirmed: 1, until_tick: 265_235_500_000 },
            ..Sequencer::new(config())
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
            (r#"{"describe":{}}"#, Request::Describe),
            (
                r#"{"create":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":4}}"#,
                Request::Create(config()),
            ),
            (
                r#"{"create":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65000,"shards":4,"withdrawn":536}}"#,
                Request::Create(config().shrunk(65_000).unwrap()),
            ),
            (r#"{"destroy":{}}"#, Request::Destroy),
            (
                r#"{"follow":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":4,"incarnation":1,"from_tick":0,"life":"destroying","confirmed":1,"until_tick":265235500000}}"#,
                Request::Follow(destroying),
            ),
            (
                r#"{"confirm":{"incarnation":1,"shard":3,"until_tick":265235500000}}"#,
                Request::Confirm(Confirm { incarnation: 1, shard: 3, until_tick: 265_235_500_000 }),
            ),
            (
                r#"{"shrink":{"incarnation":1,"node_count":65000}}"#,
                Request::Shrink(Shrink { incarnation: 1, node_count: 65_000 }),
            ),
        ] {
            crate::schema::check::<Request>(text);
            assert_eq!(write(&request), text);
            assert_eq!(read(text), Ok(request));
        }
    }

    #[test]
    fn a_field_of_a_later_version_is_ignored() {
        let text = format!(r#"{{"acquire":{{"token":"{TOKEN}","now_ms":1,"later":{{}}}}}}"#);
        assert!(read(&text).is_ok());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let token = Cause::Value { name: "token", error: Error::TokenText { length: 2 } };
        let whole = |name| {
            let expected = "a whole number below 2^53";
            Cause::Field { name, expected }
        };
        for (text, expected) in [
            ("{}", Cause::Unknown),
            ("7", Cause::Unknown),
            (r#"{"steal":{"token":"00","now_ms":1}}"#, Cause::Unknown),
            (r#"{"acquire":{}}"#, Cause::Field { name: "token", expected: "a string" }),
            (r#"{"acquire":{"token":"00","now_ms":1}}"#, token),
            (
                r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":-1}}"#,
                whole("now_ms"),
            ),
            (
                r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":1.5}}"#,
                whole("now_ms"),
            ),
            (
                r#"{"acquire":{"token":"000102030405060708090a0b0c0d0e0f","now_ms":1,"incarnation":"1"}}"#,
                whole("incarnation"),
            ),
        ] {
            assert_eq!(read(text), Err(expected.into()), "{text}");
        }
        let create = r#"{"create":{"layout":"timestamp:41 node:2 @0","first_node":0,"node_count":5,"shards":1}}"#;
        assert_eq!(
            read(create).unwrap_err().to_string(),
            "node_count: there are 5 nodes from node 0 on: give 1 to 1048576 nodes, up to node 3"
        );
    }
}
