//! The holder: what it sends, which replies it adopts, and how long a request waits.

mod batch_buffer;
mod bound;
mod calls;
mod isolate;
mod lease;
mod outcome;
mod queue;
mod ready;
mod refusals;
mod storing;
mod swap;
