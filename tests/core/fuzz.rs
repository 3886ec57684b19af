//! Replays the inputs in `tests/fuzz/inputs/` through the functions that the fuzz targets run, and
//! compares each outcome with the one that stands there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use targets::authority::Input;
use targets::{TARGETS, read};

#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "its modules are public for the program of libFuzzer")]
mod targets;

#[test]
fn each_input_has_the_outcome_that_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/inputs");
    let mut wrong = String::new();
    for (target, check) in TARGETS {
        let file = fs::read_to_string(folder.join(target).with_extension("toml")).unwrap();
        let inputs = file.parse::<Table>().unwrap()["input"].as_array().unwrap().clone();
        assert!(!inputs.is_empty(), "{target}");
        let mut names = BTreeSet::new();
        for input in &inputs {
            let said = |key| input.get(key).and_then(Value::as_str);
            let name = said("name").unwrap();
            assert!(names.insert(name), "two inputs of {target} have the name {name}");
            // The test runner shows this line when the target panics, which does not name its
            // input.
            println!("{target}: {name}");
            let bytes = said("hex").map_or_else(|| said("text").unwrap().into(), bytes_of);
            let reads =
                (target == "authority").then(|| format!("{:?}", read::<Input>(&bytes).unwrap()));
            let found = [("outcome", Some(check(&bytes).unwrap())), ("reads", reads)];
            for (key, found) in found {
                if said(key) != found.as_deref() {
                    write!(wrong, "\n{target}: {name}\n{key} = '{}'", found.unwrap()).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "the files in tests/fuzz/inputs say something else than:{wrong}");
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16));
    bytes.collect::<Result<_, _>>().unwrap()
}
