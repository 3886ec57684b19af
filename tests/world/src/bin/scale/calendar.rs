//! Events by time, in a wheel with one slot per ms. An event that is more than one turn ahead stays
//! in its slot when the wheel passes it.

/// Number of slots: 262 s, so that the wheel passes a renewal after 5 minutes at most once.
const SLOTS: u64 = 1 << 18;

pub(crate) struct Calendar<T> {
    now_ms: u64,
    slots: Vec<Vec<(u64, T)>>,
}

impl<T> Calendar<T> {
    pub(crate) fn new(now_ms: u64) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(usize::try_from(SLOTS).unwrap(), Vec::new);
        Self { now_ms, slots }
    }

    fn slot(&mut self, at_ms: u64) -> &mut Vec<(u64, T)> {
        &mut self.slots[usize::try_from(at_ms % SLOTS).unwrap()]
    }

    /// Posts an event at this time, or at the next possible one.
    pub(crate) fn post(&mut self, at_ms: u64, event: T) {
        let at_ms = at_ms.max(self.now_ms + 1);
        self.slot(at_ms).push((at_ms, event));
    }

    /// Advances by one ms, and returns all events of the new time in the order in which they were
    /// posted.
    pub(crate) fn turn(&mut self) -> Vec<T> {
        self.now_ms += 1;
        let now_ms = self.now_ms;
        let slot = self.slot(now_ms);
        let (due, later) = slot.drain(..).partition::<Vec<_>, _>(|(at_ms, _)| *at_ms == now_ms);
        *slot = later;
        due.into_iter().map(|(_, event)| event).collect()
    }
}
