//! What the registry says about its sequencer.

use edgeflake::lease::{CallFailed, Reply, Sequencer};

use crate::problem::Problem;

/// The sequencer that a reply of the registry describes; `None` if the registry knows none.
///
/// # Errors
/// A problem if the registry refuses or does not answer.
pub fn described(reply: &Result<Reply, CallFailed>) -> Result<Option<Sequencer>, Problem> {
    match reply {
        Ok(Reply::Described(sequencer)) => Ok(*sequencer),
        Ok(Reply::Refused { refusal, incarnation }) => {
            Err(Problem::refused(*refusal, *incarnation))
        }
        Ok(_) | Err(_) => Err(Problem::unreachable()),
    }
}
