use serde_json::Value;

pub(crate) use edgeflake_worker::openapi;

/// The routes of the HTTP API.
pub(crate) fn table() -> Vec<Value> {
    edgeflake_worker::overview().map(|route| serde_json::json!(route)).collect()
}
