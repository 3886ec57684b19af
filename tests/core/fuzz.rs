//! Replays the inputs in `tests/fuzz/inputs/` through the functions that the fuzz targets run, and
//! compares each outcome with the stored one.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use targets::TARGETS;

#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "libFuzzer's program needs these modules to be public")]
mod targets;

#[test]
fn each_input_has_the_outcome_that_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/inputs");
    let mut wrong = Vec::new();
    for (target, check) in TARGETS {
        let file = fs::read_to_string(folder.join(target).with_extension("toml")).unwrap();
        let inputs = file.parse::<Table>().unwrap();
        assert!(!inputs.is_empty(), "{target}");
        for (name, input) in &inputs {
            // If the target panics, its message does not name the input, but the test runner shows
            // this line.
            println!("{target}: {name}");
            let said = |key| input.get(key).and_then(Value::as_str);
            let outcome = check(said("text").unwrap());
            if said("outcome") != Some(&outcome) {
                wrong.push(format!("\n{target}: {name}\noutcome = '{outcome}'"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "the files in tests/fuzz/inputs have other outcomes than these:{}",
        wrong.concat()
    );
}
