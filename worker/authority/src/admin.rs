//! How a sequencer is created, shown and destroyed: by the routes of the Worker, and by `admin` of
//! `edgeflake/authority`.

mod described;
pub mod lifecycle;
pub mod registry;
pub mod status;
pub mod wanted;
