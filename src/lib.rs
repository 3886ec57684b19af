//! **edgeflake**: 64-bit, time-sorted ids that are never issued twice, whatever the clocks do.
//!
//! An id is a counter on a node. The counter is `tick << S | sequence`, where the tick is the time
//! since the layout's epoch in the layout's units, and S is the number of sequence bits. The next
//! id takes `counter + 1`. A [`Generator`] holds a [`Span`] (one node and a half-open interval of
//! ticks), issues each counter in it at most once, and never goes backwards. An
//! [authority](lease::Authority) never grants overlapping spans. So no two ids of one sequencer (a
//! named configuration with its own authority) are equal. Clocks decide the times in ids, the order
//! across nodes and availability, but never uniqueness.
//!
//! Without features, the crate is `no_std`. It also compiles for processors without 64-bit atomics,
//! but has no `SharedGenerator` there. It has no dependencies, no clock, no I/O and no randomness,
//! so you pass in the time (in Unix ms) and random bits. The feature `std` adds a system clock, and
//! methods that sleep. The features `serde` and `sqlx` read and write [`public::Id`]. In a
//! Cloudflare Worker, the crate `edgeflake-workers` provides the clock, the random bits and the
//! calls to the authority.
//!
//! ```
//! use edgeflake::{Generator, Policy, Span, preset};
//!
//! let layout = preset::HAZELCAST;
//! let now_ms = 1_780_000_000_000;
//! let tick = layout.tick(now_ms)?;
//!
//! // A lease would grant this span: node 7 for 300,000 ticks of 1 ms.
//! let span = Span::new(&layout, 7, tick, tick + 300_000)?;
//! let mut ids = Generator::new(layout, span, Policy::hazelcast())?;
//!
//! let first = ids.next(now_ms)?;
//! let second = ids.next(now_ms - 5_000)?; // the clock stepped back, and ids still ascend
//! assert!(first < second);
//! assert_eq!(layout.decode(second)?.node, 7);
//! # Ok::<(), edgeflake::Error>(())
//! ```
#![no_std]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[doc(hidden)]
pub mod code;
mod decoder;
mod error;
mod generator;
pub mod identify;
mod instant;
mod layout;
pub mod lease;
pub mod preset;
pub mod public;
mod span;
#[cfg(feature = "std")]
mod system;
pub mod text;

#[doc(hidden)]
pub use decoder::Decoder;
pub use error::Error;
#[cfg(target_has_atomic = "64")]
pub use generator::SharedGenerator;
pub use generator::{Generator, Policy, SequenceStart, StaticNodes, Statistics};
#[doc(no_inline)]
pub use identify::identify;
pub use instant::Instant;
pub use layout::{Field, Layout, Name, Parts, Role};
pub use span::Span;
#[cfg(feature = "std")]
pub use system::now_ms;
