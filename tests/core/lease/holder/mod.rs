//! Tests which calls a holder sends, which replies it adopts, and how long requests wait.

mod batch_buffer;
mod bound;
mod calls;
mod isolate;
mod lease;
mod queue;
mod storing;
mod transcript;
