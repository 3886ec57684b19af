use core::fmt;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// All that this crate throws: what the core refuses, and what cannot be handed to the core.
#[derive(Debug)]
pub enum Error {
    /// The core refused.
    Core(edgeflake::Error),
    /// No preset has this name.
    UnknownPreset {
        /// What was given.
        name: String,
    },
    /// An id was given as a JavaScript number.
    IdNumber,
    /// An id was given that is neither a bigint nor a string.
    IdType,
    /// A bigint is negative or has more than 64 bits.
    IdRange,
}

#[wasm_bindgen(raw_module = "../error.js")]
extern "C" {
    type EdgeflakeError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str) -> EdgeflakeError;
}

impl Error {
    const fn code(&self) -> &'static str {
        match self {
            Self::Core(error) => error.code(),
            Self::UnknownPreset { .. } => "unknown-preset",
            Self::IdNumber | Self::IdType | Self::IdRange => "invalid-id",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core(error) => error.fmt(f),
            Self::UnknownPreset { name } => {
                write!(f, "no preset is named {name}: presets() lists those that exist")
            }
            Self::IdNumber => f.write_str(
                "the id is a number, which JavaScript rounds above 2^53: give a bigint or a string",
            ),
            Self::IdType => f.write_str("the id is neither a bigint nor a string"),
            Self::IdRange => write!(f, "the id is outside 0 to {} (2^64 - 1)", u64::MAX),
        }
    }
}

impl From<edgeflake::Error> for Error {
    fn from(error: edgeflake::Error) -> Self {
        Self::Core(error)
    }
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        EdgeflakeError::new(error.code(), &error.to_string()).into()
    }
}
