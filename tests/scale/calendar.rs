//! What happens when: a wheel with a slot for each ms, in which what lies further ahead than one
//! turn is passed by.

/// How many slots there are: 262 s, so that a renewal is passed by at most once at 5 minutes.
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

    /// At this time, or at the next one that there is.
    pub(crate) fn post(&mut self, at_ms: u64, event: T) {
        let at_ms = at_ms.max(self.now_ms + 1);
        self.slot(at_ms).push((at_ms, event));
    }

    /// Goes on by a ms, to all that happens then, in the order in which it was posted.
    pub(crate) fn turn(&mut self) -> Vec<T> {
        self.now_ms += 1;
        let now_ms = self.now_ms;
        let slot = self.slot(now_ms);
        let (due, later) = slot.drain(..).partition::<Vec<_>, _>(|(at_ms, _)| *at_ms == now_ms);
        *slot = later;
        due.into_iter().map(|(_, event)| event).collect()
    }
}
