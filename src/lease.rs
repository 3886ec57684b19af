//! A lease gives a generator a node for a limited time. No two generators ever issue the same
//! counter of a node, however many generators there are.
//!
//! A sequencer (a named configuration) has an [`Authority`], which grants spans (a node and an
//! interval of ticks) that never overlap. A [`Holder`] keeps a span for its process and issues ids
//! from it. Holder and authority exchange one [`Request`] and one [`Reply`] at a time, over
//! whatever transport you have. A [`ShardRouter`] finds the shard of the authority that answers a
//! request.
//!
//! Authority, holder and router are pure state machines. You pass in the time and random bits,
//! store the writes that the authority decides, and send the calls that the holder makes.
//!
//! ```
//! use edgeflake::lease::{Authority, BoundConfig, Error, Holder, Sequencer, Settings, Step, Wait};
//! use edgeflake::preset::EDGE;
//!
//! let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 1)?);
//! let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
//! let mut holder = Holder::new();
//!
//! let now_ms = EDGE.start_ms(1_000_000);
//! let (mut wait, mut ids) = (Wait::default(), [0; 3]);
//! let Step::Send(call) = holder.step(now_ms, &mut wait, &mut ids, || 7) else { unreachable!() };
//! let reply = authority.answer(now_ms, &call.request, |_write| Ok::<(), Error>(()))?;
//! holder.receive(now_ms, call.number, Ok(reply));
//!
//! assert_eq!(holder.step(now_ms, &mut wait, &mut ids, || 8), Step::Done);
//! assert!(ids.is_sorted());
//! # Ok::<(), Error>(())
//! ```

mod authority;
mod error;
mod holder;
mod message;
mod router;

pub use self::authority::{Authority, Row, Status, Write};
pub use self::error::Error;
pub use self::holder::{Call, Holder, Outcome, State, Step, Wait};
pub use self::message::{
    BoundConfig, CallFailure, Grant, Record, Refusal, Reply, Request, Sequencer, Settings, Terms,
    Token,
};
pub use self::router::{Action, ShardRouter};

// Only edgeflake's own crates need the contents of messages and stored states. A holder or an
// authority that uses `edgeflake-wire` needs none of these names.
#[doc(hidden)]
pub use self::authority::{
    Commit, DatabaseCall, Decision, Effect, Failover, Memory, NodeEnd, Part, Reading, SessionStart,
    Stamp, Statement, Version, Witness, fence,
};
#[doc(hidden)]
pub use self::message::{
    Acquire, Batch, Confirm, Difference, Life, Prefetch, Release, Renew, Renewal, Shrink,
};
#[doc(hidden)]
pub use self::router::{destruction::Destruction, shrinking::Shrinking};
#[doc(hidden)]
pub use crate::generator::{Drain, counter::Counter};
