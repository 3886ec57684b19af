//! The Worker that runs at the edge.
//!
//! `routes.rs` lists the routes, and says which file answers each route.
//!
//! `HEAD` is answered as `GET`, and `OPTIONS` lists the methods of a path. The platform itself
//! answers the paths of the page's files and of `openapi.json`, from `www/`. A request for anything
//! else gets an RFC 9457 problem (`problem.rs` of `worker/crate`). Another Worker that binds this
//! Worker calls the methods of `rpc.rs`.
//!
//! A request enters at `fetch` in `respond.rs`, which reads the settings of the environment
//! (`settings.rs`), finds the request's route and the route's requirements (`routes.rs`), and
//! admits the request or refuses it (`admission.rs`). Only then does the code of the route run.
//! This code gets ids from the crate `edgeflake-workers`, which keeps this isolate's leases and
//! asks the Durable Objects for these leases.
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

mod admission;
mod http {
    //! Reads requests and writes responses, for the routes.

    pub(crate) mod answer;
    pub(crate) mod request;
}
mod openapi;
mod respond;
mod routes;
mod rpc;
mod settings;

pub use edgeflake_workers::{Authority, Directory};
#[cfg(not(target_family = "wasm"))]
pub use openapi::{Overview, openapi, overview};
pub use respond::fetch;
#[cfg(not(target_family = "wasm"))]
pub use routes::metrics::metrics;
pub use rpc::{Method, call, decode_id, sequencer_name};
pub use settings::check;
