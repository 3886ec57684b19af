//! Leases a node of an edgeflake authority in a tokio service, and issues ids from memory.
//!
//! Add `edgeflake-client` to a service, and give it the URL of an authority: edgeflake's Worker, or
//! `npx edgeflake authority serve` on a server of your own.
//!
//! ```no_run
//! # async fn example(token: &str) -> Result<(), edgeflake_client::Error> {
//! use edgeflake_client::LeasedIds;
//!
//! let ids = LeasedIds::builder()
//!     .authority("https://ids.example.com")
//!     .token(token)
//!     .sequencer("orders")
//!     .build()?;
//! let order: u64 = ids.next().await?;
//! let many: Vec<u64> = ids.batch(1_000).await?;
//! ids.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! The first id acquires the lease of a node, which takes a round trip. After that, ids come from
//! memory, while later requests renew the lease in the background. If the authority cannot be
//! reached, the lease serves ids until it ends. **No id is ever issued twice**, whatever the clocks
//! do: the [guarantees](https://docs.rs/edgeflake) are those of the crate `edgeflake`.
//!
//! Make one [`LeasedIds`] per process and sequencer, and clone it: all clones share one lease.
//!
//! # Logs and metrics
//!
//! Changes of the lease are events of [`tracing`]. If a recorder of [`metrics`] is installed before
//! you build, it gets the counters `edgeflake_ids_issued_total` and `edgeflake_calls_total` (with
//! the label `outcome`) and the histogram `edgeflake_call_seconds`, each with the label `sequencer`.

mod builder;
mod error;
#[cfg(feature = "http")]
mod http;
mod ids;
mod report;
#[cfg(all(test, feature = "http"))]
mod tests;
mod transport;

pub use self::builder::Builder;
pub use self::error::Error;
pub use self::ids::LeasedIds;
