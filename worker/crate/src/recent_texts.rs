//! Remembers texts in an isolate for some time.

/// The largest number of texts. When this number is reached, all texts are forgotten, so that a
/// flood of texts cannot fill the memory.
const TEXTS_MAX: usize = 1_000;

/// Remembers each text for the same time.
pub struct RecentTexts {
    for_ms: u64,
    /// The texts, each with the time until which it is remembered, in Unix ms.
    texts: Vec<(String, u64)>,
}

impl RecentTexts {
    /// Creates an empty memory that keeps each text for `for_ms` ms.
    #[must_use]
    pub const fn new(for_ms: u64) -> Self {
        Self { for_ms, texts: Vec::new() }
    }

    /// Remembers a text.
    pub fn note(&mut self, text: &str, now_ms: u64) {
        if self.texts.len() >= TEXTS_MAX {
            self.texts.clear();
        }
        self.texts.push((text.to_owned(), now_ms + self.for_ms));
    }

    /// Returns whether a text is remembered.
    #[must_use]
    pub fn has(&self, text: &str, now_ms: u64) -> bool {
        self.texts.iter().any(|(known, until_ms)| known == text && now_ms < *until_ms)
    }

    /// Forgets a text.
    pub fn forget(&mut self, text: &str) {
        self.texts.retain(|(known, _)| known != text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_a_time_and_so_many() {
        let mut texts = RecentTexts::new(5_000);
        texts.note("a", 1_000);
        assert!(texts.has("a", 5_999));
        assert!(!texts.has("a", 6_000) && !texts.has("b", 1_000));
        texts.forget("a");
        assert!(!texts.has("a", 1_000));
        for number in 0..TEXTS_MAX {
            texts.note(&number.to_string(), 0);
        }
        assert!(texts.has("0", 0));
        texts.note("last", 0);
        assert!(texts.has("last", 0) && !texts.has("0", 0));
    }
}
