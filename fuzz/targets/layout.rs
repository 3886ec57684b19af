#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    edgeflake_fuzz::layout::check(text);
});
