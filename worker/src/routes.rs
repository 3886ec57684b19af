//! Lists all routes. `npm run generate` writes `www/openapi.json` and the table in `docs/API.md`
//! from this file.

pub(crate) mod decode;
pub(crate) mod ids;
pub(crate) mod leases;
mod lifecycle;
pub(crate) mod metrics;
pub(crate) mod parameters;
pub(crate) mod range;
pub(crate) mod route;
mod status;

use std::pin::Pin;

#[cfg(not(target_family = "wasm"))]
use edgeflake::lease;
use edgeflake_workers::admin::new_sequencer::{NewSequencer, OF_CHANGE};
#[cfg(not(target_family = "wasm"))]
use edgeflake_workers::admin::outcome::Description as Sequencer;
use edgeflake_workers::problem::Problem;
use worker::web_sys::Response;

use self::parameters::{
    COUNT, CURSOR, ENCODING, FORMAT, FROM, LAYOUT, LIMIT, METRICS_PAGE, NODE, PARAMETERS_MAX,
    READ_ENCODING, TAG, UNTIL, WINDOW_LAYOUT,
};
use self::route::{Body, Operation, Route, Weight};
use crate::admission::AdmittedRequest;
#[cfg(not(target_family = "wasm"))]
use crate::openapi::{
    description::{Accepted, Content, Description, Success},
    schemas,
};
use crate::settings::access::Role::{Admin, Issue, Lease, Read};

/// A route, and the code that answers its requests.
pub(crate) struct Endpoint {
    pub(crate) route: Route,
    pub(crate) handler: Handler,
}

/// The code that answers an admitted request. The second argument is the parameter of the request's
/// path.
type Handler = for<'a> fn(
    &'a AdmittedRequest<'a>,
    &'a str,
) -> Pin<Box<dyn Future<Output = Result<Response, Problem>> + 'a>>;

/// Makes `ENDPOINTS` from the table, and `DESCRIPTIONS` from the last part of each row. A deployed
/// Worker does not contain the descriptions.
macro_rules! routes {
    ($(
        $method:literal $path:literal => |$request:tt, $name:tt| $answer:expr;
        role: $role:expr, weight: $weight:expr,
        query: [$($parameter:ident),*], body: $body:expr;
        { $($description:tt)* }
    )+) => {
        /// All routes, in the order of the documents.
        pub(crate) const ENDPOINTS: &[Endpoint] = &[$(Endpoint {
            route: Route {
                method: $method,
                path: $path,
                role: $role,
                weight: $weight,
                parameters: {
                    const NAMES: &[&str] = &[$($parameter.name),*];
                    assert!(NAMES.len() <= PARAMETERS_MAX);
                    NAMES
                },
                body: $body,
            },
            handler: |$request, $name| Box::pin($answer),
        }),+];

        /// The descriptions of the routes, in the same order.
        #[cfg(not(target_family = "wasm"))]
        pub(crate) const DESCRIPTIONS: &[Description] = &[$(Description {
            parameters: &[$($parameter),*],
            $($description)*
        }),+];
    };
}

routes! {
    "POST" "/v1/ids" => |request, name| ids::answer(request, name);
    role: Some(Issue), weight: Weight::Ids,
    query: [COUNT, FORMAT, ENCODING, TAG], body: Body::None;
    {
        id: "issue",
        tag: "Ids",
        summary: "Issue ids",
        text: "Ids of the sequencer `default`. You get all of them or none.",
        ..Description::ISSUED
    }

    "GET" "/v1/decode/{id}" => |request, id| async move { decode::answer(request, id) };
    role: None, weight: Weight::Free,
    query: [LAYOUT, READ_ENCODING], body: Body::None;
    {
        id: "decode",
        tag: "Reading",
        summary: "Take an id apart",
        text: "Without `layout`, there is one reading for each preset that could have made the \
               id, the likeliest first.",
        answers: &[Success::json::<decode::DecodedId>(200, "What the id says.")],
        ..Description::NONE
    }

    "GET" "/v1/range" => |request, _| async move { range::answer(request) };
    role: None, weight: Weight::Free,
    query: [FROM, UNTIL, WINDOW_LAYOUT, NODE], body: Body::None;
    {
        id: "range",
        tag: "Reading",
        summary: "The smallest and the largest id of a time window",
        text: "The smallest and the largest id of the ticks that start in `[from, until)`, for \
               `BETWEEN` in a query.",
        answers: &[Success::json::<range::Window>(200, "The window.")],
        ..Description::NONE
    }

    // A request to this route calls at most one object.
    "GET" "/healthz" => |request, _| status::health(request);
    role: None, weight: Weight::Units(1),
    query: [], body: Body::None;
    {
        id: "health",
        tag: "Operation",
        summary: "Whether this isolate has a lease, or the authority answers",
        text: "Succeeds if the variables can be used, and this isolate has a lease of `default` \
               that has not ended by its clock; then the authority is not asked. Without a lease \
               it succeeds if the layout of the variables has begun and not ended, and the first \
               shard of `default` says within 5 s that it can read its storage. It does not show \
               that a shard can write, that a node is free, or that other shards answer, nor, \
               without a lease, that `default` was not destroyed. It creates and issues nothing.",
        answers: &[Success::json::<schemas::Health>(
            200,
            "The isolate has a lease, or the authority answers.",
        )],
        ..Description::NONE
    }

    // A request to this route calls all shards of `default`.
    "GET" "/readyz" => |request, _| status::ready(request);
    role: None, weight: Weight::Units(5),
    query: [], body: Body::None;
    {
        id: "ready",
        tag: "Operation",
        summary: "Whether a lease of `default` can be granted now",
        text: "Succeeds if a shard of `default` answers within 5 s, has written in the last \
               minute or can write, and has a free node. It creates and issues nothing, and a \
               shard writes at most one row a minute for it.",
        answers: &[Success::json::<schemas::Health>(200, "A lease can be granted.")],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/ids" => |request, name| ids::answer(request, name);
    role: Some(Issue), weight: Weight::Ids,
    query: [COUNT, FORMAT, ENCODING, TAG], body: Body::None;
    {
        id: "issueOf",
        tag: "Sequencers",
        summary: "Issue ids of a named sequencer",
        ..Description::ISSUED
    }

    "PUT" "/v1/sequencers/{name}" => |request, name| lifecycle::create(request, name);
    role: Some(Admin), weight: Weight::Units(5),
    query: [], body: Body::Object(&NewSequencer::NAMES);
    {
        id: "create",
        tag: "Sequencers",
        summary: "Create a sequencer",
        text: "Binds a configuration to the name for good. The same configuration again changes \
               nothing, and another one is a conflict. Without a body, the configuration is that \
               of the variables.",
        body: Some(Accepted::optional::<NewSequencer>()),
        answers: &[
            Success::json::<Sequencer>(200, "It was there already."),
            Success::json::<Sequencer>(201, "It was created."),
        ],
        never: &[404, 410],
    }

    "GET" "/v1/sequencers/{name}" => |request, name| status::answer(request, name);
    role: Some(Read), weight: Weight::Units(5),
    query: [], body: Body::None;
    {
        id: "status",
        tag: "Sequencers",
        summary: "Status of a sequencer",
        answers: &[Success::json::<Sequencer>(200, "Its status.")],
        ..Description::NONE
    }

    "PATCH" "/v1/sequencers/{name}" => |request, name| lifecycle::change(request, name);
    role: Some(Admin), weight: Weight::Units(5),
    query: [], body: Body::Object(&OF_CHANGE);
    {
        id: "shrink",
        tag: "Sequencers",
        summary: "Give up nodes of a sequencer",
        text: "The sequencer keeps its first `node_count` nodes, and gives up the others for \
               good. Meanwhile, it goes on granting leases. It can give up only nodes that were \
               never granted, so another sequencer of the same layout may have these nodes. If \
               the request was broken off, send it again to continue.",
        body: Some(Accepted::required::<schemas::Change>()),
        answers: &[Success::json::<Sequencer>(
            200,
            "Every shard that had nodes to give up has confirmed.",
        )],
        ..Description::NONE
    }

    "DELETE" "/v1/sequencers/{name}" => |request, name| lifecycle::destroy(request, name);
    role: Some(Admin), weight: Weight::Units(10),
    query: [], body: Body::None;
    {
        id: "destroy",
        tag: "Sequencers",
        summary: "Destroy a sequencer",
        text: "Ends granting and renewing in all shards. If the request was broken off, send it \
               again to continue.",
        answers: &[Success::json::<Sequencer>(200, "Every shard has confirmed.")],
        never: &[410],
        ..Description::NONE
    }

    "GET" "/v1/sequencers/{name}/nodes" => |request, name| status::nodes(request, name);
    role: Some(Read), weight: Weight::Units(10),
    query: [CURSOR, LIMIT], body: Body::None;
    {
        id: "nodes",
        tag: "Sequencers",
        summary: "The nodes that were ever used, page by page",
        answers: &[Success::json::<schemas::Nodes>(
            200,
            "A page of the nodes by shard. It has `next` unless it is the last one.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases" => |request, name| leases::answer(request, name, Operation::Acquire);
    role: Some(Lease), weight: Weight::Units(1),
    query: [], body: Body::Message;
    {
        id: "acquire",
        tag: "Leases",
        summary: "Acquire a lease",
        body: Some(Accepted::message::<lease::Acquire>()),
        answers: &[Success::reply(
            &["granted"],
            "A span: the caller may issue each of its counters once.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases/renew" => |request, name| leases::answer(request, name, Operation::Renew);
    role: Some(Lease), weight: Weight::Units(1),
    query: [], body: Body::Message;
    {
        id: "renew",
        tag: "Leases",
        summary: "Renew a lease",
        body: Some(Accepted::message::<lease::Renew>()),
        answers: &[Success::reply(
            &["renewed", "ended"],
            "A later end of the span, or `ended`: then use the span to its end, and acquire \
             another lease.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases/release" => |request, name| leases::answer(request, name, Operation::Release);
    role: Some(Lease), weight: Weight::Units(1),
    query: [], body: Body::Message;
    {
        id: "release",
        tag: "Leases",
        summary: "Release a lease",
        text: "The holder has closed its generator, and never touches the lease again, whatever \
               the answer.",
        body: Some(Accepted::message::<lease::Release>()),
        answers: &[Success::reply(
            &["released", "ended"],
            "`released`, or `ended` if the span was not the newest of its node.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/batches" => |request, name| leases::answer(request, name, Operation::Prefetch);
    role: Some(Lease), weight: Weight::Ids,
    query: [], body: Body::Message;
    {
        id: "batch",
        tag: "Leases",
        summary: "Fetch a batch: a range of counters, from which the caller builds ids",
        body: Some(Accepted::message::<lease::Prefetch>()),
        answers: &[Success::reply(
            &["batched"],
            "An interval of counters, which you may issue to its end.",
        )],
        ..Description::NONE
    }

    "GET" "/metrics" => |request, _| metrics::answer(request);
    role: Some(Read), weight: Weight::Units(20),
    query: [METRICS_PAGE], body: Body::None;
    {
        id: "metrics",
        tag: "Operation",
        summary: "Metrics of all sequencers, for Prometheus",
        answers: &[Success { status: 200, text: "The metrics.", content: Content::Metrics }],
        ..Description::NONE
    }
}
