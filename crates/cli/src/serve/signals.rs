//! How a serving process is told to stop: once to finish, twice to end at once.

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::Role;

/// As a shell counts a process that a signal ended.
const ENDED_BY_SIGNAL: i32 = 130;

pub fn stop_on_signals(role: Role) -> anyhow::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT")?;
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM")?;
    let mut hang_up = signal(SignalKind::hangup()).context("SIGHUP")?;
    let outlives_terminal = role == Role::Bridge { auto_booted: true };
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => if outlives_terminal { continue },
            }
            if stopping.is_cancelled() {
                tracing::warn!("told to stop twice: ending at once");
                std::process::exit(ENDED_BY_SIGNAL);
            }
            tracing::info!("told to stop; again ends at once");
            stopping.cancel();
        }
    });
    Ok(stop)
}
