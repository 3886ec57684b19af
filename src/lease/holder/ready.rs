use super::Holder;
use crate::error::Error as GeneratorError;
use crate::lease::error::Error;

impl Holder {
    /// Returns `Ok` if a request for one id would get an id without a wait at the time `now_ms`, in
    /// Unix ms. Otherwise returns the reason why the request would not. This method issues nothing
    /// and sends nothing.
    ///
    /// # Errors
    /// - [`Error::Detached`], or the error that has ended a [bound](Self::bind) holder.
    /// - [`Error::Unwritten`] if the record must be written first.
    /// - With a span, [`Error::Generator`], usually with [`SpanEnded`](crate::Error::SpanEnded) or
    ///   [`Exhausted`](crate::Error::Exhausted).
    /// - Without a span, the error of the newest call, or [`Error::AuthorityUnreachable`] if no
    ///   call has failed.
    ///
    /// ```
    /// use edgeflake::lease::{Error, Holder};
    ///
    /// let mut holder = Holder::new();
    /// assert_eq!(holder.ready(0), Err(Error::AuthorityUnreachable));
    /// holder.detach();
    /// assert_eq!(holder.ready(0), Err(Error::Detached));
    /// ```
    pub fn ready(&mut self, now_ms: u64) -> Result<(), Error> {
        if self.detached {
            return Err(Error::Detached);
        }
        if let Some(error) = self.ended() {
            return Err(error);
        }
        let missing = match &mut self.lease {
            None => Err(self.failure.unwrap_or(Error::AuthorityUnreachable)),
            Some(lease) if lease.unwritten => return Err(Error::Unwritten),
            Some(lease) => {
                let time_ms = lease.time_ms(now_ms);
                match lease.generator.ready(time_ms) {
                    Err(GeneratorError::Exhausted { .. }) if lease.has_returned(time_ms) => Ok(()),
                    Err(GeneratorError::SpanEnded { .. }) if lease.reaches_further(time_ms) => {
                        return Err(Error::Unwritten);
                    }
                    ready => ready.map_err(Error::Generator),
                }
            }
        };
        if self.batches.is_ready(now_ms) { Ok(()) } else { missing }
    }
}
