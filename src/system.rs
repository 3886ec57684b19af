//! The only place in this crate that asks for the time, behind the feature `std`.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::generator::{Generator, SharedGenerator};

/// The system's clock, in Unix ms; 0 if it is before 1970.
///
/// ```
/// assert!(edgeflake::now_ms() > 1_700_000_000_000);
/// ```
#[must_use]
pub fn now_ms() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX)
}

impl Generator {
    /// The next id at the system's time. Sleeps while the allowed future is used up.
    ///
    /// # Errors
    /// Those of [`next`](Self::next) but [`Error::Exhausted`].
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
        blocking(|| self.next(now_ms()))
    }
}

impl SharedGenerator {
    /// The next id at the system's time. Sleeps while the allowed future is used up.
    ///
    /// # Errors
    /// Those of [`next`](Self::next) but [`Error::Exhausted`].
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
        blocking(|| self.next(now_ms()))
    }
}

fn blocking(mut next: impl FnMut() -> Result<u64, Error>) -> Result<u64, Error> {
    loop {
        match next() {
            Err(Error::Exhausted { retry_in_ms }) => {
                thread::sleep(Duration::from_millis(retry_in_ms.max(1)));
            }
            other => return other,
        }
    }
}
