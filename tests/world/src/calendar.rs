use std::collections::BTreeMap;

/// The events to come, by time, then in the order in which they were posted.
#[derive(Debug)]
pub struct Calendar<E> {
    events: BTreeMap<(u64, u64), E>,
    posted: u64,
}

impl<E> Calendar<E> {
    pub fn post(&mut self, at_ms: u64, event: E) {
        self.posted += 1;
        self.events.insert((at_ms, self.posted), event);
    }

    /// Takes the first event and its time, if it comes by `until_ms`.
    pub fn take(&mut self, until_ms: u64) -> Option<(u64, E)> {
        let first = self.events.first_entry().filter(|first| first.key().0 <= until_ms)?;
        let ((at_ms, _), event) = first.remove_entry();
        Some((at_ms, event))
    }

    /// Returns the time of the last event of a kind.
    pub fn last_ms(&self, is_of_kind: impl Fn(&E) -> bool) -> Option<u64> {
        self.events.iter().rev().find(|(_, event)| is_of_kind(event)).map(|(at, _)| at.0)
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self { events: BTreeMap::new(), posted: 0 }
    }
}
