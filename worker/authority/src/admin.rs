//! How a sequencer is created, shown, shrunk and destroyed. The routes of the Worker, the crate
//! `edgeflake-workers` and `admin` of `edgeflake/authority` use it.

pub mod administration;
mod described;
pub mod options;
pub mod shell;
pub mod usage;
pub mod wanted;
