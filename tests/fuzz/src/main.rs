//! Runs the target that the variable `FUZZ_TARGET` names under libFuzzer.

#![no_main]

use std::env;
use std::sync::LazyLock;

use edgeflake_fuzz::{Check, TARGETS};
use libfuzzer_sys::{Corpus, fuzz_target};

static CHECK: LazyLock<Check> = LazyLock::new(|| {
    let name = env::var("FUZZ_TARGET").expect("FUZZ_TARGET names the target to run");
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.unwrap_or_else(|| panic!("FUZZ_TARGET is {name}, which is no target")).1
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = str::from_utf8(bytes) else { return Corpus::Reject };
    CHECK(text);
    Corpus::Keep
});
