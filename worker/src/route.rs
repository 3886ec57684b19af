//! What is at a path, and which methods it takes.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::leases::Operation;
use crate::problem::Problem;
use crate::sequencer;

/// What is at a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Route<'a> {
    /// Ids of a sequencer.
    Ids { sequencer: &'a str },
    /// An id taken apart.
    Decode { id: Cow<'a, str> },
    /// The smallest and the largest id of a time window.
    Range,
    /// A sequencer, to be created, looked at or destroyed.
    Sequencer { name: &'a str },
    /// The nodes of a sequencer.
    Nodes { sequencer: &'a str },
    /// Leases and batches of a sequencer.
    Lease { sequencer: &'a str, operation: Operation },
    /// Metrics of all sequencers.
    Metrics,
    /// Whether this isolate can issue an id.
    Health,
}

/// Most segments of a path that something is at.
const SEGMENTS_MAX: usize = 5;

impl<'a> Route<'a> {
    /// What is at a path.
    ///
    /// # Errors
    /// A problem if nothing is.
    pub(crate) fn at(path: &'a str) -> Result<Self, Problem> {
        let mut segments = [""; SEGMENTS_MAX];
        let mut count = 0;
        for segment in path.split('/').skip(1) {
            *segments.get_mut(count).ok_or_else(|| Problem::not_found(path))? = segment;
            count += 1;
        }
        Ok(match segments[..count] {
            ["v1", "ids"] => Self::Ids { sequencer: sequencer::DEFAULT },
            ["v1", "sequencers", name, ref rest @ ..] => Self::of_sequencer(name, rest, path)?,
            // What is not UTF-8 becomes a character that no id has.
            ["v1", "decode", id] => Self::Decode { id: percent_decode_str(id).decode_utf8_lossy() },
            ["v1", "range"] => Self::Range,
            ["metrics"] => Self::Metrics,
            ["healthz"] => Self::Health,
            _ => return Err(Problem::not_found(path)),
        })
    }

    fn of_sequencer(name: &'a str, rest: &[&str], path: &str) -> Result<Self, Problem> {
        let lease = |operation| Ok(Self::Lease { sequencer: sequencer::name(name)?, operation });
        match rest {
            [] => Ok(Self::Sequencer { name: sequencer::name(name)? }),
            ["ids"] => Ok(Self::Ids { sequencer: sequencer::name(name)? }),
            ["nodes"] => Ok(Self::Nodes { sequencer: sequencer::name(name)? }),
            ["leases"] => lease(Operation::Acquire),
            ["leases", "renew"] => lease(Operation::Renew),
            ["leases", "release"] => lease(Operation::Release),
            ["batches"] => lease(Operation::Prefetch),
            _ => Err(Problem::not_found(path)),
        }
    }

    /// The methods that it takes, as in the header `Allow`.
    pub(crate) const fn methods(&self) -> &'static str {
        match self {
            Self::Ids { .. } | Self::Lease { .. } => "POST, OPTIONS",
            Self::Sequencer { .. } => "GET, HEAD, PUT, DELETE, OPTIONS",
            Self::Decode { .. }
            | Self::Range
            | Self::Nodes { .. }
            | Self::Metrics
            | Self::Health => "GET, HEAD, OPTIONS",
        }
    }

    /// Whether it takes this method.
    pub(crate) fn takes(&self, method: &str) -> bool {
        self.methods().split(',').any(|allowed| allowed.trim_start() == method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, route) in [
            ("/v1/ids", Route::Ids { sequencer: "default" }),
            ("/v1/sequencers/orders-2/ids", Route::Ids { sequencer: "orders-2" }),
            ("/v1/sequencers/a", Route::Sequencer { name: "a" }),
            ("/v1/sequencers/a/nodes", Route::Nodes { sequencer: "a" }),
            (
                "/v1/sequencers/a/leases",
                Route::Lease { sequencer: "a", operation: Operation::Acquire },
            ),
            (
                "/v1/sequencers/a/leases/renew",
                Route::Lease { sequencer: "a", operation: Operation::Renew },
            ),
            (
                "/v1/sequencers/a/leases/release",
                Route::Lease { sequencer: "a", operation: Operation::Release },
            ),
            (
                "/v1/sequencers/a/batches",
                Route::Lease { sequencer: "a", operation: Operation::Prefetch },
            ),
            ("/metrics", Route::Metrics),
            ("/v1/decode/123", Route::Decode { id: "123".into() }),
            ("/v1/decode/%31%32%ff", Route::Decode { id: "12\u{fffd}".into() }),
            ("/v1/decode/", Route::Decode { id: "".into() }),
            ("/v1/range", Route::Range),
            ("/healthz", Route::Health),
        ] {
            assert_eq!(Route::at(path).ok(), Some(route), "{path}");
        }
        for path in
            ["/", "", "//", "/v1", "/v1/ids/", "/v1/id", "/v2/ids", "/V1/ids", "/a/b/c/d/e/f"]
        {
            assert!(Route::at(path).is_err(), "{path}");
        }
    }

    #[test]
    fn methods() {
        assert!(Route::Health.takes("HEAD") && Route::Health.takes("GET"));
        for method in ["POS", "post", "", "OPTIONS, POST", "PUT"] {
            assert!(!Route::at("/v1/ids").unwrap().takes(method), "{method}");
        }
    }
}
