//! All routes. `npm run generate` writes `www/openapi.json` and the table in `docs/API.md` from here.

use edgeflake_workers::admin::new_sequencer::{NewSequencer, OF_CHANGE};

use crate::http::query::PARAMETERS_MAX;
#[cfg(not(target_family = "wasm"))]
use crate::routes::description::{
    Accepted, Content, DecodedId, Description, Sequencer, Success, Window, holder, nodes,
};
use crate::routes::parameters::{
    COUNT, CURSOR, ENCODING, FORMAT, FROM, LAYOUT, LIMIT, METRICS_PAGE, NODE, READ_ENCODING, TAG,
    UNTIL, WINDOW_LAYOUT,
};
use crate::routes::route::{Body, Endpoint, Operation, Route, Weight};
use crate::settings::access::Role::{Admin, Issue, Lease, Read};

/// Makes `ROUTES` of the table, and of each row's last part `DESCRIPTIONS`, which no Worker has
/// inside.
macro_rules! routes {
    ($(
        $method:literal $path:literal => $endpoint:expr, $role:expr, $weight:expr,
        [$($parameter:ident),*], $body:expr;
        { $($description:tt)* }
    )+) => {
        /// All routes, in the order in which documents list them.
        pub(crate) const ROUTES: &[Route] = &[$(Route {
            method: $method,
            path: $path,
            endpoint: $endpoint,
            role: $role,
            weight: $weight,
            parameters: {
                const NAMES: &[&str] = &[$($parameter.name),*];
                assert!(NAMES.len() <= PARAMETERS_MAX);
                NAMES
            },
            body: $body,
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
    "POST" "/v1/ids" => Endpoint::Ids, Some(Issue), Weight::Ids,
    [COUNT, FORMAT, ENCODING, TAG], Body::None;
    {
        id: "issue",
        tag: "Ids",
        summary: "Issue ids",
        text: "Ids of the sequencer `default`. You get all of them or none.",
        ..Description::ISSUED
    }

    "GET" "/v1/decode/{id}" => Endpoint::Decode, None, Weight::Free,
    [LAYOUT, READ_ENCODING], Body::None;
    {
        id: "decode",
        tag: "Reading",
        summary: "Take an id apart",
        text: "Without `layout`, there is one reading for each preset that could have made the \
               id, the likeliest first.",
        answers: &[Success::json::<DecodedId>(200, "What the id says.")],
        ..Description::NONE
    }

    "GET" "/v1/range" => Endpoint::Range, None, Weight::Free,
    [FROM, UNTIL, WINDOW_LAYOUT, NODE], Body::None;
    {
        id: "range",
        tag: "Reading",
        summary: "The smallest and the largest id of a time window",
        text: "The smallest and the largest id of the ticks that start in `[from, until)`, for \
               `BETWEEN` in a query.",
        answers: &[Success::json::<Window>(200, "The window.")],
        ..Description::NONE
    }

    // It may call one object.
    "GET" "/healthz" => Endpoint::Health, None, Weight::Units(1), [], Body::None;
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
        answers: &[Success::json::<nodes::Health>(
            200,
            "It has a lease, or the authority answers.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/ids" => Endpoint::Ids, Some(Issue), Weight::Ids,
    [COUNT, FORMAT, ENCODING, TAG], Body::None;
    {
        id: "issueOf",
        tag: "Sequencers",
        summary: "Issue ids of a named sequencer",
        ..Description::ISSUED
    }

    "PUT" "/v1/sequencers/{name}" => Endpoint::Create, Some(Admin), Weight::Units(5),
    [], Body::Object(&NewSequencer::NAMES);
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

    "GET" "/v1/sequencers/{name}" => Endpoint::Status, Some(Read), Weight::Units(5),
    [], Body::None;
    {
        id: "status",
        tag: "Sequencers",
        summary: "Status of a sequencer",
        answers: &[Success::json::<Sequencer>(200, "Its status.")],
        ..Description::NONE
    }

    "PATCH" "/v1/sequencers/{name}" => Endpoint::Shrink, Some(Admin), Weight::Units(5),
    [], Body::Object(&OF_CHANGE);
    {
        id: "shrink",
        tag: "Sequencers",
        summary: "Give up nodes of a sequencer",
        text: "The sequencer keeps `node_count` nodes from its first one on, and gives up those \
               after them for good, while it grants. They must never have been granted, so \
               another sequencer of the same layout may have them. If you send the same request \
               again, it goes on where it was broken off.",
        body: Some(Accepted::required::<nodes::Change>()),
        answers: &[Success::json::<Sequencer>(
            200,
            "Every shard that had such nodes has confirmed.",
        )],
        ..Description::NONE
    }

    "DELETE" "/v1/sequencers/{name}" => Endpoint::Destroy, Some(Admin), Weight::Units(10),
    [], Body::None;
    {
        id: "destroy",
        tag: "Sequencers",
        summary: "Destroy a sequencer",
        text: "Ends granting and renewing in all shards. If you send the same request again, it \
               goes on where it was broken off.",
        answers: &[Success::json::<Sequencer>(200, "Every shard has confirmed.")],
        never: &[410],
        ..Description::NONE
    }

    "GET" "/v1/sequencers/{name}/nodes" => Endpoint::Nodes, Some(Read), Weight::Units(10),
    [CURSOR, LIMIT], Body::None;
    {
        id: "nodes",
        tag: "Sequencers",
        summary: "The nodes that were ever used, page by page",
        answers: &[Success::json::<nodes::Nodes>(
            200,
            "A page of the nodes by shard. It has `next` unless it is the last one.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases" => Endpoint::Lease(Operation::Acquire), Some(Lease),
    Weight::Units(1), [], Body::Message;
    {
        id: "acquire",
        tag: "Leases",
        summary: "Acquire a lease",
        body: Some(Accepted::required::<holder::Acquire>()),
        answers: &[Success::json::<holder::Granted>(
            200,
            "A span, each counter of which may be issued once.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases/renew" => Endpoint::Lease(Operation::Renew), Some(Lease),
    Weight::Units(1), [], Body::Message;
    {
        id: "renew",
        tag: "Leases",
        summary: "Renew a lease",
        body: Some(Accepted::required::<holder::Renew>()),
        answers: &[Success::json::<holder::Renewed>(
            200,
            "A later end of the span, or `ended`: then use the span to its end, and acquire \
             another lease.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/leases/release" => Endpoint::Lease(Operation::Release),
    Some(Lease), Weight::Units(1), [], Body::Message;
    {
        id: "release",
        tag: "Leases",
        summary: "Release a lease",
        text: "The holder has closed its generator, and never touches the lease again, whatever \
               the answer.",
        body: Some(Accepted::required::<holder::Release>()),
        answers: &[Success::json::<holder::Released>(
            200,
            "`released`, or `ended` if the span was not the newest of its node.",
        )],
        ..Description::NONE
    }

    "POST" "/v1/sequencers/{name}/batches" => Endpoint::Lease(Operation::Prefetch), Some(Lease),
    Weight::Ids, [], Body::Message;
    {
        id: "batch",
        tag: "Leases",
        summary: "Fetch a batch: a range of counters, from which the caller builds ids",
        body: Some(Accepted::required::<holder::Prefetch>()),
        answers: &[Success::json::<holder::Batched>(
            200,
            "An interval of counters, which you may issue to its end.",
        )],
        ..Description::NONE
    }

    "GET" "/metrics" => Endpoint::Metrics, Some(Read), Weight::Units(20),
    [METRICS_PAGE], Body::None;
    {
        id: "metrics",
        tag: "Operation",
        summary: "Metrics of all sequencers, for Prometheus",
        answers: &[Success { status: 200, text: "The metrics.", content: Content::Metrics }],
        ..Description::NONE
    }
}

#[cfg(test)]
mod tests {
    use crate::routes::location::Location;

    #[test]
    fn what_is_not_taken_is_named() {
        let route = |method: &str, path| Location::at(path).ok().unwrap().route(method).unwrap();
        let detail = |path, method: &str, query: &str| {
            route(method, path).read(query).err().unwrap().detail.clone()
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
        assert_eq!(
            route("POST", "/v1/ids").no_body().detail,
            "there is a body: none is allowed; count, format, encoding and tag are parameters of the query"
        );
        let health = route("GET", "/healthz");
        assert_eq!(health.no_body().detail, "there is a body: none is allowed");
    }
}
