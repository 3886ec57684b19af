//! Generates the JavaScript of a compiled WebAssembly module: `edgeflake-bindgen package|worker
//! MODULE DIRECTORY NAME`.
//!
//! The JavaScript for `package` runs on every platform, and has types. The JavaScript for `worker`
//! runs in workerd, which compiles the module when the Worker is deployed. After a panic, this
//! JavaScript makes a new instance of the module.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use walrus::Module;
use wasm_bindgen_cli_support::Bindgen;

/// Classes of workers-rs (the crate `worker`) and its dependencies, which are removed if the module
/// does not use them. wasm-bindgen exports each linked class with all code that its methods call.
/// These classes take 4 KB gzipped.
const CLASSES: [&str; 6] = [
    "containerstartupoptions",
    "intounderlyingbytesource",
    "intounderlyingsink",
    "intounderlyingsource",
    "minifyconfig",
    "r2range",
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [platform, file, directory, name] = arguments.as_slice() else {
        let count = arguments.len();
        return Err(format!("found {count} arguments; four are needed: package or worker, a module, a directory, a name").into());
    };
    let mut module = Module::from_file(file)?;
    let mut bindgen = Bindgen::new();
    bindgen.out_name(name);
    // Each entry point of the package sets the module's path itself. With a default path, bundlers
    // would find `new URL` and copy the .wasm file, even for programs that contain the module as
    // text.
    bindgen.omit_default_module_path(true);
    match platform.as_str() {
        "package" => {
            bindgen.web(true)?.typescript(true);
        }
        "worker" => {
            remove_unused_classes(&mut module);
            bindgen.module(true)?.typescript(false);
            bindgen.reset_state_function(true).force_enable_abort_handler(true);
        }
        other => return Err(format!("found {other}; allowed: package, worker").into()),
    }
    let mut output = bindgen.input_module(name, module).generate_output()?;
    let renamed = shorten_imports(output.wasm_mut());
    output.emit(directory)?;

    let file = Path::new(directory).join(name).with_extension("js");
    let mut script = fs::read_to_string(&file)?;
    for (long, short) in renamed {
        script = replace_key(&script, &long, &short)?;
    }
    if platform == "worker" {
        // In workerd, a plain import of a .wasm file returns the compiled module.
        script = script.replace("import source ", "import ");
    }
    fs::write(&file, script)?;
    Ok(())
}

/// Removes the classes that are never instantiated. Rust returns no instance of them to JavaScript,
/// and JavaScript cannot construct an instance.
fn remove_unused_classes(module: &mut Module) {
    let is_given = |class: &str| {
        let new = format!("__wbg_{class}_new");
        module.imports.iter().any(|import| import.name.starts_with(&new))
    };
    let unused: Vec<_> = CLASSES.into_iter().filter(|class| !is_given(class)).collect();
    let is_of_unused = |name: &str| {
        let name = name.trim_start_matches("__wbindgen_describe_").trim_start_matches("__wbg_");
        let name = name.trim_start_matches("get_").trim_start_matches("set_");
        unused
            .iter()
            .any(|class| name.strip_prefix(class).is_some_and(|rest| rest.starts_with('_')))
    };
    let exports = module.exports.iter().filter(|export| is_of_unused(&export.name));
    for export in exports.map(walrus::Export::id).collect::<Vec<_>>() {
        module.exports.delete(export);
    }
}

/// Removes the hashes from the names of the module's imports, because hashes do not compress.
/// Returns the old and the new name of each import.
fn shorten_imports(module: &mut Module) -> Vec<(String, String)> {
    let mut shortened: Vec<(String, String)> = Vec::new();
    for import in module.imports.iter_mut().filter(|import| import.name.starts_with("__wb")) {
        let plain = without_hash(&import.name);
        let (mut short, mut number) = (plain.to_owned(), 1);
        while shortened.iter().any(|(_, taken)| *taken == short) {
            number += 1;
            short = format!("{plain}{number}");
        }
        shortened.push((std::mem::replace(&mut import.name, short.clone()), short));
    }
    shortened
}

/// Returns `jsval_eq` for `__wbg___wbindgen_jsval_eq_02babf21faa37971`.
fn without_hash(name: &str) -> &str {
    let plain = name.trim_start_matches("__wbg_").trim_start_matches("__wbindgen_");
    match plain.rsplit_once('_') {
        Some((plain, hash)) if hash.len() == 16 => plain,
        _ => plain,
    }
}

/// Renames a key of the object in the script that holds the module's imports.
fn replace_key(script: &str, long: &str, short: &str) -> Result<String, String> {
    let key = format!("{long}:");
    let mut parts = script.split(&key);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(before), Some(after), None) => Ok(format!("{before}{short}:{after}")),
        _ => Err(format!("the script must have the key {long} exactly once")),
    }
}
