//! The simulated world around the real authorities, shard routers, holders and generators:
//! everything outside them that may go wrong. The programs in `src/bin/` run in it.
#![expect(
    missing_docs,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "this crate is only for tests, and its users read all of it"
)]

mod arguments;
mod calendar;
mod clock;
mod database;
mod disk;
mod ledger;
mod network;
mod platform;
mod random;
mod tally;
mod task;

pub use arguments::read_arguments;
pub use calendar::Calendar;
pub use clock::Clock;
pub use database::Database;
pub use disk::Disk;
pub use ledger::{Answered, Lease, Ledger, has_ticks_of};
pub use network::{Delivery, Network};
pub use platform::{Answer, Around, COMMIT_FATES, Object, Output, Sender};
pub use random::Random;
pub use tally::{Count, Tallied, Tally};
pub use task::{CallResult, Task};
