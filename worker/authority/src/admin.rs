//! How a sequencer is created, shown, changed and destroyed. The routes of the Worker use it, and
//! so does `admin` of `edgeflake/authority`.

pub mod audit;
pub mod change;
mod described;
pub mod lifecycle;
pub mod registry;
pub mod status;
pub mod usage;
pub mod wanted;
