//! Carries the commands of a [`Relay`] out.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use waymark_store::{Change, Store};

use super::{Relay, RelayCommand, RelayInput};
use crate::Options;
use crate::clock::Clock;
use crate::runtime::{Dispatcher, Reports, lost};

/// How often workers are asked what they know. Costs the database nothing.
const LOOK: Duration = Duration::from_secs(1);

/// Runs other engines' actions on the workers here, until `shutdown`; then gives back what is in hand.
pub async fn run(
    store: Arc<dyn Store>,
    options: Options,
    dispatcher: Arc<dyn Dispatcher>,
    shutdown: CancellationToken,
) -> waymark_store::Result<()> {
    store.free_own_leases(&Relay::identity(&options)).await?;
    let lease = options.lease;
    let mut changes = store.changes();
    let (reports, mut reported) = Reports::channel();
    let mut answers: JoinSet<Option<RelayInput>> = JoinSet::new();
    let mut relay = Relay::new(options);
    let clock = Clock::start();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let known =
        |dispatcher: &dyn Dispatcher| RelayInput::Known { actions: dispatcher.known(), free: dispatcher.free() };
    loop {
        let input = tokio::select! {
            biased;
            () = shutdown.cancelled() => break,
            Some(answer) = answers.join_next() => match answer {
                Ok(Some(input)) => input,
                Ok(None) => continue,
                Err(error) => lost(error),
            },
            Some(report) = reported.recv() => RelayInput::Reported(report),
            change = changes.recv() => match change {
                Ok(change @ (Change::Actions | Change::Resync)) => RelayInput::Changed(change),
                Ok(_) => continue,
                Err(RecvError::Lagged(_)) => RelayInput::Changed(Change::Resync),
                Err(RecvError::Closed) => {
                    tokio::time::sleep(LOOK).await;
                    RelayInput::Time
                }
            },
            _ = look.tick() => known(&*dispatcher),
            () = tokio::time::sleep(clock.until(relay.next_wakeup())) => known(&*dispatcher),
        };
        let commands = relay.handle(clock.now().steady_us, input);
        let (lost, others): (Vec<_>, Vec<_>) =
            commands.into_iter().partition(|command| matches!(command, RelayCommand::Cancel(_)));
        for command in lost {
            carry_out(&store, &dispatcher, &reports, &mut answers, lease, command);
        }
        // Not before those that are not ours any more were taken back.
        reports.ours_for(relay.ours_until_us().map_or(Duration::MAX, |until_us| clock.until(until_us)));
        for command in others {
            carry_out(&store, &dispatcher, &reports, &mut answers, lease, command);
        }
    }
    answers.abort_all();
    for key in relay.jobs() {
        dispatcher.cancel(key);
    }
    let held = relay.leases();
    if !held.is_empty() {
        store.heartbeat_actions(held, Duration::ZERO).await?;
    }
    Ok(())
}

fn carry_out(
    store: &Arc<dyn Store>,
    dispatcher: &Arc<dyn Dispatcher>,
    reports: &Reports,
    answers: &mut JoinSet<Option<RelayInput>>,
    lease: Duration,
    command: RelayCommand,
) {
    let store = store.clone();
    match command {
        RelayCommand::Run(job) => dispatcher.run(job, reports),
        RelayCommand::Cancel(key) => dispatcher.cancel(key),
        RelayCommand::Claim(claim) => {
            answers.spawn(async move { Some(RelayInput::Claimed(store.claim_actions(claim).await)) });
        }
        RelayCommand::Heartbeat(held) => {
            answers.spawn(async move {
                let result = store.heartbeat_actions(held.clone(), lease).await;
                Some(RelayInput::Heartbeat(held, result))
            });
        }
        RelayCommand::Settle(keys, batch) => {
            answers.spawn(async move { Some(RelayInput::Settled(keys, store.settle_actions(batch).await)) });
        }
        RelayCommand::SettleTransactions(keys, batch) => {
            answers.spawn(async move {
                let (rows, offers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
                let offers: Vec<_> = offers.into_iter().flatten().collect();
                let result = match store.settle_attempts(offers).await {
                    Ok(_) => store.drop_actions(rows).await,
                    Err(error) => Err(error),
                };
                Some(RelayInput::Settled(keys, result))
            });
        }
        RelayCommand::GiveBack(held) => {
            answers.spawn(async move {
                // Otherwise their leases run out.
                let _ = store.heartbeat_actions(held, Duration::ZERO).await;
                None
            });
        }
    }
}
