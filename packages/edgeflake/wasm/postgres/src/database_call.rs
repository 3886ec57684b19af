use alloc::string::{String, ToString};

use edgeflake::lease::{self, Refusal, Reply, Request, Sequencer, Statement};
use edgeflake_wire::database::{self, Call, SequencerStatus};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::{integer, number};

/// The last grant or renewal of a sequencer in this process. The next renewal is decided from it.
#[derive(Debug, Default)]
#[wasm_bindgen]
pub struct Memory {
    inner: lease::Memory,
}

#[wasm_bindgen]
impl Memory {
    /// Creates an empty memory.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }
}

/// A request that this process decides itself, from rows of an authority's tables in a database.
#[derive(Debug)]
#[wasm_bindgen]
pub struct DatabaseCall {
    inner: lease::DatabaseCall,
    request: Request,
    next: Option<Call>,
}

#[wasm_bindgen]
impl DatabaseCall {
    /// Begins the request that a message contains; `undefined` if the message cannot be read.
    /// `clock_ms` is the time since any fixed moment.
    #[must_use]
    pub fn begin(message: &str, memory: &Memory, clock_ms: f64) -> Option<Self> {
        let request: Request = edgeflake_wire::read(&edgeflake_wire::parse(message).ok()?).ok()?;
        let inner = lease::DatabaseCall::remembering(request, &memory.inner, integer(clock_ms));
        let next = database::call(&inner);
        Some(Self { inner, request, next })
    }

    /// Returns the SQL of the next statement; `undefined` once there is a reply.
    #[must_use]
    pub fn sql(&self) -> Option<String> {
        self.next.as_ref().map(|call| call.sql.into())
    }

    /// Returns the second parameter of the next statement. The first parameter is the sequencer's
    /// name.
    #[must_use]
    pub fn json(&self) -> Option<String> {
        self.next.as_ref().map(|call| call.json.clone())
    }

    /// Takes the answer to the statement. Returns whether the answer could be read.
    pub fn answered(&mut self, text: &str) -> bool {
        let answer = edgeflake_wire::parse(text);
        let is_readable =
            answer.is_ok_and(|answer| database::answered(&mut self.inner, &answer).is_ok());
        self.next = database::call(&self.inner);
        is_readable
    }

    /// If the call has stored a grant or renewal, puts it in the memory.
    pub fn remember(&mut self, memory: &mut Memory, clock_ms: f64) {
        self.inner.remember(&mut memory.inner, integer(clock_ms));
    }

    fn done(&self) -> Option<&Reply> {
        match self.inner.statement() {
            Statement::Done(reply) => Some(reply),
            _ => None,
        }
    }

    /// Returns the reply as a message; `undefined` until there is a reply.
    #[must_use]
    pub fn reply(&self) -> Option<String> {
        self.done().map(edgeflake_wire::write)
    }

    fn refusal(&self) -> Option<Refusal> {
        match self.done()? {
            Reply::Refused { refusal, .. } => Some(*refusal),
            Reply::Described(None) => Some(Refusal::UnknownSequencer),
            _ => None,
        }
    }

    /// Returns the code of the error, if the request was refused.
    #[must_use]
    #[wasm_bindgen(js_name = errorCode)]
    pub fn error_code(&self) -> Option<String> {
        self.refusal().map(|refusal| refusal.code().into())
    }

    /// If the request was refused, returns the error's message, which may name `sequencer`.
    #[must_use]
    #[wasm_bindgen(js_name = errorMessage)]
    pub fn error_message(&self, sequencer: &str) -> Option<String> {
        self.refusal().map(|refusal| match refusal {
            Refusal::UnknownSequencer => database::unknown_sequencer(sequencer),
            refusal => refusal.to_string(),
        })
    }

    /// If the request was refused, returns the number of ms after which a retry may succeed.
    #[must_use]
    #[wasm_bindgen(js_name = retryInMs)]
    pub fn retry_in_ms(&self) -> Option<f64> {
        self.refusal()?.retry_in_ms().map(number)
    }

    /// If the request creates a sequencer that exists with another configuration, returns the
    /// message of the error.
    #[must_use]
    #[wasm_bindgen(js_name = alreadyRegistered)]
    pub fn already_registered(&self, name: &str) -> Option<String> {
        let Request::Create(config) = &self.request else { return None };
        let difference = self.sequencer()?.config.difference(config)?;
        Some(database::already_registered(name, &difference))
    }

    fn sequencer(&self) -> Option<&Sequencer> {
        match self.done()? {
            Reply::Described(sequencer) => sequencer.as_ref(),
            _ => None,
        }
    }

    /// Returns the layout string of the sequencer.
    #[must_use]
    pub fn layout(&self) -> Option<String> {
        self.sequencer().map(|sequencer| sequencer.config.layout().to_string())
    }

    /// Returns the status of the sequencer as JSON. `row` is the sequencer's row of the view
    /// `edgeflake.status`, also as JSON.
    #[must_use]
    pub fn status(&self, name: &str, row: &str, now_ms: f64) -> Option<String> {
        let row = edgeflake_wire::parse(row).ok()?;
        let status = SequencerStatus::new(name, self.sequencer()?, &row, integer(now_ms));
        status.ok().map(|status| status.json())
    }
}

/// If only a person can fix a server error with this `SQLSTATE`, returns the error's text with
/// advice.
#[must_use]
#[wasm_bindgen]
pub fn mistake(sqlstate: &str, text: &str) -> Option<String> {
    database::mistake(sqlstate, text)
}
