//! Plays transcripts, which are lines of events and, after `->`, of their results. Events are
//! separated by `;`, and `@1000` sets the clock. A line that begins with `//` is a comment.
//!
//! To write a transcript, write only its events. The test then fails, and prints the events with
//! their results.

use std::fmt::{Debug, Write as _};

use edgeflake::lease::Refusal;

/// Plays the events of a transcript.
pub(crate) trait Player: Default {
    /// Carries out an event, and returns its result.
    fn play(&mut self, words: &Words) -> String;

    /// Sets the clock, in Unix ms.
    fn set_clock(&mut self, now_ms: u64) {
        panic!("this player has no clock that can show {now_ms}");
    }
}

/// Turns each transcript into a test.
macro_rules! transcripts {
    ($player:ty: $($(#[$attribute:meta])* fn $name:ident() $text:literal)*) => {
        $($(#[$attribute])* fn $name() {
            $crate::transcript::check::<$player>($text);
        })*
    };
}
pub(crate) use transcripts;

/// Repeats the events of a transcript, and fails if a result differs.
pub(crate) fn check<P: Player>(text: &str) {
    let (mut player, mut found) = (P::default(), String::new());
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in &lines {
        if line.starts_with("//") {
            writeln!(found, "{line}").unwrap();
            continue;
        }
        let events = line.split("; ").map(|event| {
            let event = event.split(" -> ").next().unwrap();
            let mut words = Words::of(event);
            if let Some(time) = words.0[0].strip_prefix('@') {
                player.set_clock(time.parse().unwrap());
                words.0.remove(0);
            }
            let outcome = player.play(&words);
            if outcome.is_empty() { event.to_owned() } else { format!("{event} -> {outcome}") }
        });
        writeln!(found, "{}", events.collect::<Vec<_>>().join("; ")).unwrap();
    }
    assert!(found.lines().eq(lines), "played:\n{found}---");
}

/// An event in words: a name, numbers, and pairs such as `key=5`.
pub(crate) struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    pub(crate) fn of(event: &'a str) -> Self {
        Self(event.split(' ').collect())
    }

    pub(crate) fn get(&self, place: usize) -> Option<&'a str> {
        self.0.get(place).copied()
    }

    pub(crate) fn number(&self, place: usize) -> u64 {
        self.0[place].parse().unwrap_or_else(|_| panic!("{:?}", self.0))
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        let mut pairs = self.0.iter().filter_map(|word| word.split_once('='));
        pairs.find(|(found, _)| *found == key).map(|(_, value)| value)
    }

    /// Returns the number in a pair such as `key=5`.
    pub(crate) fn option(&self, key: &str) -> Option<u64> {
        self.text(key).map(|value| value.parse().unwrap())
    }

    /// If the first word is `sign` with a number, returns the number and the other words.
    pub(crate) fn after(&self, sign: char) -> (Option<usize>, Words<'a>) {
        match self.0[0].strip_prefix(sign).map(str::parse) {
            Some(Ok(number)) => (Some(number), Words(self.0[1..].to_vec())),
            _ => (None, Words(self.0.clone())),
        }
    }

    /// Returns the refusal of this name, with a number from a pair such as `ms=5` or `found=3`.
    pub(crate) fn refusal(&self, name: &str) -> Refusal {
        let retry_in_ms = self.option("ms").unwrap_or_default();
        let found = self.option("found").unwrap_or(3);
        match name {
            "full" => Refusal::NoNodeFree { retry_in_ms },
            "exhausted" => Refusal::BatchesExhausted { retry_in_ms },
            "overloaded" => Refusal::Overloaded { retry_in_ms },
            "disagreement" => {
                Refusal::ClockDisagreement { authority_ms: 1, holder_ms: 99_999, max_ms: 10_000 }
            }
            "destroyed" => Refusal::SequencerDestroyed,
            "unknown" => Refusal::UnknownSequencer,
            "unreadable" => Refusal::Unreadable,
            "unsuitable" => Refusal::UnsuitableSettings,
            "misconfigured" => Refusal::InvalidConfiguration,
            "other" => Refusal::OtherIncarnation { found },
            "shard" => Refusal::OtherShard { shard: found },
            "nodes" => Refusal::NodesInUse { node_count_min: found },
            "timestamp" => Refusal::OtherTimestamp,
            "running" => Refusal::SpansNotEnded { retry_in_ms },
            "outside" => {
                Refusal::OutsideLayout { now_ms: retry_in_ms, epoch_ms: 5_000, end_ms: 9_000 }
            }
            other => panic!("unknown refusal {other}"),
        }
    }
}

/// Returns the numbers of a value in the order of its fields.
pub(crate) fn numbers(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let digits = |text: &str| text.chars().all(|digit| digit.is_ascii_digit());
    let words = text.split([' ', ',']).filter(|word| !word.is_empty() && digits(word));
    words.collect::<Vec<_>>().join(" ")
}
