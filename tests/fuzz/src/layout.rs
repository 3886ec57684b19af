//! A layout that is read, such as a preset with options, prints a text that reads as the same layout.

use edgeflake::{Error, Layout};

use super::variant;

/// Returns the printed layout, or the error.
pub fn check(text: &str) -> String {
    match Layout::parse(text) {
        Ok(layout) => {
            let printed = layout.to_string();
            assert_eq!(printed.parse(), Ok(layout), "{printed}");
            assert_eq!(Layout::parse(&printed), Ok(layout), "{printed}");
            assert!(layout.bits() <= 64 && layout.end_ms() <= Layout::INSTANT_MAX_MS, "{printed}");
            printed
        }
        Err(error) => {
            assert!(error.to_string().is_ascii());
            let Error::LayoutString { position, .. } = error else { return variant(&error) };
            assert!(text.is_char_boundary(position), "{error}");
            format!("LayoutString at {position}")
        }
    }
}
