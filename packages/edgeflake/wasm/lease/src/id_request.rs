use alloc::string::{String, ToString};
use alloc::vec::Vec;

use edgeflake::lease::{BoundConfig, Call, Error, Refusal, Step, Wait};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::{integer, number};
use crate::{Delivery, Holder};

/// The results of a step. A positive result is a time to sleep, in ms.
const DONE: f64 = 0.0;
const SEND: f64 = -1.0;
const FAILED: f64 = -2.0;
const WRITE: f64 = -3.0;

/// The largest number of random draws in one step: one for a token, and one for a generator's seed.
const DRAWS: usize = 2;

/// A request for ids. Each request takes its own steps, so no request waits for something that
/// another request started.
#[derive(Debug, Default)]
#[wasm_bindgen]
pub struct IdRequest {
    ids: Vec<u64>,
    wait: Wait,
    /// Random bits for the next step that needs them.
    seed: Option<[u128; DRAWS]>,
    call: Option<Call>,
    /// Whether the request takes no id, and is done as soon as an id is available.
    looks: bool,
    failed: Option<(Error, Option<u64>)>,
}

#[wasm_bindgen]
impl IdRequest {
    /// Creates a request that has not begun.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a request for `count` ids. A request that has ended can begin again.
    pub fn begin(&mut self, count: usize) {
        self.ids = Vec::new();
        self.wait = Wait::of(count);
        self.looks = false;
    }

    /// Sets the tag of the requested ids.
    pub fn tag(&mut self, tag: f64) {
        self.wait = self.wait.tagged(integer(tag));
    }

    /// Begins a request for one id that takes only what it can have at once.
    #[wasm_bindgen(js_name = beginNow)]
    pub fn begin_now(&mut self) {
        self.begin(1);
        self.wait = Wait::impatient(1);
    }

    /// Begins a request that takes no id, and is done as soon as an id is available.
    pub fn look(&mut self) {
        self.begin_now();
        self.looks = true;
    }

    /// Takes one step at `now_ms` (in Unix ms), and returns what to do next.
    ///
    /// # Errors
    /// The platform gives no random bits; Cloudflare gives none outside of a handler.
    pub fn step(&mut self, holder: &mut Holder, now_ms: f64) -> Result<f64, JsError> {
        if self.looks && holder.inner.ready(integer(now_ms)).is_ok() {
            return Ok(DONE);
        }
        // Draw the bits before the step, so that no step uses bits that are not random: two holders
        // with the same token would share a span.
        let seed = match self.seed {
            Some(seed) => seed,
            None => drawn()?,
        };
        self.seed = Some(seed);
        let mut left = seed.into_iter();
        let random = || left.next().unwrap_or_default();
        let step = holder.inner.issue(integer(now_ms), &mut self.wait, &mut self.ids, random);
        if left.len() < DRAWS {
            self.seed = None;
        }
        Ok(match step {
            Step::Done => DONE,
            Step::Send(call) => {
                self.call = Some(call);
                SEND
            }
            Step::Sleep { ms } => number(ms),
            Step::Failed { error: Error::Unwritten, .. } => WRITE,
            Step::Failed { error, retry_in_ms } => {
                self.failed = Some((error, retry_in_ms));
                FAILED
            }
        })
    }

    /// Tells the request that a timer of `ms` has fired.
    pub fn fired(&mut self, ms: f64) {
        self.wait.fired(integer(ms));
    }

    /// Ends a request that has failed, or whose caller has left. Other requests may take the ids
    /// for which this request waited. If the request is done, `cancel` changes nothing.
    pub fn cancel(&mut self, holder: &mut Holder) {
        holder.inner.cancel(&mut self.wait, &mut self.ids);
    }

    /// Returns the first id of a request that is done.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.ids.first().copied().unwrap_or_default()
    }

    /// Takes all ids of a request that is done.
    #[must_use]
    pub fn ids(&mut self) -> Vec<u64> {
        core::mem::take(&mut self.ids)
    }

    /// Takes the call to send. `place` is this process's place on the circle of shards, in units of
    /// 2^-16 of the circle; without a place, the Worker that gets the call chooses the shard.
    /// `shards` is the number of shards to assume until the authority has told the number.
    #[must_use]
    pub fn call(&mut self, holder: &Holder, place: Option<u16>, shards: f64) -> Option<Delivery> {
        let shards = holder.inner.config().map_or(integer(shards), BoundConfig::shards);
        self.call.take().map(|call| Delivery::new(call, place, shards))
    }

    /// Returns the code of the error, after a failure.
    #[must_use]
    #[wasm_bindgen(js_name = errorCode)]
    pub fn error_code(&self) -> Option<String> {
        self.failed.as_ref().map(|(error, _)| error.code().into())
    }

    /// After a failure, returns the error's message, which may name `sequencer`.
    #[must_use]
    #[wasm_bindgen(js_name = errorMessage)]
    pub fn error_message(&self, sequencer: &str) -> Option<String> {
        self.failed.as_ref().map(|(error, _)| match error {
            Error::Refused(Refusal::UnknownSequencer) => {
                edgeflake_wire::unknown_sequencer(sequencer)
            }
            error => error.to_string(),
        })
    }

    /// After a failure, returns the number of ms after which a retry may succeed.
    #[must_use]
    #[wasm_bindgen(js_name = retryInMs)]
    pub fn retry_in_ms(&self) -> Option<f64> {
        self.failed.as_ref()?.1.map(number)
    }
}

/// The error message if the platform gives no random bits.
const NO_RANDOM_BITS: &str = "no random bits at module scope: get ids in a handler";

/// Draws the random bits of a step.
fn drawn() -> Result<[u128; DRAWS], JsError> {
    let mut draws = [0; DRAWS];
    for draw in &mut draws {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| JsError::new(NO_RANDOM_BITS))?;
        *draw = u128::from_le_bytes(bytes);
    }
    Ok(draws)
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::lease::Request;

    #[test]
    fn each_attempt_has_bits_of_its_own() {
        let mut tokens = Vec::new();
        for _ in 0..8 {
            let (mut holder, mut request) = (Holder::new(), IdRequest::new());
            request.begin(1);
            assert!(request.step(&mut holder, 1_790_000_000_000.0).is_ok_and(|step| step == SEND));
            let Some(Request::Acquire(acquire)) = request.call.map(|call| call.request) else {
                panic!("a holder without a lease acquires one");
            };
            tokens.push(acquire.token);
            // The bits that a step has used are not used again.
            assert_eq!(request.seed, None);
        }
        tokens.sort_unstable_by_key(ToString::to_string);
        tokens.dedup();
        assert_eq!(tokens.len(), 8);
    }
}
