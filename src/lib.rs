//! **edgeflake**: 64-bit, time-sorted ids of which none is ever issued twice, whatever the clocks
//! do.
//!
//! An id is a counter on a node. The counter is `tick << S | sequence`: the tick is the layout's
//! clock, S the number of sequence bits, and the next id is `counter + 1`. Whoever holds a
//! [`Span`] (one node and a half-open interval of ticks) may issue every counter in it, once. The
//! [`Authority`] never grants overlapping spans, a [`Generator`] never goes backwards, so no two
//! ids of one sequencer are equal. Clocks decide freshness, order across nodes and availability,
//! never uniqueness.
//!
//! This crate is the whole of that and nothing else: no dependencies, no clock, no I/O, no
//! randomness. The time is an argument, in Unix ms; so are random bits. Only the feature `std` adds
//! a system clock, and calls that sleep.
//!
//! ```
//! use edgeflake::{Generator, Policy, Span, preset};
//!
//! let layout = preset::HAZELCAST;
//! let now_ms = 1_780_000_000_000;
//! let tick = layout.tick(now_ms)?;
//!
//! // What a lease grants: node 7 for 300,000 ticks of 1 ms.
//! let span = Span::new(&layout, 7, tick, tick + 300_000)?;
//! let mut ids = Generator::new(layout, span, Policy::hazelcast())?;
//!
//! let first = ids.next(now_ms)?;
//! let second = ids.next(now_ms - 5_000)?; // the clock stepped back: ids ascend all the same
//! assert!(first < second);
//! assert_eq!(layout.unpack(second)?.node, 7);
//! # Ok::<(), edgeflake::Error>(())
//! ```
#![no_std]
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod authority;
mod calendar;
mod contact;
mod courier;
mod decision;
mod destruction;
mod difference;
mod digits;
mod double;
mod drain;
mod draw;
mod earliest;
mod error;
mod error_text;
mod fault;
mod field;
mod form;
mod generator;
mod holder;
mod identify;
mod identity;
mod instant;
mod layout;
mod layout_text;
mod overload;
mod packing;
mod parts;
mod policy;
pub mod preset;
mod range;
mod record;
mod refusal;
mod reply;
mod report;
mod request;
mod sentence;
mod sequencer;
mod shared_generator;
mod span;
mod static_nodes;
mod statistics;
mod status;
mod step;
mod stock;
#[cfg(feature = "std")]
mod system;
mod table;
pub mod text;
mod token;
mod tunables;
mod wait;
mod warning;

pub use authority::Authority;
pub use contact::{Call, CallFailed};
pub use courier::{Courier, Errand};
pub use decision::{Decision, Row, Write};
pub use destruction::Destruction;
pub use difference::Difference;
pub use drain::{Counter, Drain};
pub use error::Error;
pub use field::{Field, Name, Role};
pub use generator::Generator;
pub use holder::Holder;
pub use identify::{Candidate, Dating, Reasons, identify};
pub use identity::Identity;
pub use instant::Instant;
pub use layout::Layout;
pub use parts::Parts;
pub use policy::{Policy, SequenceStart};
pub use record::Record;
pub use refusal::Refusal;
pub use reply::{Batch, Grant, Renewal, Reply};
pub use request::{Acquire, Confirm, Prefetch, Release, Renew, Request};
pub use sequencer::{Life, Sequencer};
pub use shared_generator::SharedGenerator;
pub use span::Span;
pub use static_nodes::StaticNodes;
pub use statistics::Statistics;
pub use status::Status;
pub use step::{State, Step};
#[cfg(feature = "std")]
pub use system::now_ms;
pub use token::Token;
pub use tunables::{Terms, Tunables};
pub use wait::Wait;
pub use warning::Warning;
