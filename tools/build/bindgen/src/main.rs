//! Makes the JavaScript of a compiled module: `edgeflake-bindgen package|worker MODULE DIRECTORY
//! NAME`.
//!
//! `package` is for every JavaScript platform, with types. `worker` is for workerd, which compiles
//! the module when the Worker is deployed; after a panic it makes a new instance for the next call.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [platform, module, directory, name] = arguments.as_slice() else {
        let count = arguments.len();
        return Err(format!("found {count} arguments: package or worker, a module, a directory and a name are allowed").into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name);
    // Every entry says itself where the module is: a bundler that finds a `new URL` copies the file,
    // also for a program that has the module inside.
    bindgen.omit_default_module_path(true);
    match platform.as_str() {
        "package" => {
            bindgen.web(true)?.typescript(true);
            bindgen.generate(directory)?;
        }
        "worker" => {
            bindgen.module(true)?.typescript(false);
            bindgen.reset_state_function(true).force_enable_abort_handler(true);
            bindgen.generate(directory)?;
            // workerd gives the compiled module to an import without a phase.
            let file = Path::new(directory).join(name).with_extension("js");
            let script = fs::read_to_string(&file)?;
            fs::write(&file, script.replace("import source ", "import "))?;
        }
        other => return Err(format!("found {other}: package and worker are allowed").into()),
    }
    Ok(())
}
