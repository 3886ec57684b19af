//! A token that is read prints the text that was read.

use edgeflake::lease::{Error, Token};

use super::variant;

/// Returns the name of the type or of the error.
pub fn check(text: &str) -> String {
    let read = text.parse::<Token>();
    match read {
        Ok(token) => {
            assert_eq!(token.to_string(), text);
            variant(&token)
        }
        Err(error @ Error::TokenText { length }) => {
            assert_eq!(length, text.len());
            variant(&error)
        }
        Err(error) => panic!("{error}"),
    }
}
