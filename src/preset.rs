//! Layouts of known systems, usable in `const` context.
//!
//! A preset says how a system divides its ids' bits, not how the system issues them. If the users
//! of a system choose the epoch, the preset has a default epoch, and
//! [`Layout::with_epoch`](crate::Layout::with_epoch) sets another epoch:
//!
//! ```
//! use edgeflake::{Layout, preset};
//!
//! const MINE: Layout = match preset::BWMARRIN.with_epoch(1_735_689_600_000) {
//!     Ok(layout) => layout,
//!     Err(_) => panic!("an epoch that leaves no room for 41 bits"),
//! };
//! assert_eq!(MINE.start_ms(0), 1_735_689_600_000);
//! ```
//!
//! A layout that has run out still splits ids into their parts. But no generator issues more ids of
//! such a layout, because [`Layout::tick`](crate::Layout::tick) fails with the date at which the
//! layout ended. With a later epoch, the old ids would be issued again;
//! [`Layout::overlap`](crate::Layout::overlap) warns of this.

mod example;
mod library;
mod own;
mod row;
mod service;
mod table;
mod text;

#[doc(hidden)]
pub use example::*;
pub use library::*;
pub use own::*;
pub use row::{Kind, Preset};
pub use service::*;
#[doc(hidden)]
pub use table::NAMES;
pub use table::{ALL, named, of_layout};
pub use text::of;
