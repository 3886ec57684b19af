//! Which system an id comes from.

use edgeflake::identify::{Candidate, Dating, Likeliest, Mixture, Reasons, Source, UnixUnit};
use edgeflake::{Layout, Parts, identify, preset};

/// The time is 2026-11-21.
const NOW_MS: u64 = 1_795_219_200_000;

const DAY_MS: u64 = 86_400_000;

/// The published ids of which the first answer is another reading.
const MISSED: [u64; 22] = [
    // Tweets from before 2022-09: Discord cuts at the same places, and has a later date.
    1_541_815_603_606_036_480,
    1_212_161_512_043_450_368,
    1_426_860_702_823_350_272,
    1_050_118_621_198_921_728,
    1_522_929_458_495_242_241,
    // Meituan Leaf, which cuts there too; it is a multiple of 1,000 and so may be Unix time.
    1_169_786_042_799_259_000,
    // One id that its source reads as six systems: Instagram, Sonyflake, Mastodon, flake-idgen,
    // TSID, SnowID. At most one can be right.
    2_039_815_312_720_154_892,
    2_039_815_312_720_154_892,
    2_039_815_312_720_154_892,
    2_039_815_312_720_154_892,
    2_039_815_312_720_154_892,
    2_039_815_312_720_154_892,
    // Dates that cannot be: flake-idgen in 1971, Sonyflake in 2188, TSID's epoch in 2050,
    // Hazelcast at its epoch.
    157_768_171_518_951_424,
    157_768_171_518_951_426,
    157_770_026_425_126_912,
    9_176_965_353_308_225_537,
    3_971_046_231_244_935_169,
    1_234,
    // Sonyflake with machine and sequence full, where no field is small however it is cut.
    282_536_111_597_682_687,
    // Instagram, Hazelcast and snowcast within months of their epochs, where many dates can be.
    11_637_205_501_278_089,
    5_300_086_112_257_234,
    44_368_455_009_519_617,
];

fn named(candidates: &[Candidate], name: &str) -> Candidate {
    *candidates.iter().find(|candidate| candidate.source.name() == name).unwrap()
}

#[test]
fn published_ids() {
    let mut places = Vec::new();
    for vector in crate::vectors::read() {
        let candidates = identify(vector.id, NOW_MS);
        let right = |candidate: &Candidate| match candidate.source {
            Source::System { preset, parts } => vector.says(&preset.layout, parts),
            Source::UnixTime(_) => false,
        };
        match candidates.iter().position(right) {
            Some(place) => places.push((vector.id, place + 1)),
            None => assert_eq!(vector.preset, None, "no preset is {}", vector.layout),
        }
    }
    let missed = places.iter().filter(|(_, place)| *place > 1);
    let mut missed: Vec<_> = missed.map(|(id, _)| *id).collect();
    let mut expected = MISSED;
    missed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(missed, expected);
    assert_eq!((places.len(), places.len() - missed.len()), (42, 20));
    let near = places.iter().filter(|(_, place)| *place <= 3).count();
    assert!(near >= 28, "{near} right answers are among the first three");
}

/// Every preset, at a date that can be and with a small node and sequence, is a candidate without
/// anything against it.
#[test]
fn an_id_of_each_preset() {
    for preset in &preset::ALL {
        let layout = preset.layout;
        let small = small_parts(&layout);
        let candidates = identify(layout.encode(small).unwrap(), NOW_MS);
        let own = named(&candidates, preset.name);
        assert_eq!(
            (own.source.parts(), own.instant_ms),
            (Some(small), layout.start_ms(small.tick))
        );
        let Reasons { date, unused_bits, node_small, sequence_small } = own.reasons;
        assert_eq!(date, Dating::Plausible, "{}", preset.name);
        assert_eq!(unused_bits, layout.largest_id().count_zeros());
        assert_eq!(node_small, (layout.nodes() > 1).then_some(true), "{}", preset.name);
        assert_eq!(sequence_small, Some(true), "{}", preset.name);
    }
}

fn small_parts(layout: &Layout) -> Parts {
    let tick = layout.tick(NOW_MS.min(layout.end_ms()) - 12_345_678_901).unwrap();
    Parts { tick, node: 1.min(layout.nodes() - 1), sequence: 0, tag: 0 }
}

/// The system that an id of a layout with a small node and sequence is taken for first, if that
/// reads it otherwise.
pub(crate) fn other_of_small(layout: &Layout) -> Option<&'static str> {
    other_system(layout, small_parts(layout))
}

/// The same for an id that is a minute old, with a large node and sequence.
pub(crate) fn other_of_new(layout: &Layout) -> Option<&'static str> {
    let tick = layout.tick(NOW_MS - 60_000).ok()?;
    let (node, sequence) = (layout.nodes() / 3, layout.ids_per_tick() / 3);
    other_system(layout, Parts { tick, node, sequence, tag: 0 })
}

fn other_system(layout: &Layout, parts: Parts) -> Option<&'static str> {
    let first = identify(layout.encode(parts).unwrap(), NOW_MS)[0];
    let is_right =
        first.source.parts() == Some(parts) && first.instant_ms == layout.start_ms(parts.tick);
    (!is_right).then_some(first.source.name())
}

#[test]
fn shares_are_parts_of_a_whole_and_descend() {
    for id in [0, 1, 1_541_815_603_606_036_480, 1 << 53, u64::MAX >> 1, u64::MAX] {
        let candidates = identify(id, NOW_MS);
        let total: f64 = candidates.iter().map(|candidate| candidate.share).sum();
        assert!((total - 1.0).abs() < 1e-9, "{id}: {total}");
        assert!(candidates.is_sorted_by(|a, b| a.share >= b.share));
        let fits = preset::ALL.iter().filter(|preset| preset.layout.decode(id).is_ok());
        assert_eq!(
            candidates.iter().filter_map(|found| found.source.parts()).count(),
            fits.count()
        );
    }
}

/// Twitter's id with sequence 1,024 is Instagram's with shard 1 and sequence 0.
#[test]
fn what_a_field_says_is_half_even_and_half_for_small_values() {
    let (twitter, instagram) = (preset::TWITTER, preset::INSTAGRAM);
    let parts = Parts { tick: 400_000_000_000, sequence: 1_024, ..Parts::default() };
    let id = twitter.encode(parts).unwrap();
    let other = Parts { tick: 200_000_000_000, node: 1, ..Parts::default() };
    assert_eq!(instagram.decode(id), Ok(other));
    let candidates = identify(id, NOW_MS);
    let share = |name| named(&candidates, name).share;

    let half = |small: f64, bits: i32| f64::midpoint(small, 2_f64.powi(-bits));
    let node = |value: f64, bits: i32| {
        let all = f64::from(bits) * core::f64::consts::LN_2 + 0.577_215_664_9;
        half(1.0 / (value + 1.0) / all, bits)
    };
    let sequence = |value: f64, bits: i32| {
        half(6.0 / core::f64::consts::PI.powi(2) / (value + 1.0).powi(2), bits)
    };
    let twitter_belief = 4.0 * node(0.0, 5) * node(0.0, 5) * sequence(1_024.0, 12);
    let ratio = twitter_belief / (node(1.0, 13) * sequence(0.0, 10));
    let found = share("twitter") / share("instagram");
    assert!((found / ratio - 1.0).abs() < 1e-9, "{found} {ratio}");
}

#[test]
fn equal_candidates_are_ordered_by_date() {
    let candidates = identify(1_541_815_603_606_036_480, NOW_MS);
    let [first, second] = [candidates[0], candidates[1]];
    assert_eq!((first.source.name(), second.source.name()), ("discord", "twitter"));
    assert!((first.share - second.share).abs() < 1e-12);
    // A minute before Discord's date it can only be Twitter's.
    let earlier = identify(1_541_815_603_606_036_480, first.instant_ms - Dating::FUTURE_MS - 1);
    assert_eq!(earlier[0].source.name(), "twitter");
}

#[test]
fn a_date_that_cannot_be_counts_for_nothing() {
    let at = |preset: &str, tick: u64| {
        let preset = preset::named(preset).unwrap();
        let id = preset.layout.encode(Parts { tick, ..Parts::default() }).unwrap();
        let candidates = identify(id, NOW_MS);
        let own = named(&candidates, preset.name);
        (own.reasons.date, own.share)
    };
    let since_ms = preset::named("mastodon").unwrap().since_ms;
    for (preset, tick, date) in [
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
        assert_eq!(found, date, "{preset} {tick}");
        let can_be = matches!(date, Dating::Plausible | Dating::Recent);
        assert_eq!(share > 1e-3, can_be, "{preset} {tick}: {share}");
    }
}

#[test]
fn reasons_in_words() {
    let reasons = |date, unused_bits, node_small, sequence_small| Reasons {
        date,
        unused_bits,
        node_small,
        sequence_small,
    };
    texts! {
        reasons(Dating::Plausible, 1, Some(true), Some(false))
            => "date plausible, 1 unused bit is 0, node small, sequence not small",
        reasons(Dating::AtEpoch, 11, None, Some(true))
            => "date at the epoch, 11 unused bits are 0, sequence small",
        reasons(Dating::Recent, 0, None, None) => "date plausible and recent",
        reasons(Dating::BeforeSystem, 0, None, None) => "date before the system existed",
        reasons(Dating::Future, 0, Some(false), None) => "date in the future, node not small",
    }
}

/// Clock readings, and whether each is Unix time in the first place.
#[test]
fn unix_time() {
    for (number, unit, instant_ms) in [
        (1_000_000_000, UnixUnit::Seconds, 1_000_000_000_000),
        (1_700_000_000, UnixUnit::Seconds, 1_700_000_000_000),
        (1_000_000_000_000, UnixUnit::Millis, 1_000_000_000_000),
        (1_700_000_000_123, UnixUnit::Millis, 1_700_000_000_123),
        (1_700_000_000_123_456, UnixUnit::Micros, 1_700_000_000_123),
        (1_700_000_000_123_000, UnixUnit::Micros, 1_700_000_000_123),
        (1_700_000_000_123_456_000, UnixUnit::Nanos, 1_700_000_000_123),
        (1_700_000_000_123_000_000, UnixUnit::Nanos, 1_700_000_000_123),
        // This is the present, in ns.
        (NOW_MS * 1_000_000 - 123_456_789, UnixUnit::Nanos, NOW_MS - 124),
        (NOW_MS + Dating::FUTURE_MS, UnixUnit::Millis, NOW_MS + Dating::FUTURE_MS),
    ] {
        let first = identify(number, NOW_MS)[0];
        assert_eq!((first.source, first.instant_ms), (Source::UnixTime(unit), instant_ms));
    }
    // These are before 2001-09, or in the future.
    for number in [0, 1_000, 999_999_999, 999_999_999_999, NOW_MS + Dating::FUTURE_MS + 1, u64::MAX]
    {
        let found = identify(number, NOW_MS);
        assert!(found.iter().all(|candidate| candidate.source.parts().is_some()), "{number}");
    }
    // Tweets of 2024 have 19 digits and the same magnitude, and stay tweets even with the numbers
    // of a busy second.
    for sequence in 0..100 {
        let tick = preset::TWITTER.tick(1_710_000_000_123).unwrap();
        let parts = Parts { tick, node: 378, sequence, tag: 0 };
        let tweet = preset::TWITTER.encode(parts).unwrap();
        let found = identify(tweet, NOW_MS);
        let unix = named(&found, "unix-ns").share;
        let first = found[0].source.name();
        let is_round = tweet.is_multiple_of(1_000);
        assert!(is_round || (first == "twitter" && unix < 0.5), "{tweet} {first} {unix}");
    }
}

/// Makes tweets of `count` consecutive ms.
fn tweets(instant_ms: u64, count: u64) -> Vec<u64> {
    let tick = preset::TWITTER.tick(instant_ms).unwrap();
    let id =
        |i| preset::TWITTER.encode(Parts { tick: tick + i, node: 378, sequence: i % 7, tag: 0 });
    (0..count).map(|i| id(i).unwrap()).collect()
}

#[test]
fn company_settles_what_one_id_cannot() {
    const OF_2020_MS: u64 = 1_580_000_000_000;
    const OF_2024_MS: u64 = 1_710_000_000_000;
    let older = tweets(OF_2020_MS, 50);
    let first = |mixture: &Mixture, id| mixture.identify(id, NOW_MS)[0];

    // By themselves they may as well be Discord's, whatever their number.
    let alone = first(&Mixture::of(&older, NOW_MS), older[0]);
    assert_eq!(alone.source.name(), "discord");
    assert!(alone.share < 0.51, "{}", alone.share);

    // One id that cannot be Discord's settles it. Libraries that copy Twitter's bits keep a share.
    for (newer, most) in [(1, 0.2), (5, 0.1), (50, 0.01)] {
        let all = [older.clone(), tweets(OF_2024_MS, newer)].concat();
        let candidates = Mixture::of(&all, NOW_MS).identify(older[0], NOW_MS);
        assert_eq!(candidates[0].source.name(), "twitter");
        let discord = named(&candidates, "discord").share;
        assert!(candidates[0].share > 0.7 && discord < most, "{newer} {discord}");
    }

    // Ids of another system among them change neither.
    let hazelcast: Vec<u64> = (0..40)
        .map(|i| {
            let tick = preset::HAZELCAST.tick(1_760_000_000_000 + i).unwrap();
            preset::HAZELCAST.encode(Parts { tick, node: 7, sequence: 0, tag: 0 }).unwrap()
        })
        .collect();
    let all = [older.clone(), tweets(OF_2024_MS, 20), hazelcast.clone()].concat();
    let mixture = Mixture::of(&all, NOW_MS);
    assert_eq!(first(&mixture, older[0]).source.name(), "twitter");
    assert_eq!(first(&mixture, hazelcast[0]).source.name(), "hazelcast");
    let weights = mixture.weights();
    let of = |name| weights[preset::ALL.iter().position(|preset| preset.name == name).unwrap()];
    assert!(of("twitter") > 50.0 && of("discord") < 2.0, "{weights:?}");
    assert!((of("hazelcast") - 40.0).abs() < 2.0, "{weights:?}");
    assert!((weights.iter().sum::<f64>() - 111.0).abs() < 1e-6);
}

/// Three ids of Discord's documentation. The fields of the first are as likely Sonyflake's, whose
/// ids are 40 times less frequent.
#[test]
fn an_id_does_not_make_its_own_system_common() {
    let ids = [175_928_847_299_117_063, 86_913_608_335_773_696, 661_720_242_585_735_168];
    let weights = Mixture::of(&ids, NOW_MS).weights();
    let of = |name| weights[preset::ALL.iter().position(|preset| preset.name == name).unwrap()];
    assert!(of("sonyflake") < 0.3 && of("discord") > 1.0, "{weights:?}");
    let candidates = Mixture::of(&ids[1..], NOW_MS).identify(ids[0], NOW_MS);
    assert_eq!(candidates[0].source.name(), "discord");
    assert!(named(&candidates, "sonyflake").share < 0.2, "{candidates:?}");
}

#[test]
fn the_likeliest_is_the_first_candidate() {
    let ids = [0, 1, 1_541_815_603_606_036_480, 1_700_000_000_123, 1 << 53, u64::MAX];
    for mixture in [Mixture::of(&[], NOW_MS), Mixture::of(&ids, NOW_MS)] {
        assert_eq!(Mixture::new(mixture.weights()), mixture);
        for id in ids {
            let Likeliest { place, share, instant_ms } =
                mixture.classifier(NOW_MS).likeliest(id).unwrap();
            let first = mixture.identify(id, NOW_MS)[0];
            assert_eq!(instant_ms, first.instant_ms);
            assert!((share - first.share).abs() < 1e-12);
            let name = preset::ALL.get(place).map_or("unix-ms", |preset| preset.name);
            assert_eq!(name, first.source.name());
        }
    }
    assert_eq!(Mixture::of(&[], NOW_MS).identify(7, NOW_MS).len(), identify(7, NOW_MS).len());
}
