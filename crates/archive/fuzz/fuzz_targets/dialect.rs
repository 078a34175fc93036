#![no_main]

#[path = "../../tests/fuzzed/mod.rs"]
mod fuzzed;
#[path = "../../tests/util/mod.rs"]
mod util;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::dialect(bytes));
