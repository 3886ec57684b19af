//! Defines the Durable Object that grants leases. For each request, a [`Fence`] decides the next
//! step, and the object carries out the step on its [`Shard`]. The object decides nothing itself.

use std::cell::RefCell;
use std::rc::Rc;

use edgeflake::lease::fence::{Failure, Fence, Step, WITNESS_MAX_MS, WitnessCall};
use edgeflake_wire::witness::Confirmation;
use edgeflake_wire::{Address, Unreadable, misconfiguration, misconfigured, parse, read, write};
use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, Shared};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Request, Response};

use crate::objects::call::{Namespace, Object, UNWITNESSED, response};
use crate::objects::shard::{Message, Shard};
use crate::objects::sql::{DurableObjectState, Result, status_of};
use crate::platform::{in_time, now_or_later};

/// The Durable Object of one shard.
#[wasm_bindgen(js_name = Authority)]
pub struct AuthorityObject(Rc<Shell>);

#[wasm_bindgen(js_class = Authority)]
impl AuthorityObject {
    /// Creates the object; the platform calls this constructor.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: &DurableObjectState, env: JsValue) -> Self {
        let witnesses = Namespace::witness(&env);
        Self(Rc::new(Shell {
            fence: RefCell::new(Fence::new(!matches!(witnesses, Ok(None)))),
            witnesses,
            shard: Shard::new(state, env),
            call: RefCell::new(task(async {})),
            commit: RefCell::default(),
            silence: RefCell::default(),
        }))
    }

    /// Answers a request of an isolate; `text` is the request's body. Returns a `Response`, or a
    /// promise of one.
    ///
    /// # Errors
    /// The platform's error if the platform cannot make the response.
    pub fn answer(&self, method: String, url: String, text: String) -> Result<JsValue, JsValue> {
        let shell = Rc::clone(&self.0);
        now_or_later(async move {
            match Message::read(&method, &url, &text) {
                Ok(Some(message)) => shell.answer(&url, &message).await,
                Ok(None) => response(404, "this authority does not understand this request"),
                Err(error) => {
                    shell.shard.failed(&url, &error);
                    response(500, &error)
                }
            }
        })
    }

    /// Answers a request of an isolate. The platform calls this method in a Worker that is written
    /// in Rust.
    ///
    /// # Errors
    /// The platform's error if the request was interrupted.
    pub async fn fetch(&self, request: Request) -> Result<JsValue, JsValue> {
        let text = JsFuture::from(request.text()?).await?.as_string().unwrap_or_default();
        let answer = self.answer(request.method(), request.url(), text)?;
        JsFuture::from(Promise::resolve(&answer)).await
    }
}

thread_local! {
    static INSTANCE: js_sys::Object = js_sys::Object::new();
}

#[wasm_bindgen(js_class = Authority)]
impl AuthorityObject {
    /// Returns an object that is the same for as long as this instance of the module lives. A panic
    /// ends the instance, and also every Rust object that JavaScript holds.
    ///
    /// This is a static method because RPC lets callers call every free function that a module
    /// exports.
    #[must_use]
    pub fn instance() -> js_sys::Object {
        INSTANCE.with(Clone::clone)
    }
}

/// The error of a call that was not answered in time.
const LATE: &str = "there was no answer in time";

/// A future that several requests await.
type Task<T> = Shared<LocalBoxFuture<'static, T>>;

/// Makes a task. Only requests that await the task poll it. These polls complete the task, because
/// the platform never drops a request's future.
fn task<T: Clone + 'static>(future: impl Future<Output = T> + 'static) -> Task<T> {
    future.boxed_local().shared()
}

struct Shell {
    fence: RefCell<Fence>,
    shard: Shard,
    /// The namespace of the shard's witness, or the reason why the namespace cannot be used.
    witnesses: Result<Option<Namespace>>,
    /// Completes when the newest call to the witness has ended.
    call: RefCell<Task<()>>,
    /// Completes when the next commit has ended; `None` if no commit is due.
    commit: RefCell<Option<Task<Result<()>>>>,
    /// The newest reason why the witness did not answer.
    silence: RefCell<String>,
}

impl Shell {
    async fn answer(
        self: &Rc<Self>,
        url: &str,
        message: &Message<'_>,
    ) -> Result<Response, JsValue> {
        let address = &message.address;
        if let Err(mistake) = &self.witnesses {
            return self.fail(url, address, Failure::WitnessSilent, Some(misconfigured(mistake)));
        }
        let mut ticket = message.ticket();
        let (mut reply, mut error) = (String::new(), None);
        loop {
            let step = self.fence.borrow_mut().step(&mut ticket);
            let done = match step {
                Step::Load => {
                    self.shard.load(address).map(|stamp| self.fence.borrow_mut().loaded(stamp))
                }
                Step::Ask { number, call } => {
                    self.ask(address, number, call);
                    self.wait().await;
                    Ok(())
                }
                Step::Wait { .. } => {
                    self.wait().await;
                    Ok(())
                }
                Step::Begin { loaded, opened } => {
                    self.shard.begin(&mut self.fence.borrow_mut(), address, loaded, opened)
                }
                Step::Decide => {
                    let fence = &mut self.fence.borrow_mut();
                    let answer = self.shard.answer(fence, message);
                    answer.map(|answer| {
                        reply = answer;
                        fence.decided(&mut ticket);
                    })
                }
                Step::Commit => self.commit().await,
                Step::Look => match self.shard.look(address) {
                    Ok(status) => return response(200, &status),
                    Err(error) => Err(error),
                },
                Step::Reply => return response(200, &reply),
                Step::Fail(failure) => return self.fail(url, address, failure, error),
            };
            if let Err(failed) = done {
                self.fence.borrow_mut().failed(&mut ticket);
                error = Some(failed);
            }
        }
    }

    /// Makes all writes durable. One commit covers the writes of all requests that arrive in this
    /// turn of the event loop.
    async fn commit(self: &Rc<Self>) -> Result<()> {
        if !self.shard.storage.is_committed_by_shell() {
            self.fence.borrow_mut().committed();
            return Ok(());
        }
        let due = self.commit.borrow().clone().unwrap_or_else(|| {
            let shell = Rc::clone(self);
            task(async move {
                shell.shard.storage.next_turn().await;
                shell.commit.take();
                let committed = shell.shard.commit();
                let fence = &mut shell.fence.borrow_mut();
                match &committed {
                    Ok(()) => fence.committed(),
                    Err(_) => fence.commit_failed(),
                }
                committed
            })
        });
        self.commit.replace(Some(due.clone()));
        due.await
    }

    /// Sends a call to the witness, and passes the answer to the fence.
    fn ask(self: &Rc<Self>, address: &Address<'_>, number: u64, call: WitnessCall) {
        let (shell, name) = (Rc::clone(self), address.object());
        let asked = async move {
            let asked = in_time(WITNESS_MAX_MS, shell.asked(name, number, &call)).await;
            if let Err(error) = asked.unwrap_or_else(|| Err(LATE.to_owned())) {
                shell.lose(number, error);
            }
        };
        *self.call.borrow_mut() = task(asked);
    }

    async fn asked(&self, name: String, number: u64, call: &WitnessCall) -> Result<()> {
        let namespace = self.witnesses.clone()?.ok_or("there is none")?;
        let url = format!("https://witness/{name}");
        let witness = Object { namespace, name, location_hint: None };
        let answer = witness.answer("POST", &url, Some(&write(call))).await;
        // Status 404 is an error here, because this status does not prove that there is no witness.
        let answer = answer.map_err(|(_, error)| error)?.ok_or("its object is not a witness")?;
        self.receive(number, call, &answer).map_err(|error| error.to_string())
    }

    fn receive(&self, number: u64, call: &WitnessCall, answer: &str) -> Result<(), Unreadable> {
        let answer = parse(answer)?;
        match call {
            WitnessCall::Open(_) => {
                let opened = read(&answer)?;
                self.fence.borrow_mut().opened(number, opened);
            }
            WitnessCall::Confirm(_) => {
                let Confirmation { confirmed } = read(&answer)?;
                self.fence.borrow_mut().confirmed(number, confirmed);
            }
        }
        Ok(())
    }

    async fn wait(&self) {
        let call = self.call.borrow().clone();
        call.await;
    }

    fn lose(&self, number: u64, why: String) {
        if self.fence.borrow_mut().lost(number) {
            self.silence.replace(why);
        }
    }

    /// Answers a failed request. The reason is `error` if that is given, and `failure` otherwise.
    fn fail(
        &self,
        url: &str,
        address: &Address<'_>,
        failure: Failure,
        error: Option<String>,
    ) -> Result<Response, JsValue> {
        let Address { sequencer, shard } = address;
        let (status, error) = match (error, failure) {
            (Some(error), _) => (status_of(&error), error),
            (None, Failure::SessionEnded) => {
                (500, "the session of this shard has ended".to_owned())
            }
            (None, Failure::SessionReplaced) => {
                (500, "the witness of this shard has opened another session".to_owned())
            }
            (None, Failure::WitnessSilent) => {
                let silence = self.silence.borrow();
                if misconfiguration(&silence).is_some() {
                    (500, silence.clone())
                } else {
                    let error = format!(
                        "the witness of shard {shard} of {sequencer} does not answer: {silence}"
                    );
                    (UNWITNESSED, error)
                }
            }
        };
        self.shard.failed(url, &error);
        response(status, &error)
    }
}
