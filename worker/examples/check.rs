//! Implements `npm run check`: takes variables as arguments `NAME=value`, and prints the first
//! error that it finds.

use std::env;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> ExitCode {
    let pair = |arg: String| match arg.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (arg, String::new()),
    };
    let variables: Vec<_> = env::args().skip(1).map(pair).collect();
    // A clock before 1970 counts as 0 ms, and a clock past `u64::MAX` ms as `u64::MAX` ms.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    match edgeflake_worker::check(&variables, now_ms) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
