//! A record that is read is written as a text that reads as the same record; and a holder that goes
//! on with it issues nothing that was reserved, nothing outside its span, and nothing twice.
#![no_main]

use std::collections::BTreeSet;

use edgeflake::{Error, Grant, Holder, Layout, Step, Wait};
use edgeflake_wire::{read_record, write_record};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return };
    let Ok(found) = read_record(&message) else { return };
    let again = serde_json::from_str::<Value>(&write_record(&found)).unwrap();
    assert_eq!(read_record(&again), Ok(found));

    let mut holder = Holder::storing();
    if holder.resume(&found, 7).is_err() {
        return;
    }
    let layout = found.grant.identity.layout();
    let span = holder.span().unwrap();
    let first_tick = span.from_tick();
    assert_eq!(first_tick, found.grant.span.from_tick().max(found.reserved_tick));
    let mut reserved_tick = first_tick;
    let mut issued = BTreeSet::new();
    let end_ms = layout.start_ms(span.until_tick());
    for now_ms in [0, layout.start_ms(first_tick), end_ms - 1, end_ms, Layout::INSTANT_MAX_MS] {
        let (mut wait, mut ids) = (Wait::default(), [0; 3]);
        // It may renew, and have to write down that it goes on, before there are ids.
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
                        let parts = layout.unpack(id).unwrap();
                        assert_eq!(parts.node, span.node());
                        assert!((first_tick..reserved_tick).contains(&parts.tick), "{parts:?}");
                        assert!(issued.insert(id), "{id} twice");
                    }
                    break;
                }
                Step::Sleep { .. } | Step::Failed { .. } => break,
            }
        }
    }
});
