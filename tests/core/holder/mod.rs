//! The holder: what it sends, which replies it adopts, and how long a request waits.

mod calls;
mod isolate;
mod lease;
mod refusals;
mod stock;
mod storing;
mod swap;
