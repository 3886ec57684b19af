//! The only place in this crate that reads a clock, behind the feature `std`.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::generator::{Generator, SharedGenerator};

/// Returns the time of the system's clock, in Unix ms. If this time is before 1970, returns 0.
///
/// ```
/// assert!(edgeflake::now_ms() > 1_700_000_000_000);
/// ```
#[must_use]
#[inline]
pub fn now_ms() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The product would overflow in 584 million years.
    since_epoch.as_secs() * 1_000 + u64::from(since_epoch.subsec_millis())
}

impl Generator {
    /// Returns the next id at the system's time. Sleeps while the allowed future is used up or the
    /// clock is behind.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next), except [`Error::Exhausted`] and [`Error::ClockBack`].
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let mut ids = Generator::new(TWITTER, Span::whole(&TWITTER, 7)?, Policy::twitter())?;
    /// let first = ids.next_blocking()?;
    /// for _ in 0..10_000 {
    ///     assert!(ids.next_blocking()? > first);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn next_blocking(&mut self) -> Result<u64, Error> {
        blocking(|| self.next(now_ms()), thread::sleep)
    }
}

impl SharedGenerator {
    /// Returns the next id at the system's time. Sleeps while the allowed future is used up or the
    /// clock is behind.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next), except [`Error::Exhausted`] and [`Error::ClockBack`].
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let ids = SharedGenerator::new(TWITTER, Span::whole(&TWITTER, 7)?, 0)?;
    /// let first = ids.next_blocking()?;
    /// for _ in 0..10_000 {
    ///     assert!(ids.next_blocking()? > first);
    /// }
    /// ids.close();
    /// assert_eq!(ids.next_blocking(), Err(Error::Closed));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn next_blocking(&self) -> Result<u64, Error> {
        blocking(|| self.next(now_ms()), thread::sleep)
    }
}

/// The longest sleep between two looks at the clock, in ms. The sleep is short because a clock that
/// went back may be set right long before the clock would catch up by itself.
const SLEEP_MAX_MS: u64 = 10;

fn blocking(
    mut next: impl FnMut() -> Result<u64, Error>,
    sleep: impl Fn(Duration),
) -> Result<u64, Error> {
    loop {
        match next() {
            Err(error) => match error.retry_in_ms() {
                Some(ms) => sleep(Duration::from_millis(ms.clamp(1, SLEEP_MAX_MS))),
                None => return Err(error),
            },
            id => return id,
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::generator::Policy;
    use crate::preset::TWITTER;
    use crate::span::Span;

    /// In this test, the clock goes back by an hour after the first id, and is set right 1 s later.
    #[test]
    fn q20_a_clock_that_is_set_right_is_noticed_at_once() {
        let start_ms = TWITTER.start_ms(1_000_000_000);
        let span = Span::whole(&TWITTER, 7).unwrap();
        let mut ids = Generator::new(TWITTER, span, Policy::twitter()).unwrap();
        let slept_ms = Cell::new(0);
        let first = ids.next(start_ms).unwrap();
        let next = || {
            let back_ms = if slept_ms.get() < 1_000 { 3_600_000 } else { 0 };
            ids.next(start_ms + slept_ms.get() - back_ms)
        };
        let sleep = |time: Duration| {
            slept_ms.set(slept_ms.get() + u64::try_from(time.as_millis()).unwrap());
        };
        assert!(blocking(next, sleep).unwrap() > first);
        assert!((1_000..1_000 + SLEEP_MAX_MS).contains(&slept_ms.get()), "{slept_ms:?}");
    }
}
