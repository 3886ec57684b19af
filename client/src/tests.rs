//! Tests generators with an authority in memory. Also tests how a generator treats the answers of
//! HTTP servers.

use core::future::poll_fn;
use core::task::Poll;
use core::time::Duration;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::sync::{Arc, Mutex};

use edgeflake::lease::{
    Authority, BoundConfig, Call, Holder, Refusal, Reply, Sequencer, Settings, State,
};
use edgeflake::preset::EDGE;
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use tracing::subscriber::NoSubscriber;

use crate::ids::with_transport;
use crate::transport::{Failure, Sent, Transport};
use crate::{Error, LeasedIds};

/// An authority in memory. A test can make the calls to the authority fail.
struct Memory {
    authority: Mutex<Authority>,
    failure: Mutex<Option<Failure>>,
}

impl Transport for Memory {
    fn send<'a>(&'a self, call: &'a Call) -> Sent<'a> {
        let now_ms = edgeflake::now_ms();
        let failure = self.failure.lock().unwrap().clone();
        let reply = failure.map_or_else(
            || {
                let mut authority = self.authority.lock().unwrap();
                let decision = authority.decide(now_ms, &call.request);
                decision.write.iter().for_each(|write| authority.apply(write));
                Ok(decision.reply)
            },
            Err,
        );
        Box::pin(async move {
            tokio::task::yield_now().await;
            reply
        })
    }
}

fn memory() -> Arc<Memory> {
    let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap());
    let authority = Authority::load(0, Some(sequencer), Settings::default(), []).unwrap();
    Arc::new(Memory { authority: Mutex::new(authority), failure: Mutex::new(None) })
}

fn ids(memory: &Arc<Memory>) -> LeasedIds {
    with_transport("orders".to_owned(), memory.clone(), Holder::new()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn clones_share_a_lease_and_no_id_comes_twice() {
    let memory = memory();
    let mut seen = BTreeSet::new();
    let mut nodes = BTreeSet::new();
    for _ in 0..2 {
        let ids = ids(&memory);
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let ids = ids.clone();
                tokio::spawn(async move {
                    let mut own = ids.batch(1_000).await.unwrap();
                    for _ in 0..1_000 {
                        own.push(ids.next().await.unwrap());
                    }
                    own
                })
            })
            .collect();
        for task in tasks {
            let own = task.await.unwrap();
            assert!(own.is_sorted());
            nodes.extend(own.iter().map(|id| EDGE.decode(*id).unwrap().node));
            seen.extend(own);
        }
        assert_eq!(ids.state(), State::Attached);
        ids.shutdown().await;
        assert_eq!(ids.next().await.unwrap_err().code(), "detached");
        assert_eq!(ids.state(), State::Detached);
    }
    assert_eq!((seen.len(), nodes.len()), (16_000, 2));
}

#[tokio::test]
async fn a_request_that_is_dropped_leaves_the_others_alone() {
    let ids = ids(&memory());
    let mut dropped = Box::pin(ids.batch(100_000));
    assert!(poll_fn(|context| Poll::Ready(dropped.as_mut().poll(context))).await.is_pending());
    drop(dropped);
    let (one, other) = tokio::join!(ids.next(), ids.next());
    assert_ne!(one.unwrap(), other.unwrap());
}

#[tokio::test(start_paused = true)]
async fn an_outage_ends_with_its_reason_and_a_later_try_succeeds() {
    let memory = memory();
    *memory.failure.lock().unwrap() = Some(Failure::Passing("connection refused".to_owned()));
    let ids = ids(&memory);
    let error = ids.next().await.unwrap_err();
    assert_eq!(error.code(), "authority-unreachable");
    assert!(error.to_string().ends_with(": connection refused"), "{error}");
    assert!(error.retry_in().is_some());
    *memory.failure.lock().unwrap() = None;
    tokio::time::sleep(Duration::from_secs(5)).await;
    while ids.next().await.is_err() {}
}

#[tokio::test]
async fn a_mistake_is_told_at_once_and_its_repair_noticed() {
    let memory = memory();
    for (code, text) in [
        ("unauthorized", "the token is not the lease token"),
        ("invalid-configuration", "there is no binding AUTHORITY"),
    ] {
        let mistake = Error::new(code, text);
        *memory.failure.lock().unwrap() = Some(Failure::Lasting(mistake.clone()));
        let ids = ids(&memory);
        assert_eq!(ids.next().await, Err(mistake));
        *memory.failure.lock().unwrap() = None;
        // After a failure, the holder pauses before its next call. Until then, requests fail.
        while ids.next().await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn try_next_takes_from_memory() {
    let ids = ids(&memory());
    let error = ids.try_next().unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("not-ready", "no id is in memory yet, but a lease was requested: try again")
    );
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(ids.try_next().unwrap() < ids.try_next().unwrap());
}

#[tokio::test]
async fn options() {
    let url = "https://ids.example.com";
    let builder = LeasedIds::builder;
    for (builder, expected) in [
        (
            builder(),
            "authority is \"\": give an http or https URL without query or fragment, such as \
             https://ids.example.com",
        ),
        (
            builder().authority("ftp://a"),
            "authority is \"ftp://a\": give an http or https URL without query or fragment, such \
             as https://ids.example.com",
        ),
        (
            builder().authority("https://a/?b=1"),
            "authority is \"https://a/?b=1\": give an http or https URL without query or fragment, \
             such as https://ids.example.com",
        ),
        (
            builder().authority(url).token("a\nb"),
            "token has a character that no header can have, such as a line break: remove it",
        ),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), ("invalid-option", expected));
    }
    #[cfg(feature = "postgres")]
    for (builder, expected) in [
        (
            builder().authority("postgres://host:port/"),
            "authority is not a URL of PostgreSQL: invalid value for option `port`",
        ),
        (
            builder().authority("postgres://host/").token("secret"),
            "token is given, but PostgreSQL takes none: leave it out",
        ),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), ("invalid-option", expected));
    }
    let error = builder().authority(url).sequencer("A b").build().unwrap_err();
    assert!(error.to_string().starts_with("sequencer is \"A b\": "), "{error}");
    let ids = builder().authority(url).token("secret").build().unwrap();
    assert_eq!(format!("{ids:?}"), "LeasedIds { sequencer: \"default\", state: Acquiring }");
    for count in [0, 100_001] {
        let error = ids.batch(count).await.unwrap_err();
        let expected = format!("count is {count}: give 1 to 100000");
        assert_eq!((error.code(), error.to_string()), ("invalid-number", expected));
    }
}

#[test]
fn a_runtime_is_needed() {
    let error = LeasedIds::builder().authority("http://localhost").build().unwrap_err();
    assert_eq!(error.to_string(), "there is no tokio runtime here: call build within one");
}

#[tokio::test]
async fn events_and_metrics() {
    let (mut log, writer) = std::io::pipe().unwrap();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_ansi(false)
        .without_time()
        .with_writer(Arc::new(writer))
        .finish();
    // With only one subscriber, the first thread that reaches an event decides whether the event is
    // enabled. That thread may belong to another test, so add a second subscriber.
    let _second = tracing::Dispatch::new(NoSubscriber::default());
    let logging = tracing::subscriber::set_default(subscriber);
    let recorder = DebuggingRecorder::new();
    let measuring = metrics::set_default_local_recorder(&recorder);
    let memory = memory();
    let mistake = Error::new("unauthorized", "the token is not the lease token");
    *memory.failure.lock().unwrap() = Some(Failure::Lasting(mistake));
    let ids = ids(&memory);
    ids.next().await.unwrap_err();
    *memory.failure.lock().unwrap() = None;
    while ids.batch(3).await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    ids.shutdown().await;
    drop((logging, measuring));
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    assert_eq!(
        text,
        " WARN edgeflake_client::report: call failed sequencer=\"orders\" code=\"unauthorized\" \
         cause=\"the token is not the lease token\"\n \
         INFO edgeflake_client::report: lease acquired sequencer=\"orders\" node=1\n\
         DEBUG edgeflake_client::report: call answered sequencer=\"orders\" outcome=\"dropped\"\n"
    );
    let metrics = recorder.snapshotter().snapshot().into_vec().into_iter();
    let metrics: BTreeSet<_> = metrics
        .map(|(key, _, _, value)| match value {
            DebugValue::Histogram(times) => format!("{} {} times", key.key(), times.len()),
            value => format!("{} {value:?}", key.key()),
        })
        .collect();
    let calls = |outcome| {
        format!("Key(edgeflake_calls_total, [sequencer = orders, outcome = {outcome}]) Counter(1)")
    };
    let expected = [
        "Key(edgeflake_call_seconds, [sequencer = orders]) 3 times".to_owned(),
        calls("acquired"),
        calls("dropped"),
        calls("unauthorized"),
        "Key(edgeflake_ids_issued_total, [sequencer = orders]) Counter(3)".to_owned(),
    ];
    assert_eq!(metrics, BTreeSet::from(expected));
}

/// For each answer of a server, tests which reply or error the holder or the caller gets.
#[tokio::test]
async fn answers() {
    let problem = |code: &str| format!(r#"{{"type":"/problems/{code}","detail":"the detail"}}"#);
    let (json, problems) = ("application/json", "application/problem+json");
    for (status, kind, body, expected) in [
        (
            200,
            json,
            r#"{"ended":{"token":"00000000000000000000000000000007","incarnation":1}}"#.to_owned(),
            "reply Ended",
        ),
        (200, json, "{}".to_owned(), "passing: it answered {}"),
        (
            200,
            "text/html",
            "<html>".to_owned(),
            "authority-unreachable: URL answered 200, text/html: set authority to the URL of \
             edgeflake's Worker or of its authority on Node",
        ),
        (
            503,
            problems,
            r#"{"refused":{"refusal":"no-node-free","incarnation":3,"retry_in_ms":70}}"#.to_owned(),
            "reply NoNodeFree",
        ),
        (404, problems, problem("unknown-sequencer"), "reply UnknownSequencer"),
        (500, problems, problem("invalid-configuration"), "invalid-configuration: the detail"),
        (401, problems, problem("unauthorized"), "unauthorized: the detail"),
        (403, problems, problem("forbidden"), "forbidden: the detail"),
        (429, problems, problem("too-many-requests"), "passing: URL answered 429, the detail"),
        (502, "text/plain", "bad gateway".to_owned(), "passing: URL answered 502, text/plain"),
        (
            400,
            problems,
            problem("invalid-body"),
            "authority-unreachable: URL answered 400, the detail",
        ),
    ] {
        let response = http::Response::builder().status(status).header("content-type", kind);
        let response = response.body(body).unwrap().into();
        let found = match crate::http::answer(response, "URL").await {
            Ok(Reply::Refused { refusal: Refusal::NoNodeFree { .. }, .. }) => {
                "reply NoNodeFree".to_owned()
            }
            Ok(Reply::Refused { refusal, .. }) => format!("reply {refusal:?}"),
            Ok(Reply::Ended { .. }) => "reply Ended".to_owned(),
            Ok(other) => format!("{other:?}"),
            Err(Failure::Passing(text)) => format!("passing: {text}"),
            Err(Failure::Lasting(error)) => format!("{}: {error}", error.code()),
        };
        assert_eq!(found, expected, "{status}");
    }
    let moved = http::Response::builder().status(301).header("location", "https://b/");
    let failure = crate::http::answer(moved.body(String::new()).unwrap().into(), "URL").await;
    let Err(Failure::Lasting(error)) = failure else { panic!("{failure:?}") };
    assert!(error.to_string().starts_with("URL answered 301, a redirect to https://b/"), "{error}");
}
