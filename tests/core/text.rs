//! Tests ids as text: the texts that every encoding prints, reads and refuses. Every id survives
//! being printed and read, and no text makes the reader panic.

use edgeflake::Error;
use edgeflake::text::{self, Encoding, Fault};
use proptest::prelude::proptest;
use proptest::sample::select;

/// For each encoding: its digits from 0 on, as its specification has them, and the other characters
/// that it reads, each followed by the digit for which it stands.
const DIGITS: [(Encoding, &str, &str); 12] = [
    (Encoding::Decimal, "0123456789", ""),
    (Encoding::SignedDecimal, "0123456789", ""),
    (Encoding::Hex, "0123456789abcdef", "AaBbCcDdEeFf"),
    (Encoding::Binary, "01", ""),
    (
        Encoding::Base32,
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
        "aAbBcCdDeEfFgGhHjJkKmMnNpPqQrRsStTvVwWxXyYzZO0o0I1i1L1l1",
    ),
    (Encoding::ZBase32, "ybndrfg8ejkmcpqxot1uwisza345h769", ""),
    (
        Encoding::Base36,
        "0123456789abcdefghijklmnopqrstuvwxyz",
        "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz",
    ),
    (Encoding::Base58, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", ""),
    (Encoding::Base58Flickr, "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", ""),
    (Encoding::Base62, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", ""),
    (Encoding::Base64Url, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", ""),
    (Encoding::Base62Lower, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ""),
];

/// Published texts of ids: the encoding, the id, its text and the source.
const PUBLISHED: &str = "\
hex 157770026425126912 02308300cd461000 flake-idgen README
hex 1116823421972381696 0f7fc0fc2f800000 bwmarrin/snowflake TestIntBytes
binary 5828128208445124608 0101000011100001101010111011101000010001110011100011000000000000 flake-idgen README
base32 18446744073709551615 FZZZZZZZZZZZZ jonsagara/crockford-base32-core README
z-base-32 1427970479175499776 b8wjm1zroyyyy bwmarrin/snowflake TestParseBase32
base36 5481594952936519619 15n9z8l3au4eb martinlindhe/base36 TestEncode
base36 18446744073709551615 3w5e11264sgsf ruby test_bignum.rb test_to_s
base58 4294967295 7YXq9G flux-core libutil/test/fluid.c
base58 6731191091817518 uZZybuNNy flux-core libutil/test/fluid.c
base58 18446744073709551615 jpXCZedGfVQ flux-core libutil/test/fluid.c
base58-flickr 4325695128 7Afjsu flickrapi tests/test_shorturl.py
base58-flickr 2811466321 5hruZg flickrapi tests/test_shorturl.py
base62 18446744073709551615 LygHa16AHYF fbernier/base62 test_encode
base62-lower 999 g7 base62.js README
base64url 2278584739065882267 B-fKL9qpeab instagrapi tests.py
base64url 2110901750722920960 B1LbfVPlwIA instagrapi tests.py
base64url-bytes 0 AAAAAAAAAAA Python base64.urlsafe_b64encode
base64url-bytes 16 AAAAAAAAABA Python base64.urlsafe_b64encode
base64url-bytes 112628796121458 AABmb29iYXI Python base64.urlsafe_b64encode
base64url-bytes 1541815603606036480 FWWhH2IXoAA Python base64.urlsafe_b64encode
base64url-bytes 9223372036854775808 gAAAAAAAAAA Python base64.urlsafe_b64encode
base64url-bytes 18446744073709551615 __________8 Python base64.urlsafe_b64encode";

/// Texts that were published without leading zeros, or in the other letter case. They can be read,
/// but are printed differently.
const READ: &str = "\
base32 3838385658376483 3D2ZQ6TVC93 jonsagara/crockford-base32-core README
base32 519571 FVCK jonsagara/crockford-base32-core README
base36 5481594952936519619 15N9Z8L3AU4EB martinlindhe/base36 base36_test.go";

#[test]
fn published() {
    for line in PUBLISHED.lines().chain(READ.lines()) {
        let [encoding, id, published] = [0, 1, 2].map(|i| line.split(' ').nth(i).unwrap());
        let (encoding, id) = (Encoding::named(encoding).unwrap(), id.parse().unwrap());
        assert_eq!(text::parse(published, encoding), Ok(id), "{line}");
        assert_eq!(*text::format(id, encoding) == *published, PUBLISHED.contains(line), "{line}");
    }
}

/// Each line has an encoding, the texts of 0, 1, base - 1, base, 2^53, 2^63 - 1, 2^63 and 2^64 - 1,
/// and the text of 2^64 with the position of its digit that overflows. None of these texts comes
/// from this crate.
const EXTREMES: &str = "\
base32 0000000000000 0000000000001 000000000000Z 0000000000010 0080000000000 7ZZZZZZZZZZZZ 8000000000000 FZZZZZZZZZZZZ G000000000000 12
z-base-32 y b 9 by eyyyyyyyyyy 8999999999999 eyyyyyyyyyyyy x999999999999 oyyyyyyyyyyyy 12
base36 0 1 z 10 2gosa7pa2gw 1y2p0ij32e8e7 1y2p0ij32e8e8 3w5e11264sgsf 3w5e11264sgsg 12
base58 1 2 z 21 2DLNrMSKuh NQm6nKp8qFC NQm6nKp8qFD jpXCZedGfVQ jpXCZedGfVR 10
base58-flickr 1 2 Z 21 2dknRmrjUG npL6MjP8Qfc npL6MjP8Qfd JPwcyDCgEup JPwcyDCgEuq 10
base62 00000000000 00000000001 0000000000z 00000000010 00fFgnDxSe8 AzL8n0Y58m7 AzL8n0Y58m8 LygHa16AHYF LygHa16AHYG 10
base64url A B _ BA gAAAAAAAA H__________ IAAAAAAAAAA P__________ QAAAAAAAAAA 10
base62-lower 0 1 Z 10 FfGNdXsE8 aZl8N0y58M7 aZl8N0y58M8 lYGhA16ahyf lYGhA16ahyg 10";

#[test]
fn j16_q19_the_extremes() {
    for line in EXTREMES.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let [encoding, texts @ .., refused, position] = &words[..] else { panic!("{line}") };
        let encoding = Encoding::named(encoding).unwrap();
        let base = DIGITS.iter().find(|(with, ..)| *with == encoding).unwrap().1.len() as u64;
        let ids = [0, 1, base - 1, base, 1 << 53, (1 << 63) - 1, 1 << 63, u64::MAX];
        assert_eq!(texts.len(), ids.len());
        for (id, text) in ids.into_iter().zip(texts) {
            assert_eq!(&*text::format(id, encoding), *text, "{encoding} {id}");
            assert_eq!(text::parse(text, encoding), Ok(id), "{encoding} {text}");
        }
        let (position, fault) = (position.parse().unwrap(), Fault::Overflow);
        let refused = text::parse(refused, encoding);
        assert_eq!(refused, Err(Error::IdText { encoding, position, fault }), "{encoding}");
    }
}

/// Prints an id in the four encodings that the standard library knows.
fn printed_by_std(id: u64) -> [(Encoding, String); 4] {
    [
        (Encoding::Decimal, id.to_string()),
        (Encoding::SignedDecimal, id.cast_signed().to_string()),
        (Encoding::Hex, format!("{id:016x}")),
        (Encoding::Binary, format!("{id:064b}")),
    ]
}

#[test]
fn every_single_character() {
    for (encoding, digits, also) in DIGITS {
        let also: Vec<char> = also.chars().collect();
        for character in ('\0'..='\u{ff}').chain(['\u{fffd}', '\u{1f389}']) {
            let read_as = also.chunks_exact(2).find(|pair| pair[0] == character);
            let read_as = read_as.map_or(character, |pair| pair[1]);
            let digit = digits.chars().zip(0..).find(|(known, _)| *known == read_as);
            let expected = match digit {
                Some((_, digit)) => Ok(digit),
                None if encoding == Encoding::SignedDecimal && character == '-' => {
                    Err(Error::IdText { encoding, position: 1, fault: Fault::Empty })
                }
                None => {
                    Err(Error::IdText { encoding, position: 0, fault: Fault::Character(character) })
                }
            };
            assert_eq!(
                text::parse(&character.to_string(), encoding),
                expected,
                "{encoding} {character:?}"
            );
        }
    }
}

#[test]
fn leading_zeros_up_to_the_width() {
    for (encoding, digits, _) in DIGITS {
        let widest = text::format(
            if encoding == Encoding::SignedDecimal { 1 << 62 } else { u64::MAX },
            encoding,
        );
        let zero = &digits[..1];
        // The signed encoding reads as many digits (20) as the unsigned one.
        let width = widest.len() + usize::from(encoding == Encoding::SignedDecimal);
        for length in 1..=width {
            let padded = zero.repeat(length - 1) + &digits[1..2];
            assert_eq!(text::parse(&padded, encoding), Ok(1), "{encoding} {padded}");
        }
        let fault = Fault::TooLong { max: width };
        let too_long = Err(Error::IdText { encoding, position: width, fault });
        assert_eq!(text::parse(&zero.repeat(width + 1), encoding), too_long, "{encoding}");
    }
    assert_eq!(text::parse("-0", Encoding::SignedDecimal), Ok(0));
    assert_eq!(text::parse("-00000000000000000001", Encoding::SignedDecimal), Ok(u64::MAX));
}

#[test]
fn names() {
    assert_eq!(
        Encoding::ALL.map(Encoding::name).join(" "),
        "decimal signed-decimal hex binary base32 z-base-32 base36 base58 base58-flickr base62 \
         base64url base62-lower base64url-bytes"
    );
    for encoding in Encoding::ALL {
        assert_eq!(Encoding::named(encoding.name()), Some(encoding));
        assert_eq!(format!("{encoding:>15}"), format!("{:>15}", encoding.name()));
    }
    let sortable = Encoding::ALL.into_iter().filter(|encoding| encoding.is_sortable());
    let sortable: Vec<_> = sortable.map(Encoding::name).collect();
    assert_eq!(sortable, ["hex", "binary", "base32", "base62"]);
    for unknown in ["", "Decimal", "base64", "base62 "] {
        assert_eq!(Encoding::named(unknown), None);
    }
}

#[test]
fn digits_and_lengths() {
    for encoding in Encoding::ALL {
        let same = match encoding {
            Encoding::Base64UrlBytes => Encoding::Base64Url,
            _ => encoding,
        };
        let (_, digits, _) = DIGITS.into_iter().find(|(with, ..)| *with == same).unwrap();
        assert_eq!(encoding.digits(), digits);
        let lengths = [0, 1, 1 << 63, u64::MAX].map(|id| text::format(id, encoding).len());
        assert_eq!(lengths.iter().min(), Some(encoding.lengths().start()), "{encoding}");
        assert_eq!(lengths.iter().max(), Some(encoding.lengths().end()), "{encoding}");
    }
}

#[test]
fn equal_texts_are_equal() {
    assert_eq!(text::format(1, Encoding::Decimal), text::format(1, Encoding::Base36));
    assert_ne!(text::format(1, Encoding::Hex), text::format(1, Encoding::Decimal));
    let seven = text::format(7, Encoding::Decimal);
    assert_eq!(format!("{seven:>4}|{seven:?}"), "   7|\"7\"");
}

/// Returns ids of all lengths: the extremes, and then numbers of `SplitMix64`, each shifted right
/// by a random number of bits.
fn ids(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let extremes = [0, 1, 2, 9, 10, 15, 16, 1 << 53, (1 << 63) - 1, 1 << 63, u64::MAX];
    let drawn = core::iter::repeat_with(move || random() >> (random() % 64));
    extremes.into_iter().chain(drawn).take(count)
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
        if i < 20 || i.is_multiple_of(8) {
            for (encoding, printed) in printed_by_std(id) {
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
        assert!(!texts.is_sorted_by(|a, b| **a < **b), "{encoding} is sortable");
    }
}

proptest! {
    #[test]
    fn no_text_panics(
        found in ".*|-?[_0-9A-Za-z]{0,24}",
        encoding in select(Encoding::ALL.as_slice()),
    ) {
        match text::parse(&found, encoding) {
            Ok(id) => assert_eq!(text::parse(&text::format(id, encoding), encoding), Ok(id)),
            Err(Error::IdText { position, .. }) => assert!(found.is_char_boundary(position)),
            Err(error) => panic!("{error}"),
        }
    }
}
