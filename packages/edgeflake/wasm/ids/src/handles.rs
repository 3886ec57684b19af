use alloc::vec::Vec;

/// Items, each with a handle: a number from 1 on by which JavaScript refers to the item. The handle
/// 0 means no item.
pub(crate) struct Handles<T>(Vec<Option<T>>);

impl<T> Handles<T> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Stores an item, and returns its handle.
    pub(crate) fn keep(&mut self, thing: T) -> usize {
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        match self.0.get_mut(free) {
            Some(place) => *place = Some(thing),
            None => self.0.push(Some(thing)),
        }
        free + 1
    }

    #[inline]
    pub(crate) fn get(&mut self, handle: usize) -> Option<&mut T> {
        self.0.get_mut(handle.wrapping_sub(1))?.as_mut()
    }

    pub(crate) fn take(&mut self, handle: usize) -> Option<T> {
        self.0.get_mut(handle.wrapping_sub(1))?.take()
    }
}
