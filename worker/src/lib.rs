//! The edge Worker.
//!
//! | method | path | answer | where |
//! |---|---|---|---|
//! | `POST` | `/v1/ids` | ids: `?count=`, `?format=`, `?encoding=` | `ids.rs` |
//! | `POST` | `/v1/sequencers/{name}/ids` | ids of a named sequencer | `ids.rs` |
//! | `GET` | `/healthz` | 200 when this isolate can issue an id | `health.rs` |
//!
//! Everything else is answered by a problem of RFC 9457, see `problem.rs`; but for the paths of the
//! page's files and of `openapi.json`, which the platform answers itself from `www/`.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod address;
mod answer;
mod authority;
mod clock;
mod config;
mod directory;
mod health;
mod ids;
mod incoming;
mod isolate;
mod objects;
mod problem;
mod query;
mod region;
mod route;
mod sequencer;
mod store;
mod wire;

pub use authority::Authority;
pub use directory::Directory;

use incoming::Incoming;
use problem::Problem;
use route::Route;
use worker::{Context, Env, Result, event, web_sys};

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, context: Context) -> Result<web_sys::Response> {
    let (url, method) = (request.url(), request.method());
    let (path, query) = incoming::target(&url);
    let incoming = Incoming { query, env: &env, context: &context };
    Ok(dispatch(&method, path, &incoming).await.unwrap_or_else(Problem::into_response))
}

async fn dispatch(
    method: &str,
    path: &str,
    incoming: &Incoming<'_>,
) -> std::result::Result<web_sys::Response, Problem> {
    let route = Route::at(path)?;
    if !route.takes(method) {
        return Err(Problem::method(method, route.methods()));
    }
    if method == "OPTIONS" {
        return Ok(answer::empty("Allow", route.methods()));
    }
    match route {
        Route::Ids { sequencer } => ids::answer(incoming, sequencer).await,
        Route::Health => health::answer(incoming).await,
    }
}
