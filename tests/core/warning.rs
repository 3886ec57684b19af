//! Tests which ids cause warnings, and the texts of the warnings word for word.

use edgeflake::identify::{Dating, Warning};
use edgeflake::{Layout, preset};

/// The time is 2026-11-21.
const NOW_MS: u64 = 1_795_219_200_000;

fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(Warning::code).collect()
}

#[test]
fn texts() {
    let instant_ms = preset::TWITTER.epoch_ms();
    let coded = |warning: Warning| format!("{}: {warning}", warning.code());
    texts! {
        coded(Warning::Rounded { one_in: 256 })
            => "rounded: JavaScript may have rounded this id, so its last digits may be wrong \
                (one id in 256 looks so by chance)",
        coded(Warning::SignBit { signed: i64::MIN })
            => "sign-bit: the sign bit is set: a signed 64-bit integer reads -9223372036854775808",
        coded(Warning::Future { instant_ms: NOW_MS, now_ms: instant_ms })
            => "future: 2026-11-21T00:00:00.000Z is in the future: now is 2010-11-04T01:42:54.657Z",
        coded(Warning::BeforeSystem { instant_ms, since_ms: NOW_MS })
            => "before-system: 2010-11-04T01:42:54.657Z is before the system existed: it began at \
                2026-11-21T00:00:00.000Z",
        coded(Warning::AtEpoch { epoch_ms: instant_ms })
            => "at-epoch: the date is within a minute of the epoch \
                2010-11-04T01:42:54.657Z: this may be a small number, no id",
        coded(Warning::OverlapsOldIds { preset: preset::named("worker-queue").unwrap() })
            => "overlaps-old-ids: ids may be equal to those that worker-queue issued from \
                 2017-12-21T00:00:00.000Z until 2026-09-06T10:58:26.944Z",
        coded(Warning::LayoutEnding { end_ms: NOW_MS })
            => "layout-ending: the layout runs out at 2026-11-21T00:00:00.000Z: at most a tenth of \
                its life is left",
        coded(Warning::LayoutEnded { end_ms: NOW_MS })
            => "layout-ended: the layout ran out at 2026-11-21T00:00:00.000Z",
    }
}

/// Tests ids that JavaScript's `String(Number(id))` or Excel's 15 digits have rounded, and the
/// original ids.
#[test]
fn what_a_double_prints() {
    let rounded = |id| preset::TWITTER.warnings(id, NOW_MS);
    assert_eq!(rounded(1_541_815_603_606_036_480), []);
    assert_eq!(rounded(1_541_815_603_606_030_000), [Warning::Rounded { one_in: 256 }]);
    // JavaScript stores this id exactly, so the id lost nothing. The same is true of one id in 256,
    // and of each Twitter id with sequence 0.
    assert_eq!(rounded(1_541_815_603_606_016_000), []);
    assert_eq!(rounded(36_100_000_000_000_010), [Warning::Rounded { one_in: 8 }]);
    assert_eq!(codes(&preset::DISCORD.warnings(u64::MAX, NOW_MS)), ["sign-bit", "future"]);
}

/// An id gets the warning `rounded` if and only if it is at least 2^55, and `to_string` prints its
/// digits for an `f64` with another value. The test covers ids of all magnitudes, and near powers of
/// two.
#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the test rounds")]
#[expect(clippy::cast_precision_loss, reason = "the test rounds")]
fn printed_numbers_look_rounded() {
    let is_expected = |id: u64| {
        let number = id as f64;
        id >= 1 << 55 && number as u64 != id && number.to_string() == id.to_string()
    };
    let check = |id: u64| {
        let found = codes(&preset::DISCORD.warnings(id, NOW_MS)).contains(&"rounded");
        assert_eq!(found, is_expected(id), "{id}");
        u32::from(found)
    };
    let (steps, near) = if cfg!(miri) { (20, 2) } else { (20_000_u32, 1_100) };
    let (mut state, mut found) = (0_u64, 0);
    for step in 0..steps {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let id = state >> (step % 12);
        let printed = (id as f64).to_string().parse().unwrap_or(u64::MAX);
        for id in [id, printed, printed.saturating_add(1), id / 1_000 * 1_000] {
            found += check(id);
        }
    }
    assert!(found > steps / 2, "{found}");
    for power in 50..64 {
        for id in (1_u64 << power) - near..(1 << power) + near {
            check(id);
        }
    }
    for id in (u64::MAX - 5_000..=u64::MAX).chain([0, 1]) {
        check(id);
    }
}

#[test]
fn the_sign_bit() {
    let layout = preset::DISCORD;
    let (last, first) = ((1 << 63) - 1, 1 << 63);
    let now_ms = layout.start_ms(layout.decode(first).unwrap().tick);
    assert_eq!(now_ms, layout.signed_end_ms());
    assert_eq!(layout.warnings(last, now_ms), []);
    assert_eq!(codes(&layout.warnings(first, now_ms)), ["sign-bit"]);
    let signed = i64::MIN + 1;
    assert_eq!(layout.warnings(first + 1, now_ms), [Warning::SignBit { signed }]);
    // The layout refuses the id, so its date gets no warning, but its sign bit does.
    assert_eq!(preset::TWITTER.warnings(first + 1, NOW_MS), [Warning::SignBit { signed }]);
}

#[test]
fn dates_that_cannot_be() {
    let now_ms = 2_000_000;
    let layout: Layout = "timestamp:30 node:4 @1000000".parse().unwrap();
    let at = |ms: u64| layout.warnings((ms - 1_000_000) << 4, now_ms);
    assert_eq!(at(now_ms + Dating::FUTURE_MS), []);
    let instant_ms = now_ms + Dating::FUTURE_MS + 1;
    assert_eq!(at(instant_ms), [Warning::Future { instant_ms, now_ms }]);
    let epoch_ms = 1_000_000;
    assert_eq!(at(epoch_ms), [Warning::AtEpoch { epoch_ms }]);
    assert_eq!(at(epoch_ms + Dating::EPOCH_MS - 1), [Warning::AtEpoch { epoch_ms }]);
    assert_eq!(at(epoch_ms + Dating::EPOCH_MS), []);

    let mastodon = preset::named("mastodon").unwrap();
    let since_ms = mastodon.since_ms;
    let at = |ms: u64| mastodon.warnings(ms << 16 | 7, NOW_MS);
    assert_eq!(at(since_ms), []);
    let instant_ms = since_ms - 1;
    assert_eq!(at(instant_ms), [Warning::BeforeSystem { instant_ms, since_ms }]);
    assert_eq!(mastodon.layout.warnings(instant_ms << 16 | 7, NOW_MS), []);
}

#[test]
fn the_last_tenth_of_a_life() {
    let layout: Layout = "timestamp:8 @1000 tick=10ms".parse().unwrap();
    let end_ms = 3_560;
    assert_eq!(layout.ending(0), None);
    assert_eq!(layout.ending(end_ms - 257), None);
    assert_eq!(layout.ending(end_ms - 256), Some(Warning::LayoutEnding { end_ms }));
    assert_eq!(layout.ending(end_ms - 1), Some(Warning::LayoutEnding { end_ms }));
    assert_eq!(layout.ending(end_ms), Some(Warning::LayoutEnded { end_ms }));
    assert_eq!(layout.ending(u64::MAX), Some(Warning::LayoutEnded { end_ms }));
}
