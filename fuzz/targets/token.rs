//! A token that is read prints the text that was read.
#![no_main]

use edgeflake::{Error, Token};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match text.parse::<Token>() {
    Ok(token) => assert_eq!(token.to_string(), text),
    Err(Error::TokenText { length }) => assert_eq!(length, text.len()),
    Err(error) => panic!("{error}"),
});
