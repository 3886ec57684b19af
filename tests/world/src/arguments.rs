use std::process::ExitCode;

use lexopt::{Arg, Error, Parser};

/// Reads the options of a program's command line: `set` returns whether it knows an option.
///
/// # Errors
/// The program ends with this exit code, after it has printed the help or an error.
pub fn read_arguments(
    help: &str,
    mut set: impl FnMut(&str, &mut Parser) -> Result<bool, Error>,
) -> Result<(), ExitCode> {
    let mut parser = Parser::from_env();
    let mut read = || {
        while let Some(argument) = parser.next()? {
            let Arg::Long(name) = argument else { return Err(argument.unexpected()) };
            let name = name.to_owned();
            if name == "help" {
                println!("{help}");
                return Ok(Some(ExitCode::SUCCESS));
            }
            if !set(&name, &mut parser)? {
                return Err(Arg::Long(&name).unexpected());
            }
        }
        Ok(None)
    };
    match read() {
        Ok(None) => Ok(()),
        Ok(Some(code)) => Err(code),
        Err(error) => {
            eprintln!("error: {error}; see --help");
            Err(ExitCode::FAILURE)
        }
    }
}
