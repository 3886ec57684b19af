//! Tests that every id survives being printed and read, and that no text makes the reader panic.

use edgeflake::Error;
use edgeflake::text::{self, Encoding};
use proptest::prelude::{any, proptest};
use proptest::sample::select;

/// Draws ids of all lengths: numbers of `SplitMix64`, with their upper bits cut off at random.
fn ids(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    core::iter::repeat_with(move || random() >> (random() % 64)).take(count)
}

const SEED: u64 = 20_181_224;
const COUNT: usize = if cfg!(miri) { 300 } else { 200_000 };

#[test]
fn round_trips() {
    for (i, id) in ids(SEED, COUNT).enumerate() {
        for encoding in Encoding::ALL {
            let printed = text::format(id, encoding);
            assert_eq!(
                text::parse(&printed, encoding),
                Ok(id),
                "{encoding} {id} {printed}, seed {SEED}"
            );
        }
        if i.is_multiple_of(8) {
            for (encoding, printed) in crate::text::printed_by_std(id) {
                assert_eq!(*text::format(id, encoding), *printed);
            }
        }
    }
}

#[test]
fn sortable_texts_sort_as_their_ids() {
    let ids: Vec<u64> = ids(SEED, COUNT).collect();
    for encoding in Encoding::ALL.into_iter().filter(|encoding| encoding.is_sortable()) {
        for pair in ids.windows(2) {
            let texts = (text::format(pair[0], encoding), text::format(pair[1], encoding));
            assert_eq!(texts.0.cmp(&texts.1), pair[0].cmp(&pair[1]), "{encoding} {pair:?}");
        }
    }
    for encoding in Encoding::ALL.into_iter().filter(|encoding| !encoding.is_sortable()) {
        let texts = [2, 9, 10, 26, 52, 63, 64, u64::MAX].map(|id| text::format(id, encoding));
        assert!(!texts.is_sorted_by(|a, b| **a < **b), "{encoding} sorts after all");
    }
}

proptest! {
    #[test]
    fn no_text_panics(found in any::<String>(), encoding in select(Encoding::ALL.as_slice())) {
        read(&found, encoding);
    }

    #[test]
    fn no_digits_panic(found in "-?[_0-9A-Za-z]{0,24}", encoding in select(Encoding::ALL.as_slice())) {
        read(&found, encoding);
    }
}

fn read(found: &str, encoding: Encoding) {
    match text::parse(found, encoding) {
        Ok(id) => assert_eq!(
            text::parse(&text::format(id, encoding), encoding),
            Ok(id),
            "{encoding} {found}"
        ),
        Err(Error::IdText { position, .. }) => {
            assert!(found.is_char_boundary(position), "{encoding} {found}");
        }
        Err(error) => panic!("{error}"),
    }
}
