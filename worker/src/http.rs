//! HTTP as the routes use it: what they read of a request, and how they answer it.

pub(crate) mod answer;
pub(crate) mod cors;
pub(crate) mod hsts;
pub(crate) mod query;
pub(crate) mod request;
