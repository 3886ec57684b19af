//! Bound holders, which issue ids of one layout and one incarnation only.
//!
//! By default, a holder follows its sequencer. When the sequencer is destroyed and created again,
//! the holder acquires a span of the next incarnation, whatever layout that incarnation has. A
//! bound holder fails instead, as a sequencer of the Java library snowcast does.

use super::bound::Bound;
use super::contact::Contact;
use super::{Holder, PAUSE_MAX_MS, is_final};
use crate::layout::Layout;
use crate::lease::error::Error;
use crate::lease::message::{BoundConfig, Refusal};

impl Holder {
    /// Binds a new holder to a layout, if you give one, and to an incarnation: the incarnation that
    /// you give, or the incarnation of the first grant or batch. If the sequencer has another
    /// layout, or when the incarnation is destroyed, the holder fails from then on, even after the
    /// sequencer is created again.
    ///
    /// ```
    /// use edgeflake::lease::{Error, Holder, Refusal, Reply, State, Step, Wait};
    ///
    /// let mut holder = Holder::new();
    /// holder.bind(None, Some(1));
    /// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let refusal = Refusal::OtherIncarnation { found: 1 };
    /// holder.receive(0, call.number, Ok(Reply::Refused { refusal, incarnation: 2 }));
    ///
    /// let failed = Step::Failed { error: Error::Refused(refusal), retry_in_ms: None };
    /// assert_eq!(holder.step(9_000, &mut Wait::default(), &mut [0], || 7), failed);
    /// assert_eq!(holder.state(), State::Destroyed);
    /// ```
    pub const fn bind(&mut self, layout: Option<Layout>, incarnation: Option<u64>) {
        self.bound = Some(Bound { layout, incarnation, ended: None });
        self.incarnation = incarnation;
    }

    /// Tells the holder, at the time `now_ms` in Unix ms, that this incarnation of its sequencer
    /// was destroyed. The holder issues no more ids of its lease.
    pub fn destroyed(&mut self, now_ms: u64, incarnation: u64) {
        if self.incarnation.is_some_and(|known| known > incarnation) {
            return;
        }
        let refusal = Refusal::SequencerDestroyed;
        self.forget();
        self.incarnation = None;
        self.end_bound(refusal, incarnation);
        // If a call is under way, its reply is not used.
        let timer = self.timer(now_ms, PAUSE_MAX_MS);
        self.contact = Contact::Paused { timer, error: Error::Refused(refusal) };
    }

    /// Tells the holder that its sequencer was created, perhaps again. The next step asks for a
    /// span, even if the previous step failed with a final error.
    pub fn created(&mut self) {
        if let Contact::Paused { error, .. } = &self.contact
            && is_final(error)
        {
            self.contact = Contact::Idle;
        }
    }

    /// Returns whether the holder never issues an id again, because its sequencer has another
    /// layout than the holder is bound to, or because the incarnation to which the holder is bound
    /// has ended.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.ended().is_some()
    }

    /// Returns the reason why the holder never issues an id again; `None` if it may issue ids.
    pub(super) const fn ended(&self) -> Option<Error> {
        match &self.bound {
            Some(bound) => bound.ended,
            None => None,
        }
    }

    /// Checks that the holder may issue ids of this layout and incarnation.
    ///
    /// # Errors
    /// [`Error::OtherLayout`] for another layout, and [`Refusal::OtherIncarnation`] for another
    /// incarnation.
    #[inline(never)]
    pub(super) fn suits(&self, config: &BoundConfig, incarnation: u64) -> Result<(), Error> {
        let Some(bound) = &self.bound else { return Ok(()) };
        if bound.layout.is_some_and(|layout| layout != *config.layout()) {
            return Err(Error::OtherLayout);
        }
        match bound.incarnation {
            Some(own) if own != incarnation => {
                Err(Error::Refused(Refusal::OtherIncarnation { found: incarnation }))
            }
            _ => Ok(()),
        }
    }

    /// Binds a bound holder to the incarnation of a grant or batch. If the holder is bound to
    /// another layout, ends the holder. A holder that is not bound stays so.
    ///
    /// # Errors
    /// The errors of [`Holder::suits`].
    pub(super) fn stay_with(
        &mut self,
        config: &BoundConfig,
        incarnation: u64,
    ) -> Result<(), Error> {
        let suits = self.suits(config, incarnation);
        if let Some(bound) = &mut self.bound {
            match suits {
                Ok(()) => bound.incarnation = Some(incarnation),
                Err(Error::OtherLayout) => bound.ended = Some(Error::OtherLayout),
                Err(_) => {}
            }
        }
        suits
    }

    /// Ends a bound holder if this refusal says that the holder's incarnation has ended.
    pub(super) const fn end_bound(&mut self, refusal: Refusal, incarnation: u64) {
        let Some(bound) = &mut self.bound else { return };
        self.incarnation = bound.incarnation;
        let Some(own) = bound.incarnation else { return };
        let is_over = match refusal {
            Refusal::OtherIncarnation { .. } => own < incarnation,
            Refusal::SequencerDestroyed => own <= incarnation,
            _ => false,
        };
        if is_over {
            bound.ended = Some(Error::Refused(refusal));
        }
    }
}
