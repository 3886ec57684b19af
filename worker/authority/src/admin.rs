//! How a sequencer is created, shown, changed and destroyed: by the routes of the Worker, and by `admin` of
//! `edgeflake/authority`.

pub mod audit;
pub mod change;
mod described;
pub mod lifecycle;
pub mod registry;
pub mod status;
pub mod usage;
pub mod wanted;
