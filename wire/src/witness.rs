//! Defines the messages between a shard and its witness, and the stored state of the witness.

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{NodeEnd, SessionStart, Stamp, Version};

use crate::fields::{Fields, fields, messages};
use crate::json::Json;
use crate::value::{Field, Unreadable, Value};

messages! {
    WitnessCall {
        "open" Open(stamp);
        "confirm" Confirm(stamp);
    }
}

/// The witness's answer when a shard asks it to confirm a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// Whether the witness has stored this stamp or a later stamp of the same session.
    pub confirmed: bool,
}

fields! {
    Confirmation { confirmed }
    NodeEnd { node, until_tick }
    SessionStart { session, rollbacks, newer = None }
    Stamp { ..version, until_tick, latest = Stamp::default().latest, sequencer = None }
    Version { session, write }
}

impl Field for [NodeEnd; Stamp::LATEST] {
    const ALLOWED: &'static str = "a list of at most 8 nodes";
    const SCHEMA: &'static str = r#"{"type":"array"}"#;

    fn write(&self, name: &str, json: &mut Json) {
        json.list(name);
        for late in self.iter().filter(|late| late.until_tick > 0) {
            json.open_item();
            late.write(json);
            json.close();
        }
        json.end_list();
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        let mut stamp = Stamp::default();
        for late in value.list().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))? {
            let NodeEnd { node, until_tick } = Fields::read(&late)?;
            stamp.cover(node, until_tick);
        }
        // `until_tick` rises only if the list has more nodes than a stamp can hold.
        if stamp.until_tick > 0 {
            return Err(Unreadable::field(name, Self::ALLOWED));
        }
        Ok(stamp.latest)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use edgeflake::lease::{BoundConfig, Life, Sequencer};
    use edgeflake::preset;

    use super::*;
    use crate::{Cause, read, write};

    const SEQUENCER: &str = concat!(
        r#""sequencer":{"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","#,
        r#""first_node":0,"node_count":64,"shards":2,"incarnation":3,"from_tick":7,"life":"destroyed","until_tick":9}"#,
    );

    fn stamp() -> Stamp {
        let config = BoundConfig::new(preset::HAZELCAST, 0, 64, 2).unwrap();
        let life = Life::Destroyed { until_tick: 9 };
        let sequencer = Sequencer { config, incarnation: 3, from_tick: 7, life };
        let version = Version { session: 5, write: 110 };
        let sequencer = Some(sequencer);
        let mut stamp = Stamp { version, sequencer, until_tick: 305_000, ..Stamp::default() };
        stamp.cover(4, 306_000);
        stamp.cover(1, 307_000);
        stamp
    }

    fn parsed(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_is_asked() {
        for (call, name) in
            [(WitnessCall::Open(stamp()), "open"), (WitnessCall::Confirm(stamp()), "confirm")]
        {
            let text = write(&call);
            let fields = concat!(
                r#""session":5,"write":110,"until_tick":305000,"#,
                r#""latest":[{"node":1,"until_tick":307000},{"node":4,"until_tick":306000}]"#,
            );
            assert_eq!(text, format!(r#"{{"{name}":{{{fields},{SEQUENCER}}}}}"#));
            assert_eq!(read(&parsed(&text)), Ok(call));
        }
        let empty = r#"{"open":{"session":0,"write":0,"until_tick":0}}"#;
        let call = WitnessCall::Open(Stamp::default());
        assert_eq!(write(&call), empty);
        assert_eq!(read(&parsed(empty)), Ok(call));
        for (text, error) in [
            ("{}", Cause::Unknown),
            (
                r#"{"open":{"session":0,"write":0,"until_tick":0,"sequencer":{}}}"#,
                Cause::Field { name: "layout", expected: "a string" },
            ),
            (r#"{"stamp":{"session":0,"write":0,"until_tick":0}}"#, Cause::Unknown),
            (
                r#"{"confirm":{"write":0,"until_tick":0}}"#,
                Cause::Field { name: "session", expected: "a whole number below 2^53" },
            ),
            (
                r#"{"confirm":{"session":0,"write":0,"until_tick":0,"latest":{}}}"#,
                Cause::Field { name: "latest", expected: "a list of at most 8 nodes" },
            ),
            (
                r#"{"confirm":{"session":0,"write":0,"until_tick":0,"latest":[{"node":1}]}}"#,
                Cause::Field { name: "until_tick", expected: "a whole number below 2^53" },
            ),
        ] {
            assert_eq!(read::<WitnessCall, _>(&parsed(text)), Err(error.into()), "{text}");
        }
    }

    #[test]
    fn what_is_answered() {
        for confirmed in [true, false] {
            let answer = Confirmation { confirmed };
            let text = write(&answer);
            assert_eq!(text, format!(r#"{{"confirmed":{confirmed}}}"#));
            assert_eq!(read(&parsed(&text)), Ok(answer));
        }
        assert!(read::<Confirmation, _>(&parsed("{}")).is_err());
        let opened = SessionStart { session: 6, newer: None, rollbacks: 0 };
        let text = r#"{"session":6,"rollbacks":0}"#;
        assert_eq!(write(&opened), text);
        assert_eq!(read(&parsed(text)), Ok(opened));
        let opened = SessionStart { session: 6, newer: Some(stamp()), rollbacks: 2 };
        assert_eq!(read(&parsed(&write(&opened))), Ok(opened));
        assert!(read::<SessionStart, _>(&parsed("{}")).is_err());
    }

    #[test]
    fn the_latest_nodes_have_their_order_and_are_at_most_eight() {
        for nodes in [8, 9] {
            let items = (1..=nodes).map(|node| format!(r#"{{"node":{node},"until_tick":{node}}}"#));
            let items: Vec<_> = items.collect();
            let latest = format!(
                r#"{{"session":0,"write":0,"until_tick":0,"latest":[{}]}}"#,
                items.join(",")
            );
            let ends =
                read(&parsed(&latest)).map(|stamp: Stamp| stamp.latest.map(|late| late.until_tick));
            let expected = "a list of at most 8 nodes";
            let error = Cause::Field { name: "latest", expected }.into();
            assert_eq!(ends, if nodes == 8 { Ok([8, 7, 6, 5, 4, 3, 2, 1]) } else { Err(error) });
        }
    }

    #[test]
    fn what_is_stored() {
        assert_eq!(read(&parsed(&write(&stamp()))), Ok(stamp()));
        assert!(read::<Stamp, _>(&parsed("{}")).is_err());
    }
}
