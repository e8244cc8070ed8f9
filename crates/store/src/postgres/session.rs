//! The one connection that lives as long as the store: it listens, it notifies, and it holds the engine's identity (an
//! advisory lock). When it breaks it is made again, and everybody is told to look for themselves.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::{Notify, broadcast};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};
use uuid::Uuid;

use super::pool::{Kind, classified};
use crate::{Change, Error, Result};

const CHANNEL: &str = "waymark_changes";
/// Changes that come within this time share a notification.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(5);
/// A notification holds 8,000 bytes at most; a change takes 34.
const CHANGES_PER_NOTIFICATION: usize = 200;
/// More than this at once: the others are told to look at everything.
const PENDING_MAX: usize = 4_000;
const RECONNECT_MAX: Duration = Duration::from_secs(1);

pub(super) struct Session {
    config: Config,
    /// Marks our own notifications, which were told at once and need not be told again.
    sender: Uuid,
    changes: broadcast::Sender<Change>,
    client: Mutex<Option<Arc<Client>>>,
    identities: Mutex<HashSet<String>>,
    pending: Mutex<HashSet<Change>>,
    waiting: Notify,
    task: Mutex<Option<tokio::task::AbortHandle>>,
}

impl Session {
    pub(super) async fn start(config: Config, changes: broadcast::Sender<Change>) -> Result<Arc<Session>> {
        let session = Arc::new(Session {
            config,
            sender: Uuid::new_v4(),
            changes,
            client: Mutex::default(),
            identities: Mutex::default(),
            pending: Mutex::default(),
            waiting: Notify::new(),
            task: Mutex::default(),
        });
        let first = session.connect().await?;
        let task = tokio::spawn(session.clone().run(first)).abort_handle();
        *lock(&session.task) = Some(task);
        Ok(session)
    }

    pub(super) fn stop(&self) {
        if let Some(task) = lock(&self.task).take() {
            task.abort();
        }
        lock(&self.client).take();
    }

    /// Tells this process at once, and the others soon, outside of the transaction that made the change.
    pub(super) fn changed(&self, changes: impl IntoIterator<Item = Change>) {
        let mut any = false;
        for change in changes {
            any = true;
            let _ = self.changes.send(change.clone());
            let mut pending = lock(&self.pending);
            if pending.len() >= PENDING_MAX {
                pending.clear();
                pending.insert(Change::Resync);
            }
            if !pending.contains(&Change::Resync) {
                pending.insert(change);
            }
        }
        if any {
            self.waiting.notify_one();
        }
    }

    /// Taking it again is fine: an engine that was started again in this process is still its only holder.
    pub(super) async fn take_identity(&self, engine: &str) -> Result<()> {
        if lock(&self.identities).contains(engine) {
            return Ok(());
        }
        let client = lock(&self.client).clone();
        let client = client.ok_or_else(|| Error::Unavailable { reason: "the database connection is down".into() })?;
        if !try_lock(&client, engine).await.map_err(|error| classified(&error, Kind::Read))? {
            let what = format!("the engine identity {engine:?}");
            return Err(Error::InUse { what, holder: "another process".into() });
        }
        lock(&self.identities).insert(engine.to_string());
        Ok(())
    }

    async fn run(self: Arc<Self>, first: Connected) {
        let mut connected = Some(first);
        let mut delay = Duration::from_millis(100);
        let mut away_since = std::time::Instant::now();
        loop {
            if let Some(connected) = connected.take() {
                delay = Duration::from_millis(100);
                let why = self.serve(connected).await;
                lock(&self.client).take();
                away_since = std::time::Instant::now();
                tracing::warn!(%why, "the database is away; it is asked again until it answers");
            }
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(RECONNECT_MAX);
            match self.connect().await {
                Ok(again) => {
                    tracing::info!(seconds = away_since.elapsed().as_secs_f64(), "the database is back");
                    let _ = self.changes.send(Change::Resync);
                    connected = Some(again);
                }
                Err(error) => tracing::debug!(%error, "the database is still away"),
            }
        }
    }

    async fn connect(&self) -> Result<Connected> {
        let failed = |error: tokio_postgres::Error| classified(&error, Kind::Read);
        let (client, mut connection) = self.config.connect(NoTls).await.map_err(failed)?;
        let client = Arc::new(client);
        let (sender, messages) = tokio::sync::mpsc::unbounded_channel();
        // Ends with the connection, which ends with the client.
        tokio::spawn(async move {
            let mut stream = futures_util::stream::poll_fn(move |context| connection.poll_message(context));
            while let Some(Ok(message)) = stream.next().await {
                if let AsyncMessage::Notification(notification) = message
                    && sender.send(notification.payload().to_string()).is_err()
                {
                    break;
                }
            }
        });
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await.map_err(failed)?;
        let identities = lock(&self.identities).clone();
        for engine in identities {
            if !try_lock(&client, &engine).await.map_err(failed)? {
                tracing::warn!(engine, "another process took this engine's identity while the database was away");
            }
        }
        *lock(&self.client) = Some(client.clone());
        Ok(Connected { client, messages })
    }

    /// Until the connection breaks.
    async fn serve(&self, mut connected: Connected) -> String {
        loop {
            tokio::select! {
                message = connected.messages.recv() => match message {
                    Some(payload) => self.received(&payload),
                    None => return "it was closed".into(),
                },
                () = self.waiting.notified() => {
                    if let Err(error) = self.notify(&connected.client).await {
                        let _ = lock(&self.pending).insert(Change::Resync);
                        self.waiting.notify_one();
                        return error.to_string();
                    }
                    // What comes meanwhile shares the next one. Messages wait no longer than this.
                    tokio::time::sleep(NOTIFY_INTERVAL).await;
                }
            }
        }
    }

    async fn notify(&self, client: &Client) -> std::result::Result<(), tokio_postgres::Error> {
        let pending: Vec<Change> = std::mem::take(&mut *lock(&self.pending)).into_iter().collect();
        let payloads: Vec<String> =
            pending.chunks(CHANGES_PER_NOTIFICATION).map(|changes| encode(self.sender, changes)).collect();
        if payloads.is_empty() {
            return Ok(());
        }
        client
            .execute("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", &[&CHANNEL, &payloads])
            .await?;
        Ok(())
    }

    fn received(&self, payload: &str) {
        let Some((sender, changes)) = payload.split_once(' ') else { return };
        if sender == self.sender.simple().to_string() {
            return;
        }
        for change in changes.split(' ').filter_map(decode) {
            let _ = self.changes.send(change);
        }
    }
}

struct Connected {
    client: Arc<Client>,
    messages: tokio::sync::mpsc::UnboundedReceiver<String>,
}

async fn try_lock(client: &Client, engine: &str) -> std::result::Result<bool, tokio_postgres::Error> {
    let name = format!("waymark engine {engine}");
    client.query_one("SELECT pg_try_advisory_lock(hashtextextended($1, 0))", &[&name]).await?.try_get(0)
}

fn encode(sender: Uuid, changes: &[Change]) -> String {
    let mut text = sender.simple().to_string();
    for change in changes {
        text.push(' ');
        match change {
            Change::Work => text.push('w'),
            Change::Actions => text.push('a'),
            Change::Versions => text.push('v'),
            Change::Schedules => text.push('c'),
            Change::Resync => text.push('r'),
            Change::Inbox(id) => text.push_str(&format!("i{}", id.simple())),
            Change::Finished(id) => text.push_str(&format!("f{}", id.simple())),
            Change::Taken(id) => text.push_str(&format!("t{}", id.simple())),
            Change::Replied(id) => text.push_str(&format!("p{}", id.simple())),
            Change::Stuck(id) => text.push_str(&format!("s{}", id.simple())),
        }
    }
    text
}

/// None: a change that a newer version tells of.
fn decode(text: &str) -> Option<Change> {
    let id = || text.get(1..).and_then(|id| Uuid::try_parse(id).ok());
    match text.chars().next()? {
        'w' => Some(Change::Work),
        'a' => Some(Change::Actions),
        'v' => Some(Change::Versions),
        'c' => Some(Change::Schedules),
        'r' => Some(Change::Resync),
        'i' => id().map(Change::Inbox),
        'f' => id().map(Change::Finished),
        'p' => id().map(Change::Replied),
        's' => id().map(Change::Stuck),
        't' => id().map(Change::Taken),
        _ => None,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
