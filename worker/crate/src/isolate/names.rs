//! Remembers names of sequencers for which an isolate has no holder.
//!
//! There is one directory for all isolates, so each isolate limits its calls to the directory. For
//! 5 s the isolate remembers each name that the directory does not know. After the isolate has
//! looked up 16 names within 5 s, it asks the directory once for the list of all names, and uses
//! the list for 5 s. So a flood of requests causes at most 17 calls per isolate and 5 s, however
//! many names the requests have, and requests for existing names still work. A newly created name
//! is usable in every isolate after 5 s at most.

use crate::recent_texts::RecentTexts;

/// The largest number of names that an isolate looks up one by one in a period.
const ASKED_MAX: u32 = 16;

/// The length of a period, in ms: the time for which the isolate uses the directory's answers.
const BELIEVED_MS: u64 = 5_000;

/// The names of all sequencers in ascending order, each with the sequencer's number of shards.
type List = Vec<(String, u64)>;

/// The next action to look up a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The sequencer has this number of shards; `None` if no sequencer has the name.
    Known(Option<u64>),
    /// Ask the directory for the name.
    Ask,
    /// Ask the directory for the list of all names.
    AskForAll,
    /// Call `look` again soon, because another request has asked the directory for the list.
    Wait,
}

pub(crate) struct Names {
    /// The names that the directory did not know.
    unknown: RecentTexts,
    /// The beginning of the current period, in Unix ms.
    since_ms: u64,
    /// The number of names that the isolate has asked for in this period.
    asked: u32,
    /// The list of all names, if the directory has sent it in this period.
    all: Option<List>,
    /// The time at which the outstanding request for the list was sent, in Unix ms.
    asking_since_ms: Option<u64>,
}

impl Names {
    pub(crate) const fn new() -> Self {
        let unknown = RecentTexts::new(BELIEVED_MS);
        Self { unknown, since_ms: 0, asked: 0, all: None, asking_since_ms: None }
    }

    /// Returns the next action to look up a name. The caller must carry out this action.
    pub(crate) fn look(&mut self, name: &str, now_ms: u64) -> Look {
        if now_ms.abs_diff(self.since_ms) >= BELIEVED_MS {
            (self.since_ms, self.asked, self.all) = (now_ms, 0, None);
        }
        if let Some(all) = &self.all {
            let found = all.iter().find(|(known, _)| known == name);
            return Look::Known(found.map(|(_, shards)| *shards));
        }
        if self.unknown.has(name, now_ms) {
            return Look::Known(None);
        }
        if self.asked < ASKED_MAX {
            self.asked += 1;
            return Look::Ask;
        }
        match self.asking_since_ms {
            // A request for the list that is `BELIEVED_MS` old may have ended without an answer.
            Some(since_ms) if now_ms.abs_diff(since_ms) < BELIEVED_MS => Look::Wait,
            _ => {
                self.asking_since_ms = Some(now_ms);
                Look::AskForAll
            }
        }
    }

    /// Notes that no sequencer has this name.
    pub(crate) fn note_unknown(&mut self, name: &str, now_ms: u64) {
        self.unknown.note(name, now_ms);
    }

    /// Stores the list of all names, or notes that the directory did not answer.
    ///
    /// # Errors
    /// The directory's error, unchanged.
    pub(crate) fn note_all<E>(&mut self, all: Result<List, E>, now_ms: u64) -> Result<(), E> {
        self.asking_since_ms = None;
        let all = all?;
        (self.since_ms, self.all) = (now_ms, Some(all));
        Ok(())
    }

    /// Notes that a sequencer was created, so that the next request looks up its name.
    pub(crate) fn note_created(&mut self, name: &str) {
        self.unknown.forget(name);
        (self.asked, self.all) = (0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_believed_for_a_time() {
        let mut names = Names::new();
        assert_eq!(names.look("a", 9_000), Look::Ask);
        names.note_unknown("a", 9_000);
        assert_eq!(names.look("a", 13_999), Look::Known(None));
        assert_eq!(names.look("a", 14_000), Look::Ask);
        names.note_unknown("a", 14_000);
        names.note_created("a");
        assert_eq!(names.look("a", 14_000), Look::Ask);
    }

    #[test]
    fn a_flood_asks_for_the_list_once() {
        let mut names = Names::new();
        let mut counts = [0; 4];
        let mut flood = |names: &mut Names, now_ms| {
            for number in 0..20_000 {
                counts[match names.look(&format!("n{number}"), now_ms) {
                    Look::Ask => 0,
                    Look::AskForAll => 1,
                    Look::Wait => 2,
                    Look::Known(_) => 3,
                }] += 1;
            }
            counts
        };
        assert_eq!(flood(&mut names, 9_000), [16, 1, 19_983, 0]);
        let list = vec![("n7".to_owned(), 4)];
        assert_eq!(names.note_all(Ok::<_, ()>(list), 9_100), Ok(()));
        assert_eq!(names.look("n7", 9_100), Look::Known(Some(4)));
        assert_eq!(flood(&mut names, 14_099), [16, 1, 19_983, 20_000]);
        assert_eq!(flood(&mut names, 14_100), [32, 2, 39_966, 20_000]);
    }

    #[test]
    fn a_list_that_does_not_come_is_asked_for_again() {
        let mut names = Names::new();
        for number in 0..16 {
            assert_eq!(names.look(&format!("n{number}"), 9_000), Look::Ask);
        }
        assert_eq!(names.look("a", 9_000), Look::AskForAll);
        assert_eq!(names.look("a", 9_001), Look::Wait);
        assert_eq!(names.note_all(Err(()), 9_002), Err(()));
        assert_eq!(names.look("a", 9_003), Look::AskForAll);
        names.since_ms = 12_000;
        assert_eq!(names.look("a", 14_002), Look::Wait);
        assert_eq!(names.look("a", 14_003), Look::AskForAll);
    }
}
