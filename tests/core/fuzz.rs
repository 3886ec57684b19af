//! Replays the named inputs of `fuzz/regressions/` through the functions that the fuzz targets run,
//! and compares what each returns with its line in `fuzz.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};

use targets::{authority, id_text, instant, layout, messages, record, token};

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "its modules are public for the fuzz targets")]
mod targets;

/// Runs a target on the content of a file, and returns the outcome.
type Check = fn(&[u8]) -> String;

const TARGETS: [(&str, Check); 7] = [
    ("authority", |bytes| {
        // libFuzzer reads it in the same way.
        let input = authority::Input::arbitrary_take_rest(Unstructured::new(bytes));
        authority::check(&input.unwrap())
    }),
    ("id_text", |bytes| id_text::check(text(bytes))),
    ("instant", |bytes| instant::check(text(bytes))),
    ("layout", |bytes| layout::check(text(bytes))),
    ("messages", |bytes| messages::check(text(bytes))),
    ("record", |bytes| record::check(text(bytes))),
    ("token", |bytes| token::check(text(bytes))),
];

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn every_regression_has_the_outcome_of_its_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut found = BTreeMap::new();
    for (target, check) in TARGETS {
        for entry in fs::read_dir(folder.join(target)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{target}/{}", path.file_name().unwrap().display());
            // The test runner shows this line when the target panics, which does not name its
            // input.
            println!("{name}");
            found.insert(name, check(&fs::read(path).unwrap()));
        }
    }
    let lines = include_str!("fuzz.txt").lines();
    let expected: BTreeMap<_, _> = lines.map(|line| line.split_once(": ").unwrap()).collect();
    for (name, outcome) in &found {
        assert_eq!(Some(&outcome.as_str()), expected.get(name.as_str()), "{name}");
    }
    let gone = expected.keys().find(|name| !found.contains_key(**name));
    assert_eq!(gone, None, "fuzz.txt names an input that fuzz/regressions does not have");
}
