//! Tests how `identify` guesses the system of an id. `identify_table.rs` measures how often the
//! guess is right.

use edgeflake::identify::{Candidate, Classifier, Dating, names};
use edgeflake::{Layout, Parts, identify, preset};

/// The tests assume that now is 2026-11-21.
const NOW_MS: u64 = 1_795_219_200_000;

const DAY_MS: u64 = 86_400_000;

fn named(candidates: &[Candidate], name: &str) -> Candidate {
    *candidates.iter().find(|candidate| candidate.name() == name).unwrap()
}

/// Every preset is a candidate for its own ids, at a possible date.
#[test]
fn an_id_of_each_preset() {
    for preset in &preset::ALL {
        let layout = preset.layout;
        let parts = small_parts(&layout);
        let own = named(&identify(layout.encode(parts).unwrap(), NOW_MS), preset.name);
        assert_eq!((own.system(), own.title()), (Some((preset, parts)), preset.title));
        assert_eq!(
            (own.instant_ms, own.dating()),
            (layout.start_ms(parts.tick), Dating::Plausible)
        );
    }
}

fn small_parts(layout: &Layout) -> Parts {
    let tick = layout.tick(NOW_MS.min(layout.end_ms()) - 12_345_678_901).unwrap();
    Parts { tick, node: 1.min(layout.nodes() - 1), sequence: 0, tag: 0 }
}

/// Returns the system with which `identify` confuses this layout, for ids with a small node and
/// sequence.
pub(crate) fn other_of_small(layout: &Layout) -> Option<&'static str> {
    other_system(layout, small_parts(layout))
}

/// Returns the system with which `identify` confuses this layout, for ids that are a minute old and
/// have a large node and sequence.
pub(crate) fn other_of_new(layout: &Layout) -> Option<&'static str> {
    let tick = layout.tick(NOW_MS - 60_000).ok()?;
    let (node, sequence) = (layout.nodes() / 3, layout.ids_per_tick() / 3);
    other_system(layout, Parts { tick, node, sequence, tag: 0 })
}

fn other_system(layout: &Layout, parts: Parts) -> Option<&'static str> {
    let first = identify(layout.encode(parts).unwrap(), NOW_MS)[0];
    let is_right = first.instant_ms == layout.start_ms(parts.tick);
    (!is_right).then_some(first.name())
}

/// Candidates with the same date are adjacent, in the order of their shares.
#[test]
fn readings_and_shares_descend() {
    for id in [1_541_815_603_606_036_480, 1 << 53, u64::MAX >> 1, u64::MAX] {
        let candidates = identify(id, NOW_MS);
        let total: f64 = candidates.iter().map(|candidate| candidate.share).sum();
        assert!((0.0..1.0).contains(&total), "{id}: {total}");
        let ranks = |found: &Candidate| (found.reading, found.share);
        assert!(candidates.is_sorted_by(|a, b| ranks(a) >= ranks(b)), "{id}: {candidates:?}");
        for found in &candidates {
            let same = candidates.iter().filter(|other| other.instant_ms == found.instant_ms);
            let sum: f64 = same.map(|other| other.share).sum();
            assert!((sum - found.reading).abs() < 1e-12, "{id}: {found:?}");
        }
        let fits = preset::ALL.iter().filter(|preset| preset.layout.decode(id).is_ok());
        assert_eq!(
            candidates.iter().filter(|found| found.system().is_some()).count(),
            fits.count()
        );
    }
    let tweet = identify(1_541_815_603_606_036_480, NOW_MS);
    let mut names: Vec<_> = tweet[..3].iter().map(Candidate::name).collect();
    names.sort_unstable();
    assert_eq!(names, ["bwmarrin", "leaf", "twitter"]);
}

#[test]
fn a_date_that_cannot_be_counts_for_nothing() {
    let at = |preset: &str, tick: u64| {
        let preset = preset::named(preset).unwrap();
        let id = preset.layout.encode(Parts { tick, ..Parts::default() }).unwrap();
        let own = named(&identify(id, NOW_MS), preset.name);
        (own.dating(), own.share)
    };
    let since_ms = preset::named("mastodon").unwrap().since_ms;
    for (preset, tick, dating) in [
        ("mastodon", since_ms - 1, Dating::BeforeSystem),
        ("mastodon", since_ms, Dating::Plausible),
        ("mastodon", NOW_MS - DAY_MS - 1, Dating::Plausible),
        ("mastodon", NOW_MS - DAY_MS, Dating::Recent),
        ("mastodon", NOW_MS + Dating::FUTURE_MS, Dating::Recent),
        ("mastodon", NOW_MS + Dating::FUTURE_MS + 1, Dating::Future),
        ("twitter", Dating::EPOCH_MS - 1, Dating::AtEpoch),
        ("twitter", Dating::EPOCH_MS, Dating::Plausible),
    ] {
        let (found, share) = at(preset, tick);
        assert_eq!(found, dating, "{preset} {tick}");
        let can_be = matches!(dating, Dating::Plausible | Dating::Recent);
        assert_eq!(share > 1e-5, can_be, "{preset} {tick}: {share}");
    }
}

#[test]
fn reasons_in_words() {
    let reasons = |name, id| named(&identify(id, NOW_MS), name).reasons().to_string();
    texts! {
        reasons("twitter", 1_541_815_603_606_036_480) => "date plausible, 1 unused bit is 0",
        reasons("js-safe", 7) => "date at the epoch, 11 unused bits are 0",
        reasons("mastodon", NOW_MS << 16 | 0xffff) => "date plausible and recent",
        reasons("mastodon", 255) => "date before the system existed",
        reasons("yitter", u64::MAX) => "date in the future",
        reasons("unix-ms", NOW_MS) => "date plausible and recent",
    }
}

/// As Unix times, these numbers have plausible dates, so Unix time is the likeliest system.
#[test]
fn unix_time() {
    for (number, name, instant_ms) in [
        (1_000_000_000, "unix-s", 1_000_000_000_000),
        (1_700_000_000, "unix-s", 1_700_000_000_000),
        (1_000_000_000_000, "unix-ms", 1_000_000_000_000),
        (1_700_000_000_123, "unix-ms", 1_700_000_000_123),
        (1_700_000_000_123_456, "unix-us", 1_700_000_000_123),
        (1_700_000_000_123_000, "unix-us", 1_700_000_000_123),
        (1_700_000_000_123_456_000, "unix-ns", 1_700_000_000_123),
        (1_700_000_000_123_000_000, "unix-ns", 1_700_000_000_123),
        // As Unix time in ns, this number is 0.12 s before now.
        (NOW_MS * 1_000_000 - 123_456_789, "unix-ns", NOW_MS - 124),
        (NOW_MS + Dating::FUTURE_MS, "unix-ms", NOW_MS + Dating::FUTURE_MS),
    ] {
        let first = identify(number, NOW_MS)[0];
        assert_eq!((first.name(), first.instant_ms, first.system()), (name, instant_ms, None));
    }
    // As Unix times, these numbers are before 2001-09-09 or in the future, so Unix time is no
    // candidate.
    for number in [0, 1_000, 999_999_999, 999_999_999_999, NOW_MS + Dating::FUTURE_MS + 1, u64::MAX]
    {
        let found = identify(number, NOW_MS);
        assert!(found.iter().all(|candidate| candidate.system().is_some()), "{number}");
    }
}

/// Returns Twitter ids whose field values are rare in Twitter ids and in Discord ids.
fn tweets(instant_ms: u64, count: u64) -> Vec<u64> {
    let tick = preset::TWITTER.tick(instant_ms).unwrap();
    let id = |i| Parts { tick: tick + 1_000 * i, node: 165, sequence: 0, tag: 0 };
    (0..count).map(|i| preset::TWITTER.encode(id(i)).unwrap()).collect()
}

#[test]
fn a_column_settles_what_one_id_cannot() {
    let older = tweets(1_580_000_000_000, 20);
    // If a Twitter id of 2024 were a Discord id, its date would be in the future.
    let newer = tweets(1_710_000_000_000, 20);
    let discord =
        |column: &[u64]| named(&Classifier::of(column, NOW_MS).identify(older[0]), "discord").share;
    let alone = discord(&[]);
    assert!((0.4..0.6).contains(&alone), "{alone}");
    let beside = discord(&[&older[..], &newer[..1]].concat());
    assert!(beside < 0.1, "{beside}");
    // The order of the ids does not matter.
    let mut column = [&older[..], &newer[..]].concat();
    let many = discord(&column);
    assert!(many < 0.01, "{many}");
    column.reverse();
    assert!((discord(&column) - many).abs() < 1e-9);
}

/// In a column of Twitter ids, the id of another system gets its own system and date.
#[test]
fn strays_are_identified_by_themselves() {
    let mut column: Vec<u64> = tweets(1_710_000_000_000, 20);
    column.push(1_700_000_000_123);
    let classifier = Classifier::of(&column, NOW_MS);
    assert_eq!(classifier.identify(1_700_000_000_123)[0].name(), "unix-ms");
    assert_eq!(classifier.identify(column[0])[0].instant_ms, 1_710_000_000_000);
}

#[test]
fn ids_of_one_moment_count_once() {
    let id = 38_352_658_567_418_867;
    let moment: Vec<u64> = (id..id + 8).collect();
    let judged = |column: &[u64]| Classifier::of(column, NOW_MS).identify(id);
    assert_eq!(judged(&moment), identify(id, NOW_MS));
    let other = 175_928_847_299_117_063;
    assert_eq!(judged(&[&moment[..], &[other]].concat()), judged(&[id, other]));
}

#[test]
fn sources_have_names() {
    let all: Vec<_> = names().collect();
    assert!(all.iter().take(preset::ALL.len()).eq(&preset::NAMES));
    assert_eq!(all[preset::ALL.len()..], ["unix-s", "unix-ms", "unix-us", "unix-ns"]);
}

#[test]
fn the_likeliest_is_the_first_of_all() {
    let column = [175_928_847_299_117_063, 197_038_439_483_310_086, 613_425_648_685_547_541];
    let mut id = 1_u64;
    for classifier in [&[][..], &column].map(|ids| Classifier::of(ids, NOW_MS)) {
        for shift in (0..64).cycle().take(20_000) {
            id = id.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (first, likeliest) =
                (classifier.identify(id >> shift)[0], classifier.likeliest(id >> shift));
            let likeliest = likeliest.unwrap();
            assert_eq!(likeliest.place, first.place, "{}", id >> shift);
            assert!((likeliest.reading - first.reading).abs() < 1e-9, "{}", id >> shift);
        }
    }
}
