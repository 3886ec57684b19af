#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    edgeflake_fuzz::messages::check(text);
});
