//! An instant that is read prints a text that reads as the same instant.

use edgeflake::{Error, Instant, Layout};

/// Returns the printed instant, or the error.
pub fn check(text: &str) -> String {
    match text.parse::<Instant>() {
        Ok(instant) => {
            assert!(instant.0 <= Layout::INSTANT_MAX_MS);
            let printed = instant.to_string();
            assert_eq!(printed.parse(), Ok(instant), "{printed}");
            // A text in UTC with all its digits is printed unchanged.
            if text.len() == printed.len() && text.ends_with('Z') {
                assert_eq!(text, printed);
            }
            printed
        }
        Err(Error::InstantText { position, .. }) => {
            assert!(text.is_char_boundary(position));
            format!("InstantText at {position}")
        }
        Err(error) => panic!("{error}"),
    }
}
