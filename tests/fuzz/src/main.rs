//! Runs one target under libFuzzer. The environment variable `FUZZ_TARGET` names the target.

#![no_main]

use std::env;
use std::sync::LazyLock;

use edgeflake_fuzz::{Check, TARGETS};
use libfuzzer_sys::{Corpus, fuzz_target};

static CHECK: LazyLock<Check> = LazyLock::new(|| {
    let name = env::var("FUZZ_TARGET").expect("FUZZ_TARGET must name the target to run");
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.unwrap_or_else(|| panic!("FUZZ_TARGET is {name}; allowed: layout, messages, record")).1
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = str::from_utf8(bytes) else { return Corpus::Reject };
    CHECK(text);
    Corpus::Keep
});
