//! HTTP as the routes use it: what is read of a request, and how it is answered.

pub(crate) mod answer;
pub(crate) mod cors;
pub(crate) mod hsts;
pub(crate) mod query;
pub(crate) mod request;
