//! If a text can be read as a record, writing it must give a text that reads as the same record. A
//! holder that resumes from the record must issue no id before the record's reserved tick, no id
//! outside its span, and no id twice.

use std::collections::BTreeSet;

use edgeflake::Layout;
use edgeflake::lease::{Error, Grant, Holder, Record, Step, Wait};
use edgeflake_wire::{read, write};
use serde_json::Value;

use super::messages::fault;
use super::variant;

/// Returns how each request for ids ends, or why the holder does not resume.
pub fn check(text: &str) -> String {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return String::from("not JSON") };
    let found = match read::<Record, _>(&message) {
        Ok(found) => found,
        Err(error) => return format!("unreadable: {}", fault(&error)),
    };
    let again = serde_json::from_str::<Value>(&write(&found)).unwrap();
    assert_eq!(read(&again), Ok(found));

    let mut holder = Holder::storing();
    if let Err(error) = holder.resume(&found, 7) {
        return format!("not resumed: {}", variant(&error));
    }
    let layout = found.grant.config.layout();
    let span = holder.span().unwrap();
    let first_tick = span.from_tick();
    assert_eq!(first_tick, found.grant.span.from_tick().max(found.reserved_tick));
    let mut reserved_tick = first_tick;
    let mut issued = BTreeSet::new();
    let mut ends = Vec::new();
    let end_ms = layout.start_ms(span.until_tick());
    for now_ms in [0, layout.start_ms(first_tick), end_ms - 1, end_ms, Layout::INSTANT_MAX_MS] {
        let (mut wait, mut ids) = (Wait::default(), [0; 3]);
        // Before the holder has ids, it may have to renew, and to record that it has resumed.
        let mut end = String::from("still busy");
        for _ in 0..4 {
            match holder.step(now_ms, &mut wait, &mut ids, || 7) {
                Step::Send(_) => {}
                Step::Failed { error: Error::Unwritten, .. } => {
                    let Some(record) = holder.record(now_ms) else { break };
                    assert_eq!(record.grant, Grant { span, ..found.grant });
                    assert!((reserved_tick..=span.until_tick()).contains(&record.reserved_tick));
                    reserved_tick = record.reserved_tick;
                    holder.written(Some(&record));
                }
                Step::Done => {
                    for id in ids {
                        let parts = layout.decode(id).unwrap();
                        assert_eq!(parts.node, span.node());
                        assert!((first_tick..reserved_tick).contains(&parts.tick), "{parts:?}");
                        assert!(issued.insert(id), "{id} twice");
                    }
                    end = String::from("Done");
                    break;
                }
                Step::Sleep { .. } => {
                    end = String::from("Sleep");
                    break;
                }
                Step::Failed { error, .. } => {
                    end = variant(&error);
                    break;
                }
            }
        }
        ends.push(end);
    }
    ends.join(", ")
}
