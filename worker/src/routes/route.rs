//! The requirements and parameters of a method of a path.

use edgeflake_workers::found::Allowed;
use edgeflake_workers::problem::Problem;

use crate::http::query::{self, Values};
use crate::settings::access::Role;

/// A method of a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) method: &'static str,
    /// The path, with its parameter in braces.
    pub(crate) path: &'static str,
    /// The lowest role that the token may have; `None` if every caller may ask.
    pub(crate) role: Option<Role>,
    pub(crate) weight: Weight,
    /// The parameters of the query, in the order in which its code reads them.
    pub(crate) parameters: &'static [&'static str],
    pub(crate) body: Body,
}

/// The request of a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Acquire,
    Renew,
    Release,
    Prefetch,
}

impl Operation {
    /// All operations.
    pub(crate) const ALL: [Self; 4] = [Self::Acquire, Self::Renew, Self::Release, Self::Prefetch];

    /// The name of its message.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Acquire => "acquire",
            Self::Renew => "renew",
            Self::Release => "release",
            Self::Prefetch => "prefetch",
        }
    }

    /// The operation of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

/// How much a request counts against the rate limit of its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Nothing, because it calls no object.
    Free,
    /// A fixed number of units, larger for requests that call more objects.
    Units(u32),
    /// One unit per 1,000 ids, rounded up.
    Ids,
}

/// The body that a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    /// An object with these keys.
    Object(&'static [&'static str]),
    /// A holder's message. Its keys are not checked because the holder may be of a later release.
    Message,
}

impl Route {
    /// The values of the parameters of a query, in the order of [`Route::parameters`].
    ///
    /// # Errors
    /// A problem for a parameter that the route does not take, or that is given twice.
    pub(crate) fn read<'a>(&self, query: &'a str) -> Result<Values<'a>, Problem> {
        let keys = match self.body {
            Body::Object(keys) => keys,
            Body::None | Body::Message => &[],
        };
        query::read(query, self.parameters, keys)
    }

    /// The problem of a body that the route does not take.
    pub(crate) fn no_body(&self) -> Problem {
        let mut detail = "there is a body: none is allowed".to_owned();
        if !self.parameters.is_empty() {
            detail = format!("{detail}; {} parameters of the query", Allowed(self.parameters));
        }
        Problem::body(detail)
    }
}
