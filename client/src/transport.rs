use core::pin::Pin;

use edgeflake::lease::{Call, Reply};

use crate::error::Error;

/// The reason why a call to the authority got no reply.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// Another try may succeed.
    Passing(String),
    /// No try can succeed until a person repairs something.
    Lasting(Error),
}

impl Failure {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Passing(text) => text,
            Self::Lasting(error) => error.message(),
        }
    }

    /// Converts the failure to an error, for a call that no holder repeats.
    #[cfg(feature = "postgres")]
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Passing(reason) => Error::new(
                edgeflake::code::AUTHORITY_UNREACHABLE,
                format!("the call to the authority failed: {reason}"),
            ),
            Self::Lasting(error) => error,
        }
    }
}

pub(crate) type Sent<'a> = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>>;

/// Sends calls to an authority.
pub(crate) trait Transport: Send + Sync {
    /// Sends a call, and returns the reply.
    fn send<'a>(&'a self, call: &'a Call) -> Sent<'a>;

    /// Returns the message for an unknown sequencer. The message says how to create the sequencer.
    fn unknown_sequencer(&self, name: &str) -> String {
        edgeflake_wire::unknown_sequencer(name)
    }
}

/// Returns the text of an error's innermost cause, because this text names the error of the
/// operating system.
pub(crate) fn reason(error: &dyn core::error::Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}
