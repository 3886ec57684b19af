//! Whether there is an id now. If not, there is an error, a call or a wait.

use edgeflake::Error as GeneratorError;
use edgeflake::lease::{Error, Holder, Refusal, Step, Wait};

use super::isolate::{Isolate, batch, grant, refused};

/// Ids per tick of the layout here.
const PER_TICK: usize = 4;

/// Checks that both agree: an id is there if `ready` says so.
fn agrees(isolate: &mut Isolate, now_ms: u64) -> Result<(), Error> {
    let ready = isolate.holder.ready(now_ms);
    assert_eq!(isolate.holder.ready(now_ms), ready);
    // Waiting requests would come before it otherwise.
    let (mut ids, mut wait) = (Vec::new(), Wait::impatient(1));
    let mut issue = || isolate.holder.issue(now_ms, &mut wait, &mut ids, || 7);
    let mut step = issue();
    while let Step::Send(_) = step {
        step = issue();
    }
    assert_eq!(ready.is_ok(), step == Step::Done, "{ready:?} {step:?}");
    ready
}

#[test]
fn a_span_is_ready_until_its_end_and_as_far_as_ids_may_be_ahead() {
    let mut isolate = Isolate::default();
    assert_eq!(agrees(&mut isolate, 1_000), Err(Error::AuthorityUnreachable));
    let (mut isolate, _) = Isolate::attached();
    // `ready` issues no id: the first id of the span is still there.
    let first = isolate.holder.ready(1_001).map(|()| isolate.id(1_001));
    assert_eq!(first, Ok(isolate.id(1_001) - 1));
    assert_eq!(agrees(&mut isolate, 1_001), Ok(()));
    // The allowed future is 10 ms, of 4 ids each.
    let mut rest = [0; 11 * PER_TICK - 3];
    assert_eq!(isolate.step(1_001, &mut Wait::default(), &mut rest), Step::Done);
    let exhausted = Error::Generator(GeneratorError::Exhausted { retry_in_ms: 1 });
    assert_eq!(agrees(&mut isolate, 1_001), Err(exhausted));
    assert_eq!(agrees(&mut isolate, 1_099), Ok(()));
    let ended = Error::Generator(GeneratorError::SpanEnded { until_tick: 1_100 });
    assert_eq!(agrees(&mut isolate, 1_100), Err(ended));
}

#[test]
fn a_batch_is_ready_until_it_is_used_up() {
    let mut isolate = Isolate { holder: Holder::prefetching(), ..Isolate::default() };
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, batch(0, 1_000, 1_001));
    for left in (0..PER_TICK).rev() {
        assert_eq!(agrees(&mut isolate, 1_000), Ok(()), "{left} left");
    }
    assert!(agrees(&mut isolate, 1_000).is_err());
}

#[test]
fn what_is_not_written_down_is_not_ready() {
    let mut isolate = Isolate { holder: Holder::storing(), ..Isolate::default() };
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 900_000));
    assert_eq!(agrees(&mut isolate, 1_000), Err(Error::Unwritten));
    let record = isolate.holder.record(1_000);
    isolate.holder.written(record.as_ref());
    assert_eq!(agrees(&mut isolate, 1_000), Ok(()));
    // A second later nothing that was written down is left.
    assert_eq!(agrees(&mut isolate, 2_001), Err(Error::Unwritten));
}

#[test]
fn without_a_span_it_says_why_the_newest_call_failed() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let refusal = Refusal::Overloaded { retry_in_ms: 2_000 };
    isolate.receive(1_000, call, refused(refusal));
    assert_eq!(agrees(&mut isolate, 1_000), Err(Error::Refused(refusal)));
    isolate.holder.detach();
    assert_eq!(agrees(&mut isolate, 1_000), Err(Error::Detached));
}
