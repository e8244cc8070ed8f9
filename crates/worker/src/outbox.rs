//! What goes to the engine: whatever has gathered when the transport asks for a frame.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio_stream::Stream;
use waymark_proto::FRAME_BYTES_WANTED;
use waymark_proto::worker::settled::Outcome;
use waymark_proto::worker::{Hello, Settled, WorkerFrame};

#[derive(Clone, Default)]
pub(crate) struct Outbox {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    hello: Option<Hello>,
    settled: Vec<Settled>,
    draining: bool,
    /// Something is to be sent, even if there is nothing to say.
    beat: bool,
    sent_since_beat: bool,
    /// After the last result.
    closed: bool,
    waker: Option<Waker>,
}

impl Outbox {
    pub fn new(hello: Hello) -> Outbox {
        Outbox { inner: Arc::new(Mutex::new(Inner { hello: Some(hello), ..Inner::default() })) }
    }

    pub fn settle(&self, call_id: u64, outcome: Outcome) {
        self.change(|inner| inner.settled.push(Settled { call_id, outcome: Some(outcome) }));
    }

    pub fn settle_all(&self, settled: &mut Vec<Settled>) {
        if !settled.is_empty() {
            self.change(|inner| inner.settled.append(settled));
        }
    }

    /// Says that we are alive, if nothing else was sent since the last time.
    pub fn beat(&self) {
        let mut inner = self.lock();
        let sent = std::mem::take(&mut inner.sent_since_beat);
        drop(inner);
        if !sent {
            self.change(|inner| inner.beat = true);
        }
    }

    pub fn say_draining(&self) {
        self.change(|inner| inner.draining = true);
    }

    pub fn close(&self) {
        self.change(|inner| inner.closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        let mut inner = self.lock();
        change(&mut inner);
        let waker = inner.waker.take();
        drop(inner);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream for Outbox {
    type Item = WorkerFrame;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<WorkerFrame>> {
        let mut inner = self.lock();
        if let Some(hello) = inner.hello.take() {
            return Poll::Ready(Some(WorkerFrame { hello: Some(hello), ..WorkerFrame::default() }));
        }
        if inner.settled.is_empty() && !inner.beat && !inner.draining {
            if inner.closed {
                return Poll::Ready(None);
            }
            inner.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        inner.beat = false;
        inner.sent_since_beat = true;
        let draining = std::mem::take(&mut inner.draining);
        let settled = up_to_wanted(&mut inner.settled);
        Poll::Ready(Some(WorkerFrame { settled, draining, ..WorkerFrame::default() }))
    }
}

fn up_to_wanted(settled: &mut Vec<Settled>) -> Vec<Settled> {
    let mut bytes = 0;
    let position = settled.iter().position(|settled| {
        bytes += 32
            + match &settled.outcome {
                Some(Outcome::Completed(payload) | Outcome::Failed(payload)) => payload.len(),
                _ => 0,
            };
        bytes >= FRAME_BYTES_WANTED
    });
    match position {
        Some(position) if position + 1 < settled.len() => {
            let rest = settled.split_off(position + 1);
            std::mem::replace(settled, rest)
        }
        _ => std::mem::take(settled),
    }
}
