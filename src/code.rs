//! The codes of all errors, in one table: where each occurs, how it is answered over HTTP, what
//! causes it, and what to do.
//!
//! Each row is a constant with the code's name, such as [`EXHAUSTED`]. The Worker finds status and
//! title by [`http()`]. Only native programs read [`ALL`], from which the documents are written.

mod table;

pub use table::*;

/// The code of an error, with what the documents say about it. Its texts are Markdown with links
/// relative to `docs/`.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The name, which never changes.
    pub name: &'static str,
    /// Whether another try can help.
    pub retry: Retry,
    /// The programming interfaces that return or throw it.
    pub interfaces: &'static [Interface],
    /// The HTTP answer, if it occurs there.
    pub http: Option<Http>,
    /// The cause.
    pub cause: &'static str,
    /// The remedy, as an imperative.
    pub remedy: &'static str,
    /// The alerts that tell you of it.
    pub alerts: &'static str,
}

/// Whether another try of the same request can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It helps later.
    Later,
    /// It helps after you have changed something outside the request.
    AfterChange,
    /// It never helps, because the request itself is wrong.
    Never,
}

/// A programming interface with errors that have a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The crate `edgeflake`.
    Rust,
    /// The npm package `edgeflake`.
    Npm,
}

/// The HTTP answer with a code.
#[derive(Clone, Copy, Debug)]
pub struct Http {
    /// The fault, in the words of the problem's `title`.
    pub title: &'static str,
    /// The status. If there are several, each has the caller who gets it.
    pub statuses: &'static [(u16, &'static str)],
}

/// Returns the statuses and the title of the HTTP answer with this code; `None` if it does not occur there.
///
/// ```
/// use edgeflake::code::{self, CLOCK_DISAGREEMENT, CLOSED};
///
/// assert_eq!(code::http(CLOCK_DISAGREEMENT), Some((&[503, 409][..], "The clocks disagree")));
/// assert_eq!(code::http(CLOSED), None);
/// ```
#[must_use]
pub fn http(code: &str) -> Option<(&'static [u16], &'static str)> {
    let found = HTTP.iter().find(|(name, ..)| *name == code);
    found.map(|&(_, statuses, title)| (statuses, title))
}

/// Makes a constant per code, [`ALL`], and `HTTP`, which has only the texts that the Worker sends.
macro_rules! codes {
    ($($constant:ident $name:literal {
        retry: $retry:ident,
        interfaces: [$($interface:ident),*],
        $(http: $title:literal [$($status:literal $(to $to:literal)?),+],)?
        cause: $cause:literal,
        remedy: $remedy:literal,
        alerts: $alerts:literal,
    })+) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $constant: &str = $name;
        )+

        /// All codes, in the order in which the documents list them.
        pub const ALL: &[$crate::code::Code] = &[$($crate::code::Code {
            name: $name,
            retry: $crate::code::Retry::$retry,
            interfaces: &[$($crate::code::Interface::$interface),*],
            http: $crate::code::first!($(Some($crate::code::Http {
                title: $title,
                statuses: &[$(($status, $crate::code::first!($($to,)? ""))),+],
            }),)? None),
            cause: $cause,
            remedy: $remedy,
            alerts: $alerts,
        }),+];

        /// Code, statuses and title of each HTTP answer.
        pub(super) const HTTP: &[(&str, &[u16], &str)] =
            &[$($(($name, &[$($status),+], $title),)?)+];
    };
}

/// The first of one or two expressions.
macro_rules! first {
    ($first:expr $(, $second:expr)?) => {
        $first
    };
}

use {codes, first};
