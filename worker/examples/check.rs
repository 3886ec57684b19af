//! `npm run check`: takes variables as arguments `NAME=value`, and says what is wrong with one.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let pair = |arg: String| match arg.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (arg, String::new()),
    };
    let variables: Vec<_> = env::args().skip(1).map(pair).collect();
    match edgeflake_worker::check(&variables) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
