//! What is at a path, which methods it has, and what each of them requires and takes.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::http::query::{self, PARAMETERS_MAX, Values};
use crate::settings::access::Role;
use edgeflake_workers::admin::new_sequencer::{NewSequencer, OF_CHANGE};
use edgeflake_workers::found::Allowed;
use edgeflake_workers::objects::address::{DEFAULT_SEQUENCER, sequencer_name};
use edgeflake_workers::problem::Problem;

/// What is at a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Route<'a> {
    /// Ids of a sequencer.
    Ids { sequencer: &'a str },
    /// An id taken apart.
    Decode { id: Cow<'a, str> },
    /// The smallest and the largest id of a time window.
    Range,
    /// A sequencer, to be shown, created, changed or destroyed.
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

/// What a holder asks for.
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

/// What a method of a route takes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Method {
    name: &'static str,
    /// The lowest role that the token may have; `None` if every caller may ask.
    pub(crate) role: Option<Role>,
    pub(crate) weight: Weight,
    /// The parameters of the query, in the order in which the code of the route reads them.
    pub(crate) parameters: &'static [&'static str],
    pub(crate) body: Body,
}

/// What a method takes as its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    /// An object with these keys.
    Object(&'static [&'static str]),
    /// A holder's message. Its keys are not checked because the holder may be of a later release.
    Message,
}

impl Method {
    /// A method that is open to every caller and calls no object.
    const fn open(name: &'static str) -> Self {
        let (role, weight) = (None, Weight::Free);
        Self { name, role, weight, parameters: &[], body: Body::None }
    }

    const fn role(self, role: Role, weight: Weight) -> Self {
        Self { role: Some(role), weight, ..self }
    }

    const fn parameters(self, parameters: &'static [&'static str]) -> Self {
        assert!(parameters.len() <= PARAMETERS_MAX);
        Self { parameters, ..self }
    }

    const fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// The values of the parameters of a query, in the order of [`Method::parameters`].
    ///
    /// # Errors
    /// A problem for a parameter that the method does not take, or that is given twice.
    pub(crate) fn read<'a>(&self, query: &'a str) -> Result<Values<'a>, Problem> {
        let keys = match self.body {
            Body::Object(keys) => keys,
            Body::None | Body::Message => &[],
        };
        query::read(query, self.parameters, keys)
    }

    /// The problem of a body that the method does not take.
    pub(crate) fn no_body(&self) -> Problem {
        let mut detail = "there is a body: none is allowed".to_owned();
        if !self.parameters.is_empty() {
            detail = format!("{detail}; {} parameters of the query", Allowed(self.parameters));
        }
        Problem::body(detail)
    }
}

/// The most segments of a route's path.
const SEGMENTS_MAX: usize = 5;

impl<'a> Route<'a> {
    /// The route at a path.
    ///
    /// # Errors
    /// A problem if there is no route.
    pub(crate) fn at(path: &'a str) -> Result<Self, Problem> {
        let mut segments = [""; SEGMENTS_MAX];
        let mut count = 0;
        for segment in path.split('/').skip(1) {
            *segments.get_mut(count).ok_or_else(|| Problem::not_found(path))? = segment;
            count += 1;
        }
        Ok(match segments[..count] {
            ["v1", "ids"] => Self::Ids { sequencer: DEFAULT_SEQUENCER },
            ["v1", "sequencers", name, ref rest @ ..] => Self::of_sequencer(name, rest, path)?,
            // Bytes that are not UTF-8 become a character that no id has.
            ["v1", "decode", id] => Self::Decode { id: percent_decode_str(id).decode_utf8_lossy() },
            ["v1", "range"] => Self::Range,
            ["metrics"] => Self::Metrics,
            ["healthz"] => Self::Health,
            _ => return Err(Problem::not_found(path)),
        })
    }

    fn of_sequencer(name: &'a str, rest: &[&str], path: &str) -> Result<Self, Problem> {
        let lease = |operation| Ok(Self::Lease { sequencer: sequencer_name(name)?, operation });
        match rest {
            [] => Ok(Self::Sequencer { name: sequencer_name(name)? }),
            ["ids"] => Ok(Self::Ids { sequencer: sequencer_name(name)? }),
            ["nodes"] => Ok(Self::Nodes { sequencer: sequencer_name(name)? }),
            ["leases"] => lease(Operation::Acquire),
            ["leases", "renew"] => lease(Operation::Renew),
            ["leases", "release"] => lease(Operation::Release),
            ["batches"] => lease(Operation::Prefetch),
            _ => Err(Problem::not_found(path)),
        }
    }

    /// The methods of the route. `HEAD` takes what `GET` takes. Every caller may send `OPTIONS`,
    /// with any query, because a browser does so before it sends the request itself.
    const fn methods(&self) -> &'static [Method] {
        use Role::{Admin, Issue, Lease, Read};
        use Weight::{Ids, Units};
        const GET: Method = Method::open("GET");
        const POST: Method = Method::open("POST");
        match self {
            Self::Ids { .. } => {
                const { &[POST.role(Issue, Ids).parameters(&["count", "format", "encoding", "tag"])] }
            }
            Self::Sequencer { .. } => {
                const {
                    &[
                        GET.role(Read, Units(5)),
                        Method::open("PUT")
                            .role(Admin, Units(5))
                            .body(Body::Object(&NewSequencer::NAMES)),
                        Method::open("PATCH").role(Admin, Units(5)).body(Body::Object(&OF_CHANGE)),
                        Method::open("DELETE").role(Admin, Units(10)),
                    ]
                }
            }
            Self::Lease { operation: Operation::Prefetch, .. } => {
                const { &[POST.role(Lease, Ids).body(Body::Message)] }
            }
            Self::Lease { .. } => const { &[POST.role(Lease, Units(1)).body(Body::Message)] },
            Self::Nodes { .. } => {
                const { &[GET.role(Read, Units(10)).parameters(&["cursor", "limit"])] }
            }
            Self::Metrics => const { &[GET.role(Read, Units(20)).parameters(&["page"])] },
            Self::Decode { .. } => const { &[GET.parameters(&["layout", "encoding"])] },
            Self::Range => const { &[GET.parameters(&["from", "until", "layout", "node"])] },
            // It may call one object.
            Self::Health => const { &[Method { weight: Units(1), ..GET }] },
        }
    }

    /// What this method takes; `None` if the route does not have it.
    pub(crate) fn takes(&self, method: &str) -> Option<&'static Method> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.methods().iter().find(|takes| takes.name == method)
    }

    /// The methods of the route, as in the header `Allow`.
    pub(crate) fn allow(&self) -> String {
        let mut allow = String::new();
        for Method { name: method, .. } in self.methods() {
            allow.push_str(if *method == "GET" { "GET, HEAD" } else { method });
            allow.push_str(", ");
        }
        allow + "OPTIONS"
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::settings::access::Access;
    use edgeflake_workers::settings::table::{TOKENS, Values};

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
    fn names() {
        let longest = "a".repeat(63);
        for segment in ["default", "a", "-", "0-9", &longest] {
            assert_eq!(sequencer_name(segment).ok(), Some(segment));
        }
        for segment in ["", "A", "a_b", "a.b", "ä", "%61", &"a".repeat(64)] {
            assert!(sequencer_name(segment).is_err(), "{segment}");
        }
    }

    #[test]
    fn methods() {
        for (path, allow) in [
            ("/v1/ids", "POST, OPTIONS"),
            ("/v1/sequencers/a", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
            ("/healthz", "GET, HEAD, OPTIONS"),
        ] {
            assert_eq!(Route::at(path).unwrap().allow(), allow, "{path}");
        }
        assert_eq!(Route::Health.takes("HEAD"), Route::Health.takes("GET"));
        for method in ["POS", "post", "", "OPTIONS", "OPTIONS, POST", "PUT", "HEAD"] {
            assert_eq!(Route::at("/v1/ids").unwrap().takes(method), None, "{method}");
        }
    }

    #[test]
    fn what_is_not_taken_is_named() {
        let detail = |path: &str, method: &str, query: &str| {
            let takes = Route::at(path).unwrap().takes(method).unwrap();
            takes.read(query).err().unwrap().detail.clone()
        };
        assert_eq!(
            detail("/v1/ids", "POST", "count=1&cuont=1"),
            "there is a parameter \"cuont\" (did you mean count?): count, format, encoding and tag are \
             allowed"
        );
        assert_eq!(
            detail("/healthz", "GET", "name=orders"),
            "there is a parameter \"name\": none is allowed"
        );
        assert_eq!(
            detail("/v1/sequencers/a", "PUT", "layout=twitter"),
            "there is a parameter \"layout\": none is allowed; send it as a key of the body"
        );
        let ids = Route::at("/v1/ids").unwrap().takes("POST").unwrap();
        assert_eq!(
            ids.no_body().detail,
            "there is a body: none is allowed; count, format, encoding and tag are parameters of the query"
        );
        let health = Route::Health.takes("GET").unwrap();
        assert_eq!(health.no_body().detail, "there is a body: none is allowed");
    }

    /// The names of all routes. A new route does not compile until `name` names it, and its name
    /// must be one of these.
    const ROUTES: [&str; 11] = [
        "ids",
        "decode",
        "range",
        "sequencer",
        "nodes",
        "metrics",
        "health",
        "acquire",
        "renew",
        "release",
        "prefetch",
    ];

    fn name(route: &Route<'_>) -> &'static str {
        let name = match route {
            Route::Ids { .. } => "ids",
            Route::Decode { .. } => "decode",
            Route::Range => "range",
            Route::Sequencer { .. } => "sequencer",
            Route::Nodes { .. } => "nodes",
            Route::Metrics => "metrics",
            Route::Health => "health",
            Route::Lease { operation: Operation::Acquire, .. } => "acquire",
            Route::Lease { operation: Operation::Renew, .. } => "renew",
            Route::Lease { operation: Operation::Release, .. } => "release",
            Route::Lease { operation: Operation::Prefetch, .. } => "prefetch",
        };
        assert!(ROUTES.contains(&name), "{name} is not in ROUTES");
        name
    }

    /// The lowest role that the description of an operation names; `None` if it needs no token.
    fn described_role(operation: &Value) -> Option<Role> {
        let schemes: BTreeSet<_> = operation["security"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|scheme| scheme.as_object().unwrap().keys().map(String::as_str))
            .collect();
        let has = |role: &Role| schemes.contains(&*role.secret().to_lowercase());
        Role::ALL.into_iter().find(has)
    }

    /// What a reference stands for, or the value itself.
    fn resolved<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
        let reference = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        reference.map_or(value, |pointer| description.pointer(pointer).unwrap())
    }

    #[test]
    fn the_table_requires_and_takes_what_the_description_says() {
        const METHODS: [&str; 5] = ["GET", "POST", "PUT", "DELETE", "PATCH"];
        let text = include_str!("../../../www/openapi.json");
        let description: Value = serde_json::from_str(text).unwrap();
        let roles = Role::ALL.map(Role::secret).map(Some);
        let tokens = [&[None, Some("unknown")][..], &roles].concat();
        // The value of each secret is its name.
        let values = Values { tokens: TOKENS.map(str::to_owned), ..Values::default() };
        let access = Access::read(&values).unwrap();
        let mut seen = BTreeSet::new();
        for (path, item) in description["paths"].as_object().unwrap() {
            let path = path.replace("{name}", "a").replace("{id}", "1");
            let route = Route::at(&path).unwrap();
            seen.insert(name(&route));
            for method in METHODS {
                let operation = &item[method.to_lowercase()];
                let Some(takes) = route.takes(method) else {
                    assert!(operation.is_null(), "{method} {path} is described");
                    continue;
                };
                assert!(operation.is_object(), "{method} {path} is not described");
                let parameters: Vec<_> = operation["parameters"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|parameter| resolved(&description, parameter))
                    .filter(|parameter| parameter["in"] == "query")
                    .map(|parameter| parameter["name"].as_str().unwrap())
                    .collect();
                assert_eq!(parameters, takes.parameters, "{method} {path}");
                let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                let body = resolved(&description, body);
                match takes.body {
                    Body::None => assert!(body.is_null(), "{method} {path}"),
                    Body::Message => assert!(body["properties"].is_object(), "{method} {path}"),
                    Body::Object(keys) => {
                        let described = body["properties"].as_object().unwrap().keys();
                        let described: BTreeSet<_> = described.map(String::as_str).collect();
                        assert_eq!(described, keys.iter().copied().collect(), "{method} {path}");
                        assert_eq!(body["additionalProperties"], false, "{method} {path}");
                    }
                }
                let role = described_role(operation);
                for (index, token) in tokens.iter().copied().enumerate() {
                    let header = || token.map(|token| format!("Bearer {token}"));
                    let found = takes.role.map(|role| access.admit(role, header));
                    let found = found.unwrap_or(Ok(None)).map_err(|error| error.status);
                    let expected = match role {
                        None => Ok(None),
                        Some(_) if index < 2 => Err(401),
                        Some(needed) => {
                            let role = Role::ALL[index - 2];
                            if role >= needed { Ok(Some(role)) } else { Err(403) }
                        }
                    };
                    assert_eq!(found, expected, "{method} {path} with {token:?}");
                }
                let is_limited = operation["responses"]["429"].is_object();
                assert_eq!(takes.weight != Weight::Free, is_limited, "{method} {path}");
                let weight = match takes.weight {
                    Weight::Free => Value::Null,
                    Weight::Units(units) => units.into(),
                    Weight::Ids => "ids".into(),
                };
                assert_eq!(operation["x-edgeflake-weight"], weight, "{method} {path}");
            }
        }
        assert_eq!(seen, ROUTES.into_iter().collect(), "routes that are described");
    }
}
