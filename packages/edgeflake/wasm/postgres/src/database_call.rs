use alloc::string::{String, ToString};

use edgeflake::Instant;
use edgeflake::lease::{Life, Refusal, Reply, Request, Statement};
use edgeflake_wire::Json;
use edgeflake_wire::database::{self, Call};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::{integer, number};

/// A request that this process decides without a server, by reading a table in a database.
#[derive(Debug)]
#[wasm_bindgen]
pub struct DatabaseCall {
    inner: edgeflake::lease::DatabaseCall,
    request: Request,
    next: Option<Call>,
}

#[wasm_bindgen]
impl DatabaseCall {
    /// Begins the request that a message contains; `undefined` if the message cannot be read.
    #[must_use]
    pub fn begin(message: &str) -> Option<Self> {
        let request: Request = edgeflake_wire::read(&edgeflake_wire::parse(message).ok()?).ok()?;
        let inner = edgeflake::lease::DatabaseCall::new(request);
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

    /// Returns the message of the error, if the request for this sequencer was refused.
    #[must_use]
    #[wasm_bindgen(js_name = errorMessage)]
    pub fn error_message(&self, sequencer: &str) -> Option<String> {
        self.refusal().map(|refusal| match refusal {
            Refusal::UnknownSequencer => database::unknown_sequencer(sequencer),
            refusal => refusal.to_string(),
        })
    }

    /// Returns after how many ms a retry may succeed, if the request was refused.
    #[must_use]
    #[wasm_bindgen(js_name = retryInMs)]
    pub fn retry_in_ms(&self) -> Option<f64> {
        self.refusal()?.retry_in_ms().map(number)
    }

    /// Returns how the sequencer's configuration differs from the configuration in the request to
    /// create it.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        match (&self.request, self.done()?) {
            (Request::Create(config), Reply::Described(Some(sequencer))) => {
                sequencer.config.difference(config).map(|difference| difference.to_string())
            }
            _ => None,
        }
    }

    /// Returns the sequencer as JSON, except for its name, counts and warnings.
    #[must_use]
    pub fn description(&self, now_ms: f64) -> Option<String> {
        let Reply::Described(Some(sequencer)) = self.done()? else { return None };
        let config = sequencer.config;
        let layout = config.layout();
        let (state, recreatable_ms) = match sequencer.life {
            Life::Active => ("active", None),
            Life::Destroying { .. } => ("destroying", None),
            // If no lease was granted, the sequencer can be created again at once.
            Life::Destroyed { until_tick: 0 } => {
                ("destroyed", Some(layout.epoch_ms().min(integer(now_ms))))
            }
            Life::Destroyed { until_tick } => ("destroyed", Some(layout.start_ms(until_tick))),
        };
        let mut json = Json::object();
        json.text("state", &state);
        json.number("incarnation", sequencer.incarnation);
        json.text("layout", layout);
        json.number("first_node", config.first_node());
        json.number("node_count", config.node_count());
        json.number("shards", config.shards());
        let ids_per_second = layout.ids_per_tick().saturating_mul(1_000) / layout.tick_ms();
        json.number("ids_per_second_and_node", ids_per_second);
        json.text("ends", &Instant(layout.end_ms()));
        if let Some(ms) = recreatable_ms {
            json.text("recreatable_from", &Instant(ms));
        }
        Some(json.end())
    }

    /// If new ids can be equal to older ids of the system that made the layout, returns why.
    #[must_use]
    pub fn overlap(&self) -> Option<String> {
        let Reply::Described(Some(sequencer)) = self.done()? else { return None };
        sequencer.config.layout().overlap().map(|warning| warning.to_string())
    }
}

/// If only a person can fix a server error with this `SQLSTATE`, returns the error's text and what
/// to do.
#[must_use]
#[wasm_bindgen]
pub fn mistake(sqlstate: &str, text: &str) -> Option<String> {
    database::mistake(sqlstate, text)
}
