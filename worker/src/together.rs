//! Polls futures together. The usual library for it would add 3.5 KB of gzipped WebAssembly.

use std::future::poll_fn;
use std::task::Poll;

/// Waits for the values of all futures, and returns them in order. Whenever one future wakes, all
/// unfinished ones are polled, so use it for at most some hundreds.
pub(crate) async fn together<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut all: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        let mut is_ready = true;
        for (future, value) in &mut all {
            if value.is_some() {
                continue;
            }
            match future.as_mut().poll(context) {
                Poll::Ready(ready) => *value = Some(ready),
                Poll::Pending => is_ready = false,
            }
        }
        if is_ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    all.into_iter().filter_map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn all_begin_at_once_and_answer_in_order() {
        let mut polls = Vec::new();
        for pending in [[0, 0, 0], [2, 0, 1], [0, 3, 3]] {
            // Each future is ready after the given number of polls, and is never polled again.
            let futures = pending.into_iter().enumerate().map(|(index, mut left)| {
                poll_fn(move |_| {
                    assert!(left >= 0, "{index} is asked after its end");
                    left -= 1;
                    if left < 0 { Poll::Ready(index) } else { Poll::Pending }
                })
            });
            let mut all = pin!(together(futures));
            let mut context = Context::from_waker(Waker::noop());
            let mut count = 1;
            let values = loop {
                match all.as_mut().poll(&mut context) {
                    Poll::Ready(values) => break values,
                    Poll::Pending => count += 1,
                }
            };
            assert_eq!(values, [0, 1, 2]);
            polls.push(count);
        }
        assert_eq!(polls, [1, 3, 4]);
    }
}
