use alloc::string::String;

use edgeflake::lease::{Acquire, Confirm, Prefetch, Release, Renew, Request, Shrink};

use crate::{Cause, Json, Object, Unreadable, Value, sequencer};

/// Writes a request.
#[must_use]
pub fn write_request(request: &Request) -> String {
    match request {
        Request::Acquire(Acquire { token, incarnation, excluded_node, now_ms }) => {
            let mut json = Json::message("acquire");
            json.text("token", token);
            json.number_or_none("incarnation", *incarnation);
            json.number_or_none("excluded_node", *excluded_node);
            json.number("now_ms", *now_ms);
            json.end_message()
        }
        Request::Renew(Renew { token, incarnation, node, tick, issued, now_ms }) => {
            let mut json = Json::message("renew");
            json.text("token", token);
            json.number("incarnation", *incarnation);
            json.number("node", *node);
            json.number("tick", *tick);
            json.number_or_none("issued", *issued);
            json.number("now_ms", *now_ms);
            json.end_message()
        }
        Request::Release(Release { token, incarnation, node, until_tick, issued }) => {
            let mut json = Json::message("release");
            json.text("token", token);
            json.number("incarnation", *incarnation);
            json.number("node", *node);
            json.number("until_tick", *until_tick);
            json.number_or_none("issued", *issued);
            json.end_message()
        }
        Request::Prefetch(Prefetch { incarnation, count, now_ms }) => {
            let mut json = Json::message("prefetch");
            json.number_or_none("incarnation", *incarnation);
            json.number_or_none("count", *count);
            json.number("now_ms", *now_ms);
            json.end_message()
        }
        Request::Describe => Json::message("describe").end_message(),
        Request::Create(config) => {
            let mut json = Json::message("create");
            sequencer::write_config(&mut json, config);
            json.end_message()
        }
        Request::Destroy => Json::message("destroy").end_message(),
        Request::Follow(told) => {
            let mut json = Json::message("follow");
            sequencer::write(&mut json, told);
            json.end_message()
        }
        Request::Confirm(Confirm { incarnation, shard, until_tick }) => {
            let mut json = Json::message("confirm");
            json.number("incarnation", *incarnation);
            json.number("shard", *shard);
            json.number("until_tick", *until_tick);
            json.end_message()
        }
        Request::Shrink(Shrink { incarnation, node_count }) => {
            let mut json = Json::message("shrink");
            json.number("incarnation", *incarnation);
            json.number("node_count", *node_count);
            json.end_message()
        }
    }
}

/// Reads a request.
///
/// # Errors
/// [`Unreadable`].
pub fn read_request<V: Value>(message: &V) -> Result<Request, Unreadable> {
    if let Some(acquire) = message.get("acquire") {
        return read_acquire(&acquire).map(Request::Acquire);
    }
    if let Some(renew) = message.get("renew") {
        return read_renew(&renew).map(Request::Renew);
    }
    if let Some(release) = message.get("release") {
        return read_release(&release).map(Request::Release);
    }
    if let Some(prefetch) = message.get("prefetch") {
        return read_prefetch(&prefetch).map(Request::Prefetch);
    }
    if let Some(config) = message.get("create") {
        return sequencer::read_config(&Object(&config)).map(Request::Create);
    }
    if let Some(told) = message.get("follow") {
        return sequencer::read(&Object(&told)).map(Request::Follow);
    }
    if let Some(confirm) = message.get("confirm") {
        let confirm = Object(&confirm);
        return Ok(Request::Confirm(Confirm {
            incarnation: confirm.number("incarnation")?,
            shard: confirm.number("shard")?,
            until_tick: confirm.number("until_tick")?,
        }));
    }
    if let Some(shrink) = message.get("shrink") {
        let shrink = Object(&shrink);
        return Ok(Request::Shrink(Shrink {
            incarnation: shrink.number("incarnation")?,
            node_count: shrink.number("node_count")?,
        }));
    }
    if message.get("describe").is_some() {
        return Ok(Request::Describe);
    }
    if message.get("destroy").is_some() {
        return Ok(Request::Destroy);
    }
    Err(Cause::Unknown.into())
}

/// Reads the object of an acquire.
///
/// # Errors
/// [`Unreadable`].
pub fn read_acquire<V: Value>(acquire: &V) -> Result<Acquire, Unreadable> {
    let acquire = Object(acquire);
    Ok(Acquire {
        token: acquire.parsed("token")?,
        incarnation: acquire.number_or_none("incarnation")?,
        excluded_node: acquire.number_or_none("excluded_node")?,
        now_ms: acquire.number("now_ms")?,
    })
}

/// Reads the object of a renew.
///
/// # Errors
/// [`Unreadable`].
pub fn read_renew<V: Value>(renew: &V) -> Result<Renew, Unreadable> {
    let renew = Object(renew);
    Ok(Renew {
        token: renew.parsed("token")?,
        incarnation: renew.number("incarnation")?,
        node: renew.number("node")?,
        tick: renew.number("tick")?,
        issued: renew.number_or_none("issued")?,
        now_ms: renew.number("now_ms")?,
    })
}

/// Reads the object of a release.
///
/// # Errors
/// [`Unreadable`].
pub fn read_release<V: Value>(release: &V) -> Result<Release, Unreadable> {
    let release = Object(release);
    Ok(Release {
        token: release.parsed("token")?,
        incarnation: release.number("incarnation")?,
        node: release.number("node")?,
        until_tick: release.number("until_tick")?,
        issued: release.number_or_none("issued")?,
    })
}

/// Reads the object of a prefetch.
///
/// # Errors
/// [`Unreadable`].
pub fn read_prefetch<V: Value>(prefetch: &V) -> Result<Prefetch, Unreadable> {
    let prefetch = Object(prefetch);
    Ok(Prefetch {
        incarnation: prefetch.number_or_none("incarnation")?,
        count: prefetch.number_or_none("count")?,
        now_ms: prefetch.number("now_ms")?,
    })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;
    use edgeflake::lease::BoundConfig;
    use edgeflake::lease::{Error, Life, Sequencer, Token};
    use edgeflake::preset;

    const TOKEN: &str = "000102030405060708090a0b0c0d0e0f";

    fn read(text: &str) -> Result<Request, Unreadable> {
        read_request(&serde_json::from_str::<serde_json::Value>(text).unwrap())
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
            (r#"{"destroy":{}}"#, Request::Destroy),
            (
                r#"{"follow":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":4,"incarnation":1,"from_tick":0,"life":"destroying","confirmed":1,"until_tick":265235500000}}"#,
                Request::Follow(destroying),
            ),
            (
                r#"{"confirm":{"incarnation":1,"shard":3,"until_tick":265235500000}}"#,
                Request::Confirm(Confirm { incarnation: 1, shard: 3, until_tick: 265_235_500_000 }),
            ),
        ] {
            assert_eq!(write_request(&request), text);
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
            "node_count: 5 nodes from node 0 on: 1 to 1048576 nodes up to node 3 are allowed"
        );
    }
}
