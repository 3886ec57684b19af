use std::sync::Arc;

use edgeflake::lease::Holder;
use tokio::runtime::Handle;

use crate::error::Error;
use crate::http::Http;
use crate::ids::LeasedIds;
use crate::transport::Transport;

/// The sequencer that an authority makes from its own settings.
const DEFAULT_SEQUENCER: &str = "default";

/// The options of a [`LeasedIds`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Builder {
    authority: String,
    token: Option<String>,
    sequencer: Option<String>,
    prefetches: bool,
}

impl LeasedIds {
    /// Begins to set the options of a generator.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// The URL of the authority, such as `https://ids.example.com`.
    pub fn authority(mut self, url: impl Into<String>) -> Self {
        self.authority = url.into();
        self
    }

    /// The authority's `EDGEFLAKE_LEASE_TOKEN`.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// The name of the sequencer (a series of ids); `default` without one.
    pub fn sequencer(mut self, name: impl Into<String>) -> Self {
        self.sequencer = Some(name.into());
        self
    }

    /// Takes no lease, but fetches ids in batches. Choose this for more processes than the layout
    /// has nodes.
    pub fn batches(mut self) -> Self {
        self.prefetches = true;
        self
    }

    /// Makes the generator. It sends nothing yet. Call this within a tokio runtime, which then makes
    /// the generator's calls.
    ///
    /// # Errors
    /// `invalid-option` for a URL, token or name that cannot be used, or outside of a runtime.
    pub fn build(self) -> Result<LeasedIds, Error> {
        let sequencer = self.sequencer.unwrap_or_else(|| DEFAULT_SEQUENCER.to_owned());
        if let Some(refusal) = edgeflake_wire::name_refusal(&sequencer) {
            return Err(Error::option(format!("sequencer is {sequencer:?}: {refusal}")));
        }
        let transport = Http::new(&self.authority, self.token.as_deref(), &sequencer)?;
        let holder = if self.prefetches { Holder::prefetching() } else { Holder::new() };
        with_transport(sequencer, Arc::new(transport), holder)
    }
}

/// Makes a generator that calls its authority by a transport.
pub(crate) fn with_transport(
    sequencer: String,
    transport: Arc<dyn Transport>,
    holder: Holder,
) -> Result<LeasedIds, Error> {
    let runtime = Handle::try_current()
        .map_err(|_| Error::option("there is no tokio runtime here: build within one"))?;
    Ok(LeasedIds::new(sequencer, transport, holder, runtime))
}
