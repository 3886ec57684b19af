use std::collections::{BTreeMap, VecDeque};

/// The events to come, by time, then in the order in which they were posted.
#[derive(Debug)]
pub struct Calendar<E> {
    events: BTreeMap<u64, VecDeque<E>>,
    len: usize,
}

impl<E> Calendar<E> {
    pub fn post(&mut self, at_ms: u64, event: E) {
        self.events.entry(at_ms).or_default().push_back(event);
        self.len += 1;
    }

    /// Removes the first event if it comes by `until_ms`, and returns the event with its time.
    pub fn take(&mut self, until_ms: u64) -> Option<(u64, E)> {
        let mut first = self.events.first_entry().filter(|first| *first.key() <= until_ms)?;
        let at_ms = *first.key();
        let event = first.get_mut().pop_front()?;
        if first.get().is_empty() {
            first.remove();
        }
        self.len -= 1;
        Some((at_ms, event))
    }

    /// Returns the time of the last event of a kind.
    pub fn last_ms(&self, is_of_kind: impl Fn(&E) -> bool) -> Option<u64> {
        let has_kind = |events: &VecDeque<E>| events.iter().any(&is_of_kind);
        self.events.iter().rev().find(|(_, events)| has_kind(events)).map(|(at_ms, _)| *at_ms)
    }

    /// Number of events that wait.
    pub const fn waiting(&self) -> usize {
        self.len
    }
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self { events: BTreeMap::new(), len: 0 }
    }
}
