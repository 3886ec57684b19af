//! Counts a shard's requests since its object started, and proves by a test write that its storage
//! works.

use edgeflake::lease::Reply;

use crate::objects::sql::Result;
use crate::objects::store::Store;
use crate::platform::now_ms;

/// If a shard has written nothing for this time, in ms, a request for a proof makes it write a row.
/// So proofs cost at most one row per minute, and nothing while leases are written.
const PROOF_MS: u64 = 60_000;

/// The counts of a shard since its object started.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// The number of refused or failed requests, by the code of the answer.
    refused: Vec<(&'static str, u64)>,
    /// The time at which the newest row was written, in Unix ms; 0 if this object has not written
    /// yet.
    written_ms: u64,
}

impl Health {
    /// Counts requests that were answered with a code.
    pub(crate) fn count(&mut self, code: &'static str, more: u64) {
        match self.refused.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += more,
            None => self.refused.push((code, more)),
        }
    }

    pub(crate) const fn wrote(&mut self, now_ms: u64) {
        self.written_ms = now_ms;
    }

    /// Counts the reply if it is a refusal.
    pub(crate) fn replied(&mut self, reply: &Reply) {
        if let Reply::Refused { refusal, .. } = reply {
            self.count(refusal.code(), 1);
        }
    }

    /// Proves that the storage accepts writes, by writing a row unless one was written in the last
    /// minute.
    ///
    /// # Errors
    /// The reason why the storage accepts no writes.
    pub(crate) fn prove(&mut self, store: &Store) -> Result<()> {
        let now_ms = now_ms();
        if now_ms.abs_diff(self.written_ms) >= PROOF_MS {
            store.prove(now_ms)?;
            self.wrote(now_ms);
        }
        Ok(())
    }

    /// Returns the time at which the newest row was written, in Unix ms; 0 if there is none.
    pub(crate) fn written_ms(&self, store: &Store) -> u64 {
        if self.written_ms == 0 { store.proved_ms() } else { self.written_ms }
    }

    /// Returns the number of requests that were answered with each code.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (String, u64)> {
        self.refused.iter().map(|(code, count)| ((*code).to_owned(), *count))
    }
}
