use std::process::ExitCode;

use lexopt::{Arg, Error, Parser};

/// Reads the options of a program's command line. For each option, calls `set` with its name. `set`
/// reads the option's value, or returns `false` if there is no such option.
///
/// # Errors
/// The exit code with which the program must end. The help or an error was printed.
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
