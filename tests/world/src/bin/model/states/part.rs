//! A part of a state, with the hash of this part. All states that contain the part share it.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

use ahash::RandomState;

/// The seeds are fixed, so that a run can be repeated.
const HASHES: RandomState = RandomState::with_seeds(1, 2, 3, 4);

pub(crate) fn hash_of(what: &impl Hash) -> u64 {
    HASHES.hash_one(what)
}

#[derive(Clone, Debug)]
pub(crate) struct Part<T> {
    part: Arc<T>,
    hash: u64,
}

impl<T: Hash> Part<T> {
    pub(crate) fn new(part: T) -> Self {
        let hash = hash_of(&part);
        Self { part: Arc::new(part), hash }
    }
}

impl<T> Part<T> {
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.part
    }
}
