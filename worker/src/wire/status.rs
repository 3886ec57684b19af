use edgeflake::Status;
use serde::{Deserialize, Serialize};

/// How much of a shard is in use.
#[derive(Serialize, Deserialize)]
pub(crate) struct StatusV1 {
    nodes: u64,
    used: u64,
    held: u64,
    issued: u64,
}

impl From<Status> for StatusV1 {
    fn from(Status { nodes, used, held, issued }: Status) -> Self {
        Self { nodes, used, held, issued }
    }
}

impl From<StatusV1> for Status {
    fn from(StatusV1 { nodes, used, held, issued }: StatusV1) -> Self {
        Self { nodes, used, held, issued }
    }
}
