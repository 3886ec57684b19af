//! Ids as text: what every encoding prints, reads and refuses.

use edgeflake::Error;
use edgeflake::text::{self, Encoding, Fault};

/// The digits of each encoding from 0 on, as its document gives them, and pairs of what is read
/// besides and the digit that it is read as.
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

#[test]
fn published() {
    for (encoding, id, published, _source) in [
        (
            Encoding::Hex,
            0x8_c20c_0335 << 22 | 3 << 17 | 1 << 12,
            "02308300cd461000",
            "flake-idgen README",
        ),
        (
            Encoding::Hex,
            1_116_823_421_972_381_696,
            "0f7fc0fc2f800000",
            "bwmarrin/snowflake TestIntBytes",
        ),
        (
            Encoding::Binary,
            5_828_128_208_445_124_608,
            "0101000011100001101010111011101000010001110011100011000000000000",
            "flake-idgen README",
        ),
        (Encoding::Base32, 517_811_994_666, "00000F280001A", "ferroid README"),
        (Encoding::Base32, u64::MAX, "FZZZZZZZZZZZZ", "jonsagara/crockford-base32-core README"),
        (
            Encoding::ZBase32,
            1_427_970_479_175_499_776,
            "b8wjm1zroyyyy",
            "bwmarrin/snowflake TestParseBase32",
        ),
        (
            Encoding::Base36,
            5_481_594_952_936_519_619,
            "15n9z8l3au4eb",
            "martinlindhe/base36 TestEncode",
        ),
        (Encoding::Base36, u64::MAX, "3w5e11264sgsf", "ruby test_bignum.rb test_to_s"),
        (Encoding::Base58, 4_294_967_295, "7YXq9G", "flux-core libutil/test/fluid.c"),
        (Encoding::Base58, 6_731_191_091_817_518, "uZZybuNNy", "flux-core libutil/test/fluid.c"),
        (Encoding::Base58, u64::MAX, "jpXCZedGfVQ", "flux-core libutil/test/fluid.c"),
        (Encoding::Base58Flickr, 4_325_695_128, "7Afjsu", "flickrapi tests/test_shorturl.py"),
        (Encoding::Base58Flickr, 2_811_466_321, "5hruZg", "flickrapi tests/test_shorturl.py"),
        (
            Encoding::Base58Flickr,
            1_428_076_403_798_048_768,
            "4jgmnx8Js8A",
            "bwmarrin/snowflake TestParseBase58",
        ),
        (Encoding::Base62, u64::MAX, "LygHa16AHYF", "fbernier/base62 test_encode"),
        (Encoding::Base62Lower, 999, "g7", "base62.js README"),
        (Encoding::Base64Url, 2_278_584_739_065_882_267, "B-fKL9qpeab", "instagrapi tests.py"),
        (Encoding::Base64Url, 2_110_901_750_722_920_960, "B1LbfVPlwIA", "instagrapi tests.py"),
    ] {
        assert_eq!(&*text::encode(id, encoding), published, "{encoding}");
        assert_eq!(text::parse(published, encoding), Ok(id), "{encoding}");
    }
    // Published without leading zeros, or in the other case: read, but printed otherwise.
    for (encoding, id, published, _source) in [
        (
            Encoding::Base32,
            3_838_385_658_376_483,
            "3D2ZQ6TVC93",
            "jonsagara/crockford-base32-core README",
        ),
        (Encoding::Base32, 519_571, "FVCK", "jonsagara/crockford-base32-core README"),
        (
            Encoding::Base36,
            5_481_594_952_936_519_619,
            "15N9Z8L3AU4EB",
            "martinlindhe/base36 base36_test.go",
        ),
    ] {
        assert_eq!(text::parse(published, encoding), Ok(id), "{encoding}");
    }
}

/// Each with the texts of 0, 1, base - 1, base, 2^53, 2^63 - 1, 2^63 and 2^64 - 1, and the first
/// text that is refused. None of them was printed by this crate.
#[test]
fn j16_q19_the_extremes() {
    for (encoding, texts, refused, position, fault) in EXTREMES {
        let base = DIGITS.iter().find(|(with, ..)| *with == encoding).unwrap().1.len() as u64;
        let ids = [0, 1, base - 1, base, 1 << 53, (1 << 63) - 1, 1 << 63, u64::MAX];
        assert_eq!(texts.split(' ').count(), ids.len());
        for (id, text) in ids.into_iter().zip(texts.split(' ')) {
            assert_eq!(&*text::encode(id, encoding), text, "{encoding} {id}");
            assert_eq!(text::parse(text, encoding), Ok(id), "{encoding} {text}");
        }
        let refused = text::parse(refused, encoding);
        assert_eq!(refused, Err(Error::IdText { encoding, position, fault }), "{encoding}");
    }
}

const EXTREMES: [(Encoding, &str, &str, usize, Fault); 13] = [
    (
        Encoding::Decimal,
        "0 1 9 10 9007199254740992 9223372036854775807 9223372036854775808 \
         18446744073709551615",
        "18446744073709551616",
        19,
        Fault::Overflow,
    ),
    (
        Encoding::SignedDecimal,
        "0 1 9 10 9007199254740992 9223372036854775807 -9223372036854775808 -1",
        "9223372036854775808",
        18,
        Fault::Overflow,
    ),
    (
        Encoding::SignedDecimal,
        "0 1 9 10 9007199254740992 9223372036854775807 -9223372036854775808 -1",
        "-9223372036854775809",
        19,
        Fault::Overflow,
    ),
    (
        Encoding::Hex,
        "0000000000000000 0000000000000001 000000000000000f 0000000000000010 0020000000000000 \
         7fffffffffffffff 8000000000000000 ffffffffffffffff",
        "10000000000000000",
        16,
        Fault::TooLong { max: 16 },
    ),
    (
        Encoding::Binary,
        "0000000000000000000000000000000000000000000000000000000000000000 \
         0000000000000000000000000000000000000000000000000000000000000001 \
         0000000000000000000000000000000000000000000000000000000000000001 \
         0000000000000000000000000000000000000000000000000000000000000010 \
         0000000000100000000000000000000000000000000000000000000000000000 \
         0111111111111111111111111111111111111111111111111111111111111111 \
         1000000000000000000000000000000000000000000000000000000000000000 \
         1111111111111111111111111111111111111111111111111111111111111111",
        "10000000000000000000000000000000000000000000000000000000000000000",
        64,
        Fault::TooLong { max: 64 },
    ),
    (
        Encoding::Base32,
        "0000000000000 0000000000001 000000000000Z 0000000000010 0080000000000 7ZZZZZZZZZZZZ \
         8000000000000 FZZZZZZZZZZZZ",
        "G000000000000",
        12,
        Fault::Overflow,
    ),
    (
        Encoding::ZBase32,
        "y b 9 by eyyyyyyyyyy 8999999999999 eyyyyyyyyyyyy x999999999999",
        "oyyyyyyyyyyyy",
        12,
        Fault::Overflow,
    ),
    (
        Encoding::Base36,
        "0 1 z 10 2gosa7pa2gw 1y2p0ij32e8e7 1y2p0ij32e8e8 3w5e11264sgsf",
        "3w5e11264sgsg",
        12,
        Fault::Overflow,
    ),
    (
        Encoding::Base58,
        "1 2 z 21 2DLNrMSKuh NQm6nKp8qFC NQm6nKp8qFD jpXCZedGfVQ",
        "jpXCZedGfVR",
        10,
        Fault::Overflow,
    ),
    (
        Encoding::Base58Flickr,
        "1 2 Z 21 2dknRmrjUG npL6MjP8Qfc npL6MjP8Qfd JPwcyDCgEup",
        "JPwcyDCgEuq",
        10,
        Fault::Overflow,
    ),
    (
        Encoding::Base62,
        "00000000000 00000000001 0000000000z 00000000010 00fFgnDxSe8 AzL8n0Y58m7 AzL8n0Y58m8 \
         LygHa16AHYF",
        "LygHa16AHYG",
        10,
        Fault::Overflow,
    ),
    (
        Encoding::Base64Url,
        "A B _ BA gAAAAAAAA H__________ IAAAAAAAAAA P__________",
        "QAAAAAAAAAA",
        10,
        Fault::Overflow,
    ),
    (
        Encoding::Base62Lower,
        "0 1 Z 10 FfGNdXsE8 aZl8N0y58M7 aZl8N0y58M8 lYGhA16ahyf",
        "lYGhA16ahyg",
        10,
        Fault::Overflow,
    ),
];

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
        let widest = text::encode(
            if encoding == Encoding::SignedDecimal { 1 << 62 } else { u64::MAX },
            encoding,
        );
        let zero = &digits[..1];
        // The signed encoding has as many digits as the unsigned one.
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
fn refused() {
    let encoding = Encoding::Decimal;
    for (found, position, fault) in [
        ("", 0, Fault::Empty),
        ("-", 0, Fault::Character('-')),
        ("+1", 0, Fault::Character('+')),
        ("12\n", 2, Fault::Character('\n')),
        ("1 2 3", 1, Fault::Character(' ')),
        ("12\u{e9}4", 2, Fault::Character('\u{e9}')),
        // A wrong character goes before the length, wherever it stands.
        ("0000000000000000000000000000x", 28, Fault::Character('x')),
        // And the length before the overflow.
        ("999999999999999999999", 20, Fault::TooLong { max: 20 }),
        ("99999999999999999999", 19, Fault::Overflow),
    ] {
        assert_eq!(text::parse(found, encoding), Err(Error::IdText { encoding, position, fault }));
    }
    let encoding = Encoding::SignedDecimal;
    for (found, position, fault) in [
        ("-", 1, Fault::Empty),
        ("--1", 1, Fault::Character('-')),
        ("1-", 1, Fault::Character('-')),
        ("-000000000000000000001", 21, Fault::TooLong { max: 20 }),
        // The digit that exceeds, though others follow.
        ("-92233720368547758080", 20, Fault::Overflow),
        ("99999999999999999999", 18, Fault::Overflow),
    ] {
        assert_eq!(text::parse(found, encoding), Err(Error::IdText { encoding, position, fault }));
    }
    for (encoding, prefixed) in [(Encoding::Hex, "0x1f"), (Encoding::Binary, "0b10")] {
        let fault = Fault::Character(prefixed.chars().nth(1).unwrap());
        let refused = Err(Error::IdText { encoding, position: 1, fault });
        assert_eq!(text::parse(prefixed, encoding), refused);
    }
}

/// Texts that Python's `base64.urlsafe_b64encode` prints of the eight bytes.
#[test]
fn bytes_in_base64url() {
    let encoding = Encoding::Base64UrlBytes;
    for (id, printed) in [
        (0, "AAAAAAAAAAA"),
        (1, "AAAAAAAAAAE"),
        (15, "AAAAAAAAAA8"),
        (16, "AAAAAAAAABA"),
        (0x666f_6f62_6172, "AABmb29iYXI"),
        (1 << 53, "ACAAAAAAAAA"),
        (1_541_815_603_606_036_480, "FWWhH2IXoAA"),
        ((1 << 63) - 1, "f_________8"),
        (1 << 63, "gAAAAAAAAAA"),
        (u64::MAX, "__________8"),
    ] {
        assert_eq!(&*text::encode(id, encoding), printed);
        assert_eq!(text::parse(printed, encoding), Ok(id));
    }
    for (found, position, fault) in [
        ("", 0, Fault::Empty),
        ("AAAAAAAAAA", 10, Fault::Empty),
        ("AAAAAAAAAA=", 10, Fault::Character('=')),
        ("AAAAAAAAAAA=", 11, Fault::Character('=')),
        ("AAAAAAAAAAAA", 11, Fault::TooLong { max: 11 }),
        // Two bits that no byte has: another text of the same id.
        ("AAAAAAAAAAB", 10, Fault::Overflow),
        ("AAAAAAAAAAC", 10, Fault::Overflow),
        ("__________9", 10, Fault::Overflow),
        ("AAAAA+AAAAA", 5, Fault::Character('+')),
    ] {
        assert_eq!(text::parse(found, encoding), Err(Error::IdText { encoding, position, fault }));
    }
}

#[test]
fn names() {
    let names = Encoding::ALL.map(Encoding::name);
    assert_eq!(
        names,
        [
            "decimal",
            "signed-decimal",
            "hex",
            "binary",
            "base32",
            "z-base-32",
            "base36",
            "base58",
            "base58-flickr",
            "base62",
            "base64url",
            "base62-lower",
            "base64url-bytes",
        ]
    );
    for encoding in Encoding::ALL {
        assert_eq!(Encoding::named(encoding.name()), Some(encoding));
        assert_eq!(format!("{encoding:>15}"), format!("{:>15}", encoding.name()));
    }
    for unknown in ["", "Decimal", "base64", "base62 "] {
        assert_eq!(Encoding::named(unknown), None);
    }
}

#[test]
fn signed_numbers() {
    for (id, number) in
        [(0, 0), (1, 1), (u64::MAX >> 1, i64::MAX), (1 << 63, i64::MIN), (u64::MAX, -1)]
    {
        assert_eq!(text::parse(&number.to_string(), Encoding::SignedDecimal), Ok(id));
        assert_eq!(&*text::encode(id, Encoding::SignedDecimal), number.to_string());
    }
}

#[test]
fn equal_texts_are_equal() {
    assert_eq!(text::encode(1, Encoding::Decimal), text::encode(1, Encoding::Base36));
    assert_eq!(text::encode(1, Encoding::Base58), text::encode(2, Encoding::Decimal));
    assert_eq!(text::encode(10, Encoding::Decimal), text::encode(10, Encoding::SignedDecimal));
    assert_ne!(text::encode(1, Encoding::Hex), text::encode(1, Encoding::Decimal));
    assert_eq!(
        format!(
            "{:>4}|{:?}",
            text::encode(7, Encoding::Decimal),
            text::encode(7, Encoding::Decimal)
        ),
        "   7|\"7\""
    );
}
