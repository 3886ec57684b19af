//! The messages between holders and authorities, and the configuration of a sequencer.

mod bound_config;
mod refusal;
mod reply;
mod request;
mod sequencer;
mod settings;
mod token;

pub use self::bound_config::{BoundConfig, Difference};
pub use self::refusal::Refusal;
pub use self::reply::{Batch, CallFailure, Grant, Record, Renewal, Reply};
pub use self::request::{Acquire, Confirm, Prefetch, Release, Renew, Request, Shrink};
pub use self::sequencer::{Life, Sequencer};
pub use self::settings::{Settings, Terms};
pub use self::token::Token;
