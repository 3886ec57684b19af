//! Storing holders, which write a record of their lease so that it survives a restart.
//!
//! Problem: a process that is killed has no time to say how far it has got. So that another process
//! can continue, the written [`Record`] must be ahead of every issued id at every moment. The
//! record must also not name a lease that was given back, because another holder may have that node
//! by then.
//!
//! So a storing holder fails with [`Error::Unwritten`] in two cases: when its next id needs a tick
//! that the record does not reserve, and before it gives back a lease that the record names.

use super::Holder;
use super::contact::Contact;
use super::lease::RESERVED_MS;
use crate::lease::error::Error;
use crate::lease::message::{Grant, Record};
use crate::span::Span;

impl Holder {
    /// Creates a holder that issues ids of a lease only after you have written a record that
    /// reserves their ticks.
    ///
    /// When [`step`](Self::step) fails with [`Error::Unwritten`], write [`record`](Self::record) to
    /// a place that outlives the process, call [`written`](Self::written), and step again.
    ///
    /// ```
    /// use edgeflake::Span;
    /// use edgeflake::lease::{BoundConfig, Error, Grant, Holder, Reply, Request, Step, Terms};
    /// use edgeflake::lease::Wait;
    /// use edgeflake::preset::EDGE;
    ///
    /// let (mut holder, mut wait, now_ms) = (Holder::storing(), Wait::default(), EDGE.start_ms(5));
    /// let step = holder.step(now_ms, &mut wait, &mut [0], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let Request::Acquire(acquire) = call.request else { unreachable!() };
    /// let (config, span) = (BoundConfig::new(EDGE, 0, 2, 1)?, Span::new(&EDGE, 1, 5, 300_005)?);
    /// let grant = Grant::new(acquire.token, 1, config, span, Terms::default());
    /// holder.receive(now_ms, call.number, Ok(Reply::Granted(grant)));
    ///
    /// let unwritten = Step::Failed { error: Error::Unwritten, retry_in_ms: None };
    /// assert_eq!(holder.step(now_ms, &mut wait, &mut [0], || 7), unwritten);
    /// let record = holder.record(now_ms).unwrap();
    /// assert_eq!((record.grant, record.reserved_tick), (grant, 1_005));
    /// holder.written(Some(&record));
    /// assert_eq!(holder.step(now_ms, &mut wait, &mut [0], || 7), Step::Done);
    ///
    /// // The process ends, and another process finds the record.
    /// let mut holder = Holder::storing();
    /// holder.resume(&record, 7)?;
    /// assert_eq!(holder.span().unwrap().from_tick(), 1_005);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn storing() -> Self {
        Self { stores: true, ..Self::default() }
    }

    /// Continues with the lease of a record, from the reserved tick on. `random` has 64 random
    /// bits.
    ///
    /// # Errors
    /// - [`Error::Generator`] with [`EmptySpan`](crate::Error::EmptySpan) if the whole span is
    ///   reserved, with [`OtherNode`](crate::Error::OtherNode) for a node that is not the
    ///   sequencer's, and with the errors of [`Generator::new`](crate::Generator::new) for terms
    ///   that do not suit the layout.
    /// - [`Error::OtherLayout`] and
    ///   [`Refusal::OtherIncarnation`](crate::lease::Refusal::OtherIncarnation) if the holder is
    ///   [bound](Self::bind) to another layout or incarnation.
    ///
    /// After an error the holder is as it was.
    ///
    /// ```
    /// use edgeflake::Span;
    /// use edgeflake::lease::{BoundConfig, Error, Grant, Holder, Record, Step, Terms, Token};
    /// use edgeflake::lease::Wait;
    /// use edgeflake::preset::EDGE;
    ///
    /// let (config, span) = (BoundConfig::new(EDGE, 0, 2, 1)?, Span::new(&EDGE, 1, 5, 300_005)?);
    /// let grant = Grant::new(Token::from_random(7), 1, config, span, Terms::default());
    /// let mut holder = Holder::storing();
    /// assert!(holder.resume(&Record { grant, reserved_tick: 300_005 }, 7).is_err());
    /// holder.resume(&Record { grant, reserved_tick: 300_004 }, 7)?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn resume(&mut self, record: &Record, random: u64) -> Result<(), Error> {
        let Record { grant, reserved_tick } = record;
        let (config, span) = (grant.config, grant.span);
        if !config.has_node(span.node()) {
            let (found, node) = (span.node(), config.first_node());
            return Err(crate::Error::OtherNode { found, node }.into());
        }
        self.suits(&config, grant.incarnation)?;
        let from_tick = span.from_tick().max(*reserved_tick);
        let span = Span::new(config.layout(), span.node(), from_tick, span.until_tick())?;
        self.hold(&Grant { span, ..*grant }, random)?;
        self.stay_with(&config, grant.incarnation)?;
        if let Some(lease) = &mut self.lease {
            lease.resumed = true;
        }
        Ok(())
    }

    /// Returns the record to write at the time `now_ms`, in Unix ms. This record replaces the
    /// previous record. `None` means that there is no lease to record.
    ///
    /// ```
    /// assert_eq!(edgeflake::lease::Holder::storing().record(0), None);
    /// ```
    #[must_use]
    pub fn record(&self, now_ms: u64) -> Option<Record> {
        let lease = self.lease.as_ref()?;
        let reserved_ticks = lease.generator.layout().ticks_in(RESERVED_MS);
        let reserved_tick = lease.next_tick(lease.time_ms(now_ms)).saturating_add(reserved_ticks);
        // The reserved tick never lies before an id that may have been issued.
        let reserved_tick = reserved_tick.max(lease.generator.span().until_tick());
        let reserved_tick = reserved_tick.min(lease.grant.span.until_tick());
        Some(Record { grant: lease.grant, reserved_tick })
    }

    /// Tells the holder that `record` is written, and has replaced every earlier record. Ids before
    /// the record's reserved tick may now be issued.
    ///
    /// ```
    /// edgeflake::lease::Holder::storing().written(None);
    /// ```
    pub fn written(&mut self, record: Option<&Record>) {
        self.written = record.map(|record| record.grant.token);
        if let Some(record) = record
            && let Some(lease) = self.lease_of(record.grant.token)
            && record.reserved_tick >= lease.generator.span().until_tick()
        {
            let until_tick = record.reserved_tick.min(lease.grant.span.until_tick());
            lease.unwritten = lease.generator.extend(until_tick).is_err();
        }
    }

    /// Forgets the lease without releasing it, because another process continues from the record.
    ///
    /// ```
    /// let mut holder = edgeflake::lease::Holder::storing();
    /// holder.lose();
    /// assert_eq!(holder.span(), None);
    /// ```
    pub fn lose(&mut self) {
        self.forget();
        self.closed = None;
        self.written = None;
        self.contact = Contact::Idle;
    }
}
