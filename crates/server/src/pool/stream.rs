//! The streams of workers: a task reads frames, and what there is to send is gathered when the transport asks for it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};
use waymark_engine::Job;
use waymark_proto::FRAME_BYTES_WANTED;
use waymark_proto::worker::workers_server::Workers;
use waymark_proto::worker::{Cancel, EngineFrame, Welcome, WorkerFrame};

use super::call;
use super::hub::{Hub, Shared};
use super::profile::Profile;
use super::state::{Place, State, sent_now};
use super::timer::{LOOK_AGAIN, Timer};

/// A peer that connects has to say who it is.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// See [`Hub::service`].
pub struct WorkersService {
    hub: Hub,
}

impl WorkersService {
    pub(super) fn new(hub: Hub) -> WorkersService {
        WorkersService { hub }
    }
}

#[tonic::async_trait]
impl Workers for WorkersService {
    type WorkStream = Outgoing;

    async fn work(&self, request: Request<Streaming<WorkerFrame>>) -> Result<Response<Outgoing>, Status> {
        let mut frames = request.into_inner();
        let first = tokio::time::timeout(HELLO_TIMEOUT, frames.message()).await;
        let first = first.map_err(|_| Status::deadline_exceeded("no hello came"))??;
        let Some(hello) = first.and_then(|frame| frame.hello) else {
            return Err(Status::invalid_argument("the first frame of a worker has to carry its hello"));
        };
        let profile = Profile::read(hello)?;
        let worker_id = profile.worker_id.to_string();
        let shared = self.hub.shared.clone();
        let hang_up = CancellationToken::new();
        let (worker, heartbeat) = shared.with(|state| (state.join(profile, hang_up.clone()), state.options.heartbeat));
        let welcome = Welcome {
            worker_id,
            heartbeat_ms: u32::try_from(heartbeat.as_millis()).unwrap_or(u32::MAX),
            payload_bytes_max: shared.payload_bytes_max as u64,
        };
        tokio::spawn(listen(shared.clone(), worker, frames, hang_up));
        let welcome = Some(EngineFrame { welcome: Some(welcome), ..EngineFrame::default() });
        Ok(Response::new(Outgoing { shared, worker, welcome, calls: VecDeque::new() }))
    }
}

/// Reads what a worker says until one of us has had enough.
async fn listen(shared: Arc<Shared>, worker: u64, mut frames: Streaming<WorkerFrame>, hang_up: CancellationToken) {
    loop {
        let frame = tokio::select! {
            biased;
            () = hang_up.cancelled() => return,
            frame = frames.message() => frame,
        };
        let frame = match frame {
            Ok(Some(frame)) if frame.hello.is_none() => frame,
            Ok(Some(_)) => {
                let refusal = Status::invalid_argument("a worker says hello once");
                return shared.with(|state| state.end(worker, refusal, true));
            }
            Ok(None) => return shared.with(|state| state.leave(worker, "it has ended its stream")),
            Err(status) => {
                let reason = format!("its stream broke: {}", status.message());
                return shared.with(|state| state.end(worker, Status::new(status.code(), reason), true));
            }
        };
        let settled = frame.settled.into_iter();
        let answers = settled.map(|settled| (settled.call_id, call::read(settled, shared.payload_bytes_max)));
        let answers = answers.collect();
        if !shared.with(|state| state.hear(worker, answers, frame.draining)) {
            return;
        }
    }
}

/// What goes to a worker.
pub struct Outgoing {
    shared: Arc<Shared>,
    worker: u64,
    welcome: Option<EngineFrame>,
    /// Taken from the outbox, for the next frames.
    calls: VecDeque<(u64, Job)>,
}

impl Stream for Outgoing {
    type Item = Result<EngineFrame, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(welcome) = self.welcome.take() {
            return Poll::Ready(Some(Ok(welcome)));
        }
        loop {
            let mut frame = EngineFrame::default();
            if self.calls.is_empty() {
                let Outgoing { shared, worker, calls, .. } = &mut *self;
                match shared.with(|state| take(state, *worker, &mut frame, calls, cx)) {
                    Taken::Something => {}
                    Taken::Nothing => return Poll::Pending,
                    Taken::Ended(status) => return Poll::Ready(status.map(Err)),
                }
            }
            self.add_calls(&mut frame);
            if !frame.calls.is_empty() || !frame.cancels.is_empty() || frame.drain {
                let calls = frame.calls.len() as u64;
                self.shared.with(|state| {
                    state.traffic.frames_sent += 1;
                    state.traffic.calls_sent += calls;
                });
                return Poll::Ready(Some(Ok(frame)));
            }
        }
    }
}

impl Outgoing {
    fn add_calls(&mut self, frame: &mut EngineFrame) {
        let mut frame_bytes = 0;
        while let Some((number, job)) = self.calls.pop_front() {
            match call::encode(number, &job, self.shared.payload_bytes_max) {
                Ok((call, bytes)) => {
                    frame_bytes += bytes;
                    frame.calls.push(call);
                }
                Err(exception) => self.shared.with(|state| state.refuse(number, *exception)),
            }
            if frame_bytes >= FRAME_BYTES_WANTED {
                return;
            }
        }
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.shared.with(|state| {
            state.endings.remove(&self.worker);
            if let Some(worker) = state.workers.get_mut(self.worker) {
                worker.outbox.closed = true;
            }
        });
    }
}

enum Taken {
    Something,
    Nothing,
    Ended(Option<Status>),
}

fn take(
    state: &mut State,
    number: u64,
    frame: &mut EngineFrame,
    calls: &mut VecDeque<(u64, Job)>,
    cx: &mut Context<'_>,
) -> Taken {
    let Some(worker) = state.workers.get_mut(number) else { return Taken::Ended(state.endings.remove(&number)) };
    let outbox = &mut worker.outbox;
    if outbox.is_empty() {
        outbox.waker = Some(cx.waker().clone());
        return Taken::Nothing;
    }
    frame.drain = std::mem::take(&mut outbox.drain);
    frame.cancels.extend(outbox.cancels.drain(..).map(|call_id| Cancel { call_id }));
    let now = sent_now();
    let mut held_back = Vec::new();
    for call in outbox.calls.drain(..) {
        let Some(entry) = state.jobs.get_mut(call) else { continue };
        if !entry.reports.is_ours() {
            // We were stopped, or the database was away: another engine may have it by now.
            held_back.push(call);
        } else if let Place::Held { sent, .. } = &mut entry.place {
            *sent = Some(now);
            calls.push_back((call, entry.job.clone()));
        }
    }
    outbox.calls = held_back;
    let has_something = frame.drain || !frame.cancels.is_empty() || !calls.is_empty();
    if !has_something {
        outbox.waker = Some(cx.waker().clone());
    }
    if !outbox.calls.is_empty() && !std::mem::replace(&mut outbox.held_back, true) {
        state.set_timer(LOOK_AGAIN, Timer::HeldBack(number));
    }
    match has_something {
        true => Taken::Something,
        false => Taken::Nothing,
    }
}
