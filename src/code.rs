//! One table of all error codes. The table says where each error occurs, how HTTP answers report
//! it, what causes it, and what to do.
//!
//! Each row is a constant with the code's name, such as [`EXHAUSTED`]. The Worker finds a code's
//! status and title with [`http()`]. Only native programs read [`ALL`], to write the documents.

mod table;

pub use table::*;

/// The code of an error, with the documentation of this code. The texts are Markdown, with links
/// relative to `docs/`.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The name, which never changes.
    pub name: &'static str,
    /// Whether the request can succeed later, after a change, or never.
    pub retry: Retry,
    /// The programming interfaces whose functions return or throw the error.
    pub interfaces: &'static [Interface],
    /// The HTTP answer; `None` if the error does not occur over HTTP.
    pub http: Option<Http>,
    /// The cause of the error.
    pub cause: &'static str,
    /// The remedy, as an imperative.
    pub remedy: &'static str,
    /// The monitoring alerts that fire on this error, or why there are none.
    pub alerts: &'static str,
}

/// Whether another try of the same request can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The same request can succeed later.
    Later,
    /// The same request can succeed after you have changed something else.
    AfterChange,
    /// The same request always fails, because it is wrong itself.
    Never,
}

/// A programming interface whose errors have a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The crates `edgeflake`, `edgeflake-client` and `edgeflake-workers`.
    Rust,
    /// The npm package `edgeflake`.
    Npm,
}

/// The HTTP answer for a code.
#[derive(Clone, Copy, Debug)]
pub struct Http {
    /// The problem's `title`, which says what went wrong.
    pub title: &'static str,
    /// The HTTP statuses. If there are several statuses, the text of each status says which callers
    /// get it.
    pub statuses: &'static [(u16, &'static str)],
}

/// Returns the statuses and the title of the HTTP answer with this code; `None` if the code does
/// not occur over HTTP.
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

/// Makes one constant per code, the list [`ALL`], and the list `HTTP`, which has only the texts
/// that the Worker needs.
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

        /// The code, the statuses and the title of each HTTP answer.
        pub(super) const HTTP: &[(&str, &[u16], &str)] =
            &[$($(($name, &[$($status),+], $title),)?)+];
    };
}

/// Expands to the first of one or two expressions.
macro_rules! first {
    ($first:expr $(, $second:expr)?) => {
        $first
    };
}

use {codes, first};
