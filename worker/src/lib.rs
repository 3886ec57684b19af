//! The edge Worker.
//!
//! | method | path | answer | where |
//! |---|---|---|---|
//! | `POST` | `/v1/ids` | ids: `?count=`, `?format=`, `?encoding=` | `ids.rs` |
//! | `POST` | `/v1/sequencers/{name}/ids` | ids of a named sequencer | `ids.rs` |
//! | `GET` | `/v1/decode/{id}` | an id taken apart: `?layout=`, `?encoding=` | `decode.rs` |
//! | `GET` | `/v1/range` | the ids of `?from=` and `?until=`, `?layout=`, `?node=` | `range.rs` |
//! | `PUT`, `DELETE` | `/v1/sequencers/{name}` | creates and destroys a sequencer | `lifecycle.rs` |
//! | `GET` | `/v1/sequencers/{name}` | its status | `status.rs` |
//! | `GET` | `/v1/sequencers/{name}/nodes` | all nodes that were ever used | `status.rs` |
//! | `POST` | `/v1/sequencers/{name}/leases`, `.../renew`, `.../release` | leases | `leases.rs` |
//! | `POST` | `/v1/sequencers/{name}/batches` | batches | `leases.rs` |
//! | `GET` | `/metrics` | metrics of all sequencers | `metrics.rs` |
//! | `GET` | `/healthz` | 200 when this isolate can issue an id | `health.rs` |
//!
//! `HEAD` is answered as `GET`, `OPTIONS` by what a path takes. Who may do what says `access.rs`.
//! Everything else is answered by a problem of RFC 9457, see `problem.rs`; but for the paths of the
//! page's files and of `openapi.json`, which the platform answers itself from `www/`.
//! Another Worker that binds this one calls `next`, `batch` and `decode`, see `rpc.rs`.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod access;
mod address;
mod answer;
mod authority;
mod clock;
mod config;
mod cors;
mod decode;
mod directory;
mod handler;
mod health;
mod ids;
mod incoming;
mod isolate;
mod leases;
mod lifecycle;
mod metrics;
mod objects;
mod problem;
mod query;
mod range;
mod region;
mod route;
mod rpc;
mod sequencer;
mod settings;
mod status;
mod store;
mod together;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

pub use authority::Authority;
pub use directory::Directory;
pub use handler::fetch;
pub use rpc::{Entrypoint, batch, decode_id, next};
pub use settings::check;

use incoming::Incoming;
use problem::Problem;
use route::Route;
use settings::Settings;
use worker::web_sys::{Request, Response};
use worker::{Context, Env};

/// Answers a request.
async fn respond(request: Request, env: Env, context: Context) -> Response {
    let settings = match Settings::of(&env) {
        Ok(settings) => settings,
        Err(problem) => return problem.into_response(),
    };
    let (url, method) = (request.url(), request.method());
    let (path, query) = incoming::target(&url);
    let incoming =
        Incoming { request: &request, query, env: &env, context: &context, settings: &settings };
    let route = Route::at(path);
    let methods = route.as_ref().map(Route::methods).ok().filter(|_| method == "OPTIONS");
    let answered = match route {
        Ok(route) => dispatch(route, &method, &incoming).await,
        Err(problem) => Err(problem),
    };
    let response = answered.unwrap_or_else(Problem::into_response);
    settings.cors.apply(&request, &response, methods);
    response
}

async fn dispatch(
    route: Route<'_>,
    method: &str,
    incoming: &Incoming<'_>,
) -> Result<Response, Problem> {
    if !route.takes(method) {
        return Err(Problem::method(method, route.methods()));
    }
    if method == "OPTIONS" {
        return Ok(answer::empty("Allow", route.methods()));
    }
    match route {
        Route::Ids { sequencer } => ids::answer(incoming, sequencer).await,
        Route::Decode { id } => decode::answer(incoming, &id),
        Route::Range => range::answer(incoming),
        Route::Sequencer { name } => match method {
            "PUT" => lifecycle::create(incoming, name).await,
            "DELETE" => lifecycle::destroy(incoming, name).await,
            _ => status::answer(incoming, name).await,
        },
        Route::Nodes { sequencer } => status::nodes(incoming, sequencer).await,
        Route::Lease { sequencer, operation } => {
            leases::answer(incoming, sequencer, operation).await
        }
        Route::Metrics => metrics::answer(incoming).await,
        Route::Health => health::answer(incoming).await,
    }
}
