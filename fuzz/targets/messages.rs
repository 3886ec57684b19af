//! A message that is read is written as a text that reads as the same message.
#![no_main]

use edgeflake_wire::{read_reply, read_request, write_reply, write_request};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return };
    let again = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    if let Ok(request) = read_request(&message) {
        assert_eq!(read_request(&again(&write_request(&request))), Ok(request));
    }
    if let Ok(reply) = read_reply(&message) {
        assert_eq!(read_reply(&again(&write_reply(&reply))), Ok(reply));
    }
});
