//! Tests the core by its public API, with a file per concept. All files are one program, because
//! linking one program per file would be slow.

/// Compares the printed form of each value with a text.
macro_rules! texts {
    ($($shown:expr => $text:expr,)*) => {
        $(assert_eq!($shown.to_string(), $text);)*
    };
}

mod errors;
mod fuzz;
mod generator;
mod identify;
mod identify_table;
mod instant;
mod layout;
mod lease;
mod policy;
mod preset;
mod properties;
mod public;
mod static_nodes;
mod text;
mod transcript;
mod vectors;
mod warning;
