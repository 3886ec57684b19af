//! The core, by its public API: a file for each thing that it has. One program, since each would be
//! linked by itself.

mod authority;
mod batch;
mod courier;
mod defects;
mod destruction;
mod drain;
mod errors;
mod generator;
mod holder;
mod identify;
mod instant;
mod layout;
mod overload;
mod policy;
mod preset;
mod properties;
mod published;
mod range;
mod registry;
mod report;
mod shared_generator;
mod text;
mod text_properties;
mod vectors;
mod warning;
