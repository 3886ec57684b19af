//! The holder: what it sends, which replies it adopts, and how long a request waits.

mod batch_buffer;
mod bound;
mod calls;
mod isolate;
mod lease;
mod queue;
mod storing;
mod transcript;
