//! Tests public ids. The texts and refusals are in `tests/public.json`, and
//! tests/package/public.test.js tests the JavaScript code with the same file.

use std::fmt::Write as _;

use edgeflake::Layout;
use edgeflake::public::{Error, Id, Kind, PublicIds};
use proptest::prelude::{any, proptest};
use serde_json::Value;

const KEY: &str = "k:000102030405060708090a0b0c0d0e0f";
const ALLOWED_FUTURE_MS: u64 = 60_000;

/// Defines a type for each prefix of the file, because a prefix is a constant of a type. Also
/// defines `written`, which finds the type of a prefix.
macro_rules! kinds {
    ($($name:ident $prefix:literal)+) => {
        $(
            #[derive(Debug)]
            struct $name;
            impl Kind for $name {
                const PREFIX: &'static str = $prefix;
            }
        )+

        /// Returns the texts that `PublicIds` writes for these ids. It must also read each of them.
        fn written(prefix: &str, keys: &str, digits: usize, ids: &[u64]) -> Vec<String> {
            match prefix {
                $($prefix => written_as::<$name>(keys, digits, ids),)+
                _ => panic!("no kind has the prefix {prefix}"),
            }
        }
    };
}

kinds! {
    Order "ord"
    Customer "cus"
    LineItem "line_item"
    Eight "eightlet"
    Longest "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
}

fn written_as<K: Kind>(keys: &str, digits: usize, ids: &[u64]) -> Vec<String> {
    let public = PublicIds::<K>::new(keys).unwrap().with_check_digits(digits).unwrap();
    ids.iter()
        .map(|&id| {
            let text = public.format(Id::new(id));
            assert_eq!(public.parse(&text, 0).map(Id::get), Ok(id), "{text}");
            text
        })
        .collect()
}

fn file() -> Value {
    serde_json::from_str(include_str!("../public.json")).unwrap()
}

fn pairs(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
}

fn orders() -> PublicIds<Order> {
    PublicIds::new(KEY).unwrap()
}

#[test]
fn texts_of_the_file() {
    for row in file()["texts"].as_array().unwrap() {
        let texts = row["texts"].as_object().unwrap();
        let ids: Vec<u64> = texts.keys().map(|id| id.parse().unwrap()).collect();
        let expected: Vec<&str> = texts.values().map(|text| text.as_str().unwrap()).collect();
        let [prefix, keys] = ["prefix", "keys"].map(|name| row[name].as_str().unwrap());
        let digits = usize::try_from(row["checkDigits"].as_u64().unwrap()).unwrap();
        assert_eq!(written(prefix, keys, digits, &ids), expected, "{prefix} {keys}");
    }
}

#[test]
fn refusals_of_the_file() {
    let file = file();
    let layout: Layout = file["layout"].as_str().unwrap().parse().unwrap();
    let now_ms = file["nowMs"].as_u64().unwrap();
    let orders = orders().with_layout(layout, ALLOWED_FUTURE_MS);
    assert!(orders.parse(file["latest"].as_str().unwrap(), now_ms).is_ok());
    for (text, message) in pairs(&file["refusedTexts"]) {
        let error = orders.parse(text, now_ms).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.code()), (message, "invalid-id"), "{text}");
    }
    for (keys, message) in pairs(&file["refusedKeys"]) {
        let error = PublicIds::<Order>::new(keys).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.code()), (message, "invalid-option"));
    }
    let error = orders.with_check_digits(5).unwrap_err();
    assert_eq!(error.to_string(), "there are 5 check digits: give 0 to 4");
}

#[test]
fn a_text_of_the_second_key_is_read_until_the_key_is_removed() {
    let (old, new) = (KEY, "n:f29a71c05be8d3641f07b8ae46c93d52");
    let id = Id::new(42);
    let text = orders().format(id);
    let rotated = PublicIds::<Order>::new(&format!("{new},{old}")).unwrap();
    assert_eq!(rotated.parse(&text, 0), Ok(id));
    assert!(rotated.format(id).starts_with("ord_n"));
    let later = PublicIds::<Order>::new(new).unwrap();
    assert_eq!(later.parse(&text, 0), Err(Error::UnknownKey { name: 'k' }));
}

#[test]
fn ids_there_and_back_and_neighbours_that_differ_in_half_of_their_bits() {
    let (file, orders) = (file(), orders());
    let mut hash: u32 = 0x811c_9dc5;
    let mut block = |id| {
        let text = orders.format(Id::new(id));
        assert_eq!(orders.parse(&text, 0).map(Id::get), Ok(id));
        for byte in text.bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        edgeflake::text::parse(&text[5..16], edgeflake::text::Encoding::Base62).unwrap()
    };
    let pairs = u32::try_from(file["many"]["pairs"].as_u64().unwrap()).unwrap();
    let (mut state, mut bits) = (0_u64, 0);
    for _ in 0..pairs {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let id = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits += (block(id) ^ block(id ^ 1 << (state >> 58))).count_ones();
    }
    let average = f64::from(bits) / f64::from(pairs);
    assert!((31.9..32.1).contains(&average), "{average} bits differ");
    assert_eq!(format!("{hash:08x}"), file["many"]["fnv1a"].as_str().unwrap());
}

proptest! {
    #[test]
    fn a_text_that_is_read_is_the_only_one_of_its_id(found in any::<String>(), id in any::<u64>()) {
        let orders = orders().with_check_digits(0).unwrap();
        let written = orders.format(Id::new(id));
        for text in [format!("ord_{found}"), format!("{written}{found}"), found, written] {
            if let Ok(id) = orders.parse(&text, 0) {
                assert_eq!(orders.format(id), text);
            }
            if let Ok(id) = text.parse::<Id<Order>>() {
                assert_eq!(id.to_string(), text);
            }
        }
    }
}

#[test]
fn debug_shows_no_key() {
    assert_eq!(format!("{:?}", orders()), r#"PublicIds { prefix: "ord", .. }"#);
}

#[test]
fn plain_texts() {
    let mut shown = String::new();
    for id in [0, 1_541_815_603_606_036_480, u64::MAX] {
        let order = Id::<LineItem>::new(id);
        assert_eq!(order.to_string().parse(), Ok(order));
        assert_eq!(Id::<LineItem>::from(i64::from(order)), order);
        writeln!(shown, "{order:?} {}", Id::<()>::new(id)).unwrap();
    }
    assert_eq!(
        shown,
        "line_item_00000000000 0\nline_item_1ptWyK4WgZU 1541815603606036480\n\
         line_item_LygHa16AHYF 18446744073709551615\n"
    );
    assert!(Id::<Order>::new(9) < Id::new(10));

    for (text, message) in [
        ("cus_1ptWyK4WgZU", "the id begins with cus_, but must begin with line_item_"),
        ("1541815603606036480", "the id has no prefix, but must begin with line_item_"),
        ("line_item_1", "the id has 1 characters after line_item_, but needs 11"),
        ("line_item_LygHa16AHYG", "the id is too large: at most 2^64 - 1 is allowed"),
    ] {
        assert_eq!(text.parse::<Id<LineItem>>().unwrap_err().to_string(), message);
    }
    let untyped = "ord_1".parse::<Id>().unwrap_err().to_string();
    assert_eq!(untyped, "an id in decimal has \"o\" at position 0: 0-9 are allowed");
}

#[cfg(feature = "serde")]
#[test]
fn json_has_strings() {
    let ids = [Id::<Customer>::new(1), Id::new(u64::MAX)];
    let json = serde_json::to_string(&ids).unwrap();
    assert_eq!(json, r#"["cus_00000000001","cus_LygHa16AHYF"]"#);
    assert_eq!(serde_json::from_str::<[Id<Customer>; 2]>(&json).unwrap(), ids);
    for (json, message) in [
        (
            r#""ord_00000000001""#,
            "the id begins with ord_, but must begin with cus_ at line 1 column 17",
        ),
        ("1", "invalid type: integer `1`, expected an id as a string at line 1 column 1"),
    ] {
        let error = serde_json::from_str::<Id<Customer>>(json).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
