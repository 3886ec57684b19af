//! The names of sequencers.

use crate::problem::{Found, Problem};

/// The sequencer of the variables.
pub(crate) const DEFAULT: &str = "default";

/// Most characters of a name; a label of DNS has as many.
const LENGTH_MAX: usize = 63;

/// A segment of a path that names a sequencer.
///
/// # Errors
/// A problem if no sequencer can have this name.
pub(crate) fn name(segment: &str) -> Result<&str, Problem> {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if (1..=LENGTH_MAX).contains(&segment.len()) && segment.bytes().all(allowed) {
        return Ok(segment);
    }
    Err(Problem::parameter(format!(
        "the sequencer's name is {}: 1 to {LENGTH_MAX} of a-z, 0-9 and - are allowed",
        Found(segment)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let longest = "a".repeat(63);
        for segment in ["default", "a", "-", "0-9", &longest] {
            assert_eq!(name(segment).ok(), Some(segment));
        }
        for segment in ["", "A", "a_b", "a.b", "ä", "%61", &"a".repeat(64)] {
            assert!(name(segment).is_err(), "{segment}");
        }
    }
}
