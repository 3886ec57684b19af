//! If a text can be read as a layout, the layout must print a text that reads as the same layout.
//! The text that is read may be a preset with options.

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
