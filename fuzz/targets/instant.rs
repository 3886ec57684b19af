//! An instant that is read prints a text that reads as the same instant.
#![no_main]

use edgeflake::{Error, Instant, Layout};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match text.parse::<Instant>() {
    Ok(instant) => {
        assert!(instant.0 <= Layout::INSTANT_MAX_MS);
        let printed = instant.to_string();
        assert_eq!(printed.parse(), Ok(instant), "{printed}");
        // A text in UTC with all its digits is the printed one.
        if text.len() == printed.len() && text.ends_with('Z') {
            assert_eq!(text, printed);
        }
    }
    Err(Error::InstantText { position, .. }) => assert!(text.is_char_boundary(position)),
    Err(error) => panic!("{error}"),
});
