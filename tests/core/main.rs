//! The core, by its public API: a file for each thing that it has. One program, since each would be
//! linked by itself.

/// Compares each value, as it is shown, with its text.
macro_rules! texts {
    ($($shown:expr => $text:expr,)*) => {
        $(assert_eq!($shown.to_string(), $text);)*
    };
}

mod defects;
mod drain;
mod errors;
mod fuzz;
mod generator;
mod identify;
mod instant;
mod layout;
mod lease;
mod policy;
mod preset;
mod properties;
mod range;
mod shared_generator;
mod text;
mod text_properties;
mod vectors;
mod warning;
