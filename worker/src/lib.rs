//! The edge Worker.
//!
//! | method | path | answer | where in `routes/` |
//! |---|---|---|---|
//! | `POST` | `/v1/ids` | ids: `?count=`, `?format=`, `?encoding=` | `ids.rs` |
//! | `POST` | `/v1/sequencers/{name}/ids` | ids of a named sequencer | `ids.rs` |
//! | `GET` | `/v1/decode/{id}` | an id taken apart: `?layout=`, `?encoding=` | `decode.rs` |
//! | `GET` | `/v1/range` | the ids of `?from=` and `?until=`, `?layout=`, `?node=` | `range.rs` |
//! | `PUT`, `PATCH`, `DELETE` | `/v1/sequencers/{name}` | creates, changes and destroys a sequencer | `lifecycle.rs` |
//! | `GET` | `/v1/sequencers/{name}` | its status | `status.rs` |
//! | `GET` | `/v1/sequencers/{name}/nodes` | all nodes that were ever used | `status.rs` |
//! | `POST` | `/v1/sequencers/{name}/leases`, `.../renew`, `.../release` | leases | `leases.rs` |
//! | `POST` | `/v1/sequencers/{name}/batches` | batches | `leases.rs` |
//! | `GET` | `/metrics` | metrics of all sequencers | `metrics.rs` |
//! | `GET` | `/healthz` | 200 when this isolate has a lease, or the authority answers | `health.rs` |
//!
//! `HEAD` is answered as `GET`, and `OPTIONS` lists the methods of a path. Everything else is
//! answered by an RFC 9457 problem (`problem.rs` of `worker/authority`), except that the platform
//! itself answers the paths of the page's files and of `openapi.json` from `www/`. Another Worker
//! that binds this one calls the methods of `rpc.rs`.
//!
//! A request goes from `handler.rs` to `routes.rs`, which reads the settings of its environment
//! (`settings.rs`), finds its route and the route's requirements (`routes/table.rs`), and admits
//! the request or refuses it (`admission.rs`). Only then does the code of the route run. It gets
//! ids from the crate `edgeflake-workers`, which keeps this isolate's leases and asks the Durable
//! Objects for them.
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

mod admission;
mod audit;
mod handler;
mod http;
mod routes;
mod rpc;
mod settings;

pub use edgeflake_authority::{Authority, Directory};
pub use handler::fetch;
pub use rpc::{Method, call, decode_id, sequencer_name};
pub use settings::check;
