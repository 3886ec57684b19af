use std::collections::{BTreeMap, VecDeque};

/// The events to come, by time, then in the order in which they were posted.
#[derive(Debug)]
pub struct Calendar<E>(BTreeMap<u64, VecDeque<E>>);

impl<E> Calendar<E> {
    pub fn post(&mut self, at_ms: u64, event: E) {
        self.0.entry(at_ms).or_default().push_back(event);
    }

    /// Takes the first event and its time, if it comes by `until_ms`.
    pub fn take(&mut self, until_ms: u64) -> Option<(u64, E)> {
        let mut first = self.0.first_entry().filter(|first| *first.key() <= until_ms)?;
        let at_ms = *first.key();
        let event = first.get_mut().pop_front()?;
        if first.get().is_empty() {
            first.remove();
        }
        Some((at_ms, event))
    }

    /// Returns the time of the last event of a kind.
    pub fn last_ms(&self, is_of_kind: impl Fn(&E) -> bool) -> Option<u64> {
        let has_kind = |events: &VecDeque<E>| events.iter().any(&is_of_kind);
        self.0.iter().rev().find(|(_, events)| has_kind(events)).map(|(at_ms, _)| *at_ms)
    }

    /// Number of moments at which events come.
    pub fn moments(&self) -> usize {
        self.0.len()
    }
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}
