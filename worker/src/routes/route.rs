//! Defines the requirements and parameters of routes.

use edgeflake_workers::found::Allowed;
use edgeflake_workers::problem::Problem;

use crate::routes::parameters::{self, Values};
use crate::settings::access::Role;

/// A route: a method of a path, and the requirements for its requests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) method: &'static str,
    /// The path, with its parameter in braces.
    pub(crate) path: &'static str,
    /// The lowest role that is allowed; `None` if every caller is allowed.
    pub(crate) role: Option<Role>,
    pub(crate) weight: Weight,
    /// The parameters of the query, in the order in which the route's code reads them.
    pub(crate) parameters: &'static [&'static str],
    pub(crate) body: Body,
}

/// The operation of a holder's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Acquire,
    Renew,
    Release,
    Prefetch,
}

impl Operation {
    pub(crate) const ALL: [Self; 4] = [Self::Acquire, Self::Renew, Self::Release, Self::Prefetch];

    /// Returns the name of the operation's message.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Acquire => "acquire",
            Self::Renew => "renew",
            Self::Release => "release",
            Self::Prefetch => "prefetch",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

/// The number of units that a request counts against its client's rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// No units, because the request calls no object.
    Free,
    /// A fixed number of units, larger for requests that call more objects.
    Units(u32),
    /// One unit per 1,000 ids, rounded up.
    Ids,
}

/// The body that a route accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    /// A JSON object that has only the listed keys.
    Object(&'static [&'static str]),
    /// A holder's message. Its keys are not checked, because the holder may be of a later release.
    Message,
}

impl Route {
    /// Returns the values of a query's parameters, in the order of [`Route::parameters`].
    ///
    /// # Errors
    /// A problem if a parameter is given twice, or if the route does not have the parameter.
    pub(crate) fn read<'a>(&self, query: &'a str) -> Result<Values<'a>, Problem> {
        let keys = match self.body {
            Body::Object(keys) => keys,
            Body::None | Body::Message => &[],
        };
        parameters::read(query, self.parameters, keys)
    }

    /// Returns the problem for a body that the route does not accept.
    pub(crate) fn no_body(&self) -> Problem {
        let mut detail = "there is a body, but this request takes none".to_owned();
        if !self.parameters.is_empty() {
            detail = format!("{detail}: send {} in the query", Allowed(self.parameters));
        }
        Problem::body(detail)
    }
}
