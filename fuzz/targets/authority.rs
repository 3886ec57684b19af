#![no_main]

use edgeflake_fuzz::authority::{self, Input};

libfuzzer_sys::fuzz_target!(|input: Input| {
    authority::check(&input);
});
