use crate::lease::message::Token;

/// The last tick of the ids that a request took ahead of the clock, and the token of their lease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    pub(super) token: Token,
    pub(super) tick: u64,
}

/// The progress of one request: the number of its ids so far, and the time that it has waited by
/// its own timers and by the clock.
///
/// A timer of n ms that fired proves that n ms passed, even if the clock stands still or goes back.
/// So a deadline is reached when either the timers or the clock say so. A monotonic clock would
/// prove no more, because in a Worker it stands still between I/O events, too. Each request has a
/// `Wait` of its own. Report every timer that fired by [`fired`](Self::fired).
///
/// ```
/// use edgeflake::lease::{Error, Holder, Step, Wait};
///
/// // An authority that never answers, and a clock that stands still.
/// let (mut holder, mut wait, mut slept_ms) = (Holder::new(), Wait::default(), 0);
/// let error = loop {
///     match holder.step(0, &mut wait, &mut [0], || 7) {
///         Step::Send(_) => {}
///         Step::Sleep { ms } => {
///             wait.fired(ms);
///             slept_ms += ms;
///         }
///         Step::Failed { error, .. } => break error,
///         Step::Done => unreachable!("no span was granted"),
///     }
/// };
/// assert_eq!(error, Error::AuthorityUnreachable);
/// assert!(slept_ms > 4_000 && slept_ms <= 5_000);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Wait {
    /// The size of the current slice, and how many ids of the slice the request has.
    pub(super) slice: usize,
    pub(crate) filled: usize,
    /// The number of ids that the request wants after this slice.
    pub(super) rest: usize,
    /// The length of the whole wait, in ms, after which all ids taken so far are within the allowed
    /// future.
    pub(super) due_ms: u64,
    /// The ids that the request took ahead of the clock, and for which it still waits.
    pub(super) ahead: Option<Ahead>,
    /// The value of the tag fields in the request's ids.
    pub(super) tag: u64,
    /// The request's number in the queue, if it is queued.
    pub(super) request: Option<u64>,
    /// Whether the request wanted more than a slice at first.
    pub(super) is_large: bool,
    /// Whether the request takes only ids for which it need not wait.
    pub(super) is_impatient: bool,
    /// The latest time, in Unix ms, that the authority's clock has passed, as far as this request
    /// knows.
    pub(super) passed_ms: u64,
    fired_ms: u64,
    started_ms: Option<u64>,
    /// The number of the call, pause or queue look for which the request waits now, and the time in
    /// ms that its timers have run meanwhile.
    waited_for: u64,
    waited_ms: u64,
}

impl Wait {
    /// The longest wait of one request for its ids, in ms.
    pub const MAX_MS: u64 = 5_000;

    /// Creates the wait of a request for `count` ids, which
    /// [`Holder::issue`](crate::lease::Holder::issue) adds in slices.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
    ///
    /// let step = Holder::new().issue(0, &mut Wait::of(3), &mut Vec::new(), || 7);
    /// assert!(matches!(step, Step::Send(_)));
    /// ```
    #[must_use]
    pub fn of(count: usize) -> Self {
        Self { rest: count, ..Self::default() }
    }

    /// Creates the wait of a request that takes only the ids that it can have at once, and does not
    /// wait for more.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
    ///
    /// let step = Holder::new().issue(0, &mut Wait::impatient(1), &mut Vec::new(), || 7);
    /// assert!(matches!(step, Step::Send(_)));
    /// ```
    #[must_use]
    pub fn impatient(count: usize) -> Self {
        Self { is_impatient: true, ..Self::of(count) }
    }

    /// Makes this the wait of a request whose ids have `tag` in the tag fields of the layout. If
    /// the value is too large for the fields, the request fails with
    /// [`TooLarge`](crate::Error::TooLarge), and takes no ids.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
    ///
    /// let step = Holder::new().issue(0, &mut Wait::of(3).tagged(7), &mut Vec::new(), || 7);
    /// assert!(matches!(step, Step::Send(_)));
    /// ```
    #[must_use]
    pub const fn tagged(mut self, tag: u64) -> Self {
        self.tag = tag;
        self
    }

    /// Notes that a timer of `ms` ms has fired.
    ///
    /// ```
    /// let mut wait = edgeflake::lease::Wait::default();
    /// wait.fired(edgeflake::lease::Wait::MAX_MS);
    /// let step = edgeflake::lease::Holder::new().step(0, &mut wait, &mut [0], || 7);
    /// assert!(matches!(step, edgeflake::lease::Step::Failed { .. }));
    /// ```
    pub const fn fired(&mut self, ms: u64) {
        self.fired_ms = self.fired_ms.saturating_add(ms);
        self.waited_ms = self.waited_ms.saturating_add(ms);
        self.passed_ms = self.passed_ms.saturating_add(ms);
    }

    /// Returns how many ms the request has waited at a time in Unix ms.
    pub(crate) fn total_ms(&mut self, now_ms: u64) -> u64 {
        let started_ms = *self.started_ms.get_or_insert(now_ms);
        now_ms.saturating_sub(started_ms).max(self.fired_ms)
    }

    /// Returns how many ms longer the request has waited by its timers than by the clock.
    pub(super) fn lag_ms(&self, now_ms: u64) -> u64 {
        let by_clock_ms = now_ms.saturating_sub(self.started_ms.unwrap_or(now_ms));
        self.fired_ms.saturating_sub(by_clock_ms)
    }

    /// Returns how many ms the timers of this request have run during one wait. `number` names the
    /// call, pause or queue look. When `number` changes, the count begins at 0.
    pub(crate) const fn on(&mut self, number: u64) -> u64 {
        if self.waited_for != number {
            self.waited_for = number;
            self.waited_ms = 0;
        }
        self.waited_ms
    }
}
