use alloc::vec::Vec;

/// Items, each with a handle: a number from 1 on by which JavaScript refers to the item. The handle
/// 0 means no item.
pub(crate) struct Handles<T> {
    items: Vec<Option<T>>,
    /// The handles of items that were taken.
    free: Vec<usize>,
}

impl<T> Handles<T> {
    pub(crate) const fn new() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }

    /// Stores an item, and returns its handle.
    pub(crate) fn keep(&mut self, item: T) -> usize {
        let handle = self.free.pop().unwrap_or(self.items.len() + 1);
        match self.items.get_mut(handle - 1) {
            Some(place) => *place = Some(item),
            None => self.items.push(Some(item)),
        }
        handle
    }

    #[inline]
    pub(crate) fn get(&mut self, handle: usize) -> Option<&mut T> {
        self.items.get_mut(handle.wrapping_sub(1))?.as_mut()
    }

    pub(crate) fn take(&mut self, handle: usize) -> Option<T> {
        let item = self.items.get_mut(handle.wrapping_sub(1))?.take()?;
        self.free.push(handle);
        Some(item)
    }
}
