#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    edgeflake_fuzz::id_text::check(text);
});
