//! The messages between a shard and its witness, and what the witness stores.

use alloc::string::String;

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{Opened, Stamp, Version};

use crate::{Cause, Json, Object, Unreadable, Value, sequencer};

/// Writes what a shard asks its witness.
#[must_use]
pub fn write_witness_call(call: &WitnessCall) -> String {
    match call {
        WitnessCall::Open(stamp) => write("open", stamp),
        WitnessCall::Confirm(stamp) => write("confirm", stamp),
    }
}

/// Reads what a shard asks its witness.
///
/// # Errors
/// [`Unreadable`].
pub fn read_witness_call<V: Value>(message: &V) -> Result<WitnessCall, Unreadable> {
    if let Some(stamp) = message.get("open") {
        return read_stamp(&stamp).map(WitnessCall::Open);
    }
    let stamp = message.get("confirm").ok_or(Cause::Unknown)?;
    read_stamp(&stamp).map(WitnessCall::Confirm)
}

/// Writes the answer to a confirmation.
#[must_use]
pub fn write_confirmed(is_confirmed: bool) -> String {
    let mut json = Json::object();
    json.flag("confirmed", is_confirmed);
    json.end()
}

/// Reads the answer to a confirmation.
///
/// # Errors
/// [`Unreadable`].
pub fn read_confirmed<V: Value>(message: &V) -> Result<bool, Unreadable> {
    Object(message).flag("confirmed")
}

/// Writes the answer to the opening of a session.
#[must_use]
pub fn write_opened(opened: &Opened) -> String {
    let mut json = Json::object();
    json.number("session", opened.session);
    json.number("rollbacks", opened.rollbacks);
    if let Some(newer) = &opened.newer {
        json.open("newer");
        write_fields(&mut json, newer);
        json.close();
    }
    json.end()
}

/// Reads the answer to the opening of a session.
///
/// # Errors
/// [`Unreadable`].
pub fn read_opened<V: Value>(message: &V) -> Result<Opened, Unreadable> {
    let newer = message.get("newer").map(|newer| read_stamp(&newer)).transpose()?;
    let opened = Object(message);
    Ok(Opened { session: opened.number("session")?, newer, rollbacks: opened.number("rollbacks")? })
}

/// Writes the stamp that a witness stores.
#[must_use]
pub fn write_stamp(stamp: &Stamp) -> String {
    let mut json = Json::object();
    write_fields(&mut json, stamp);
    json.end()
}

/// Reads the stamp that a witness has stored.
///
/// # Errors
/// [`Unreadable`].
pub fn read_stamp<V: Value>(stamp: &V) -> Result<Stamp, Unreadable> {
    let sequencer = stamp.get("sequencer").map(|found| sequencer::read(&Object(&found)));
    let sequencer = sequencer.transpose()?;
    let stamp = Object(stamp);
    let version = Version { session: stamp.number("session")?, write: stamp.number("write")? };
    Ok(Stamp { version, sequencer, until_tick: stamp.number("until_tick")? })
}

fn write(name: &str, stamp: &Stamp) -> String {
    let mut json = Json::message(name);
    write_fields(&mut json, stamp);
    json.end_message()
}

fn write_fields(json: &mut Json, stamp: &Stamp) {
    json.number("session", stamp.version.session);
    json.number("write", stamp.version.write);
    json.number("until_tick", stamp.until_tick);
    if let Some(sequencer) = &stamp.sequencer {
        json.open("sequencer");
        sequencer::write(json, sequencer);
        json.close();
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use edgeflake::lease::{BoundConfig, Life, Sequencer};
    use edgeflake::preset;

    use super::*;

    const SEQUENCER: &str = concat!(
        r#""sequencer":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","#,
        r#""first_node":0,"node_count":64,"shards":2,"incarnation":3,"from_tick":7,"life":"destroyed","until_tick":9}"#,
    );

    fn stamp() -> Stamp {
        let config = BoundConfig::new(preset::HAZELCAST, 0, 64, 2).unwrap();
        let life = Life::Destroyed { until_tick: 9 };
        let sequencer = Sequencer { config, incarnation: 3, from_tick: 7, life };
        let version = Version { session: 5, write: 110 };
        Stamp { version, sequencer: Some(sequencer), until_tick: 305_000 }
    }

    fn parsed(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_is_asked() {
        for (call, name) in
            [(WitnessCall::Open(stamp()), "open"), (WitnessCall::Confirm(stamp()), "confirm")]
        {
            let text = write_witness_call(&call);
            let fields = r#""session":5,"write":110,"until_tick":305000"#;
            assert_eq!(text, format!(r#"{{"{name}":{{{fields},{SEQUENCER}}}}}"#));
            assert_eq!(read_witness_call(&parsed(&text)), Ok(call));
        }
        let empty = r#"{"open":{"session":0,"write":0,"until_tick":0}}"#;
        let call = WitnessCall::Open(Stamp::default());
        assert_eq!(write_witness_call(&call), empty);
        assert_eq!(read_witness_call(&parsed(empty)), Ok(call));
        for (text, error) in [
            ("{}", Cause::Unknown),
            (
                r#"{"open":{"session":0,"write":0,"until_tick":0,"sequencer":{}}}"#,
                Cause::Field { name: "node_count", expected: "a whole number below 2^53" },
            ),
            (r#"{"stamp":{"session":0,"write":0,"until_tick":0}}"#, Cause::Unknown),
            (
                r#"{"confirm":{"write":0,"until_tick":0}}"#,
                Cause::Field { name: "session", expected: "a whole number below 2^53" },
            ),
        ] {
            assert_eq!(read_witness_call(&parsed(text)), Err(error.into()), "{text}");
        }
    }

    #[test]
    fn what_is_answered() {
        for is_confirmed in [true, false] {
            let text = write_confirmed(is_confirmed);
            assert_eq!(text, format!(r#"{{"confirmed":{is_confirmed}}}"#));
            assert_eq!(read_confirmed(&parsed(&text)), Ok(is_confirmed));
        }
        assert!(read_confirmed(&parsed("{}")).is_err());
        let opened = Opened { session: 6, newer: None, rollbacks: 0 };
        let text = r#"{"session":6,"rollbacks":0}"#;
        assert_eq!(write_opened(&opened), text);
        assert_eq!(read_opened(&parsed(text)), Ok(opened));
        let opened = Opened { session: 6, newer: Some(stamp()), rollbacks: 2 };
        assert_eq!(read_opened(&parsed(&write_opened(&opened))), Ok(opened));
        assert!(read_opened(&parsed("{}")).is_err());
    }

    #[test]
    fn what_is_stored() {
        assert_eq!(read_stamp(&parsed(&write_stamp(&stamp()))), Ok(stamp()));
        assert!(read_stamp(&parsed("{}")).is_err());
    }
}
