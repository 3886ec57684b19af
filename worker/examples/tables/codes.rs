use edgeflake::code::{self, Code, Http, Interface, Retry};
use serde_json::{Value, json};

/// The codes of all errors.
pub(crate) fn table() -> Vec<Value> {
    code::ALL.iter().map(row).collect()
}

fn row(code: &Code) -> Value {
    let Code { name, retry, interfaces, http, cause, remedy, alerts } = code;
    let retry = match retry {
        Retry::Later => "later",
        Retry::AfterChange => "after-change",
        Retry::Never => "never",
    };
    json!({
        "name": name,
        "retry": retry,
        "rust": interfaces.contains(&Interface::Rust),
        "npm": interfaces.contains(&Interface::Npm),
        "http": http.map(|Http { title, statuses }| json!({ "title": title, "statuses": statuses })),
        "cause": cause,
        "remedy": remedy,
        "alerts": alerts,
    })
}
