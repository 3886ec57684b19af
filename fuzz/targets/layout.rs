//! A layout that is read prints a text that reads as the same layout.
#![no_main]

use edgeflake::{Error, Layout};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match text.parse::<Layout>() {
    Ok(layout) => {
        let printed = layout.to_string();
        assert_eq!(printed.parse(), Ok(layout), "{printed}");
        assert!(layout.bits() <= 64 && layout.end_ms() <= Layout::INSTANT_MAX_MS, "{printed}");
    }
    Err(error) => {
        if let Error::LayoutText { position, .. } = error {
            assert!(text.is_char_boundary(position), "{error}");
        }
        assert!(error.to_string().is_ascii());
    }
});
