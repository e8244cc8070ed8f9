//! What every store must do, as a library: [`exercise`] runs each behaviour against a fresh store of the caller's. A behaviour
//! that is not here does not exist.
//!
//! Leases are made to expire by asking for a lease of no length, never by waiting.

mod actions;

mod instances;
mod leases;
mod mail;
mod progress;
mod queues;
mod races;
mod rewrites;
mod schedules;
mod searches;
mod transactions;
mod versions;

pub use crate::cluster::Cluster;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use crate::{
    Claim, ClaimedInstance, Instance, Lease, LogRow, Message, NewInstance, NewVersion, Progress, Queued, Store,
    Timestamp,
};

/// How the suite gets at stores.
#[async_trait]
pub trait Harness: Send + Sync {
    /// A store on a new, empty database.
    async fn fresh(&self) -> Arc<dyn Store>;

    /// As `fresh`, but the database refuses log rows whose worker is `poison`, as it would any row that it can't take.
    async fn poisoned(&self) -> Arc<dyn Store>;
}

type Case = fn(Subject) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// A fresh store, and where others come from.
pub(crate) struct Subject {
    pub store: Arc<dyn Store>,
    pub harness: Arc<dyn Harness>,
}

macro_rules! cases {
    ($($module:ident :: $name:ident),* $(,)?) => {
        const CASES: &[(&str, Case)] = &[$((
            concat!(stringify!($module), "::", stringify!($name)),
            |subject| Box::pin($module::$name(subject)),
        )),*];
    };
}

cases! {
    versions::registering_is_idempotent_and_activates,
    versions::another_program_under_a_version_is_refused,
    versions::an_earlier_version_can_be_activated_again,
    instances::starts_answer_each_caller,
    instances::keys_are_free_again_when_their_instance_has_finished,
    instances::lists_filter_and_page,
    instances::what_has_finished_is_kept_as_long_as_is_set,
    leases::claims_come_by_priority_then_age,
    leases::a_claim_brings_all_it_takes,
    leases::starts_are_claimed_in_their_commit,
    leases::starts_that_have_to_wait_are_not_claimed,
    leases::heartbeats_extend_and_tell_what_is_lost,
    leases::expired_leases_are_reclaimed_and_due,
    leases::own_leases_are_freed_at_a_restart,
    leases::claims_without_progress_end_stuck,
    leases::stuck_instances_keep_mail_and_can_go_on,
    leases::the_next_wakeup_is_known,
    progress::progress_is_gated_by_lease_and_seq,
    progress::a_stale_owner_changes_nothing,
    progress::snapshots_shorten_the_log,
    progress::finishing_is_one_commit,
    progress::children_start_in_the_same_commit,
    progress::a_child_of_the_commit_gets_its_mail,
    progress::replies_come_with_the_progress,
    progress::unknown_outcomes_are_settled_by_seq,
    progress::one_bad_row_takes_nobody_with_it,
    mail::messages_wake_and_are_taken_once,
    mail::sleep_waits_for_nobody_who_has_mail,
    mail::changes_are_told,
    actions::actions_travel_and_settle_by_inbox,
    actions::actions_are_put_by_the_owner_who_has_read_its_mail,
    actions::action_leases_expire_and_fence,
    actions::worker_status_is_replaced,
    transactions::the_first_to_settle_an_attempt_is_right,
    transactions::many_who_settle_at_once_agree,
    rewrites::terminating_takes_the_instance_from_its_owner,
    rewrites::terminating_tells_parent_and_children,
    rewrites::rewriting_takes_the_instance_from_its_owner,
    rewrites::what_has_finished_goes_on,
    rewrites::what_goes_on_has_the_priority_it_was_started_with,
    rewrites::a_start_may_come_with_its_state,
    rewrites::others_hear_of_a_rewrite_in_its_commit,
    rewrites::a_taken_key_or_a_later_event_refuses_a_rewrite,
    schedules::schedules_are_put_by_who_saw_them_last,
    schedules::due_schedules_come_with_all_it_takes,
    schedules::a_firing_happens_once,
    schedules::what_is_fired_into_a_limited_queue_has_its_turn,
    schedules::hosts_that_fire_at_once_fire_once,
    schedules::a_firing_tells_who_is_to_end,
    searches::every_field_finds,
    searches::pages_are_stable_under_writes,
    searches::text_is_found_in_contents,
    queues::a_queue_has_so_many_leases_at_once,
    queues::each_key_has_so_many_leases_at_once,
    queues::keys_take_turns,
    queues::more_keys_than_a_claim_looks_at_are_all_served,
    queues::priority_orders_within_a_key_and_what_has_begun_goes_first,
    queues::rates_limit_how_many_begin,
    queues::limited_queues_and_others_share_a_claim,
    queues::nothing_of_a_paused_queue_is_claimed,
    queues::nothing_of_a_paused_workflow_is_claimed,
    queues::queues_are_listed_with_their_depth,
    queues::starts_say_what_a_taken_key_means,
    queues::a_start_replaces_whoever_has_its_key,
    queues::limits_hold_among_claimers,
    races::two_claimers_never_get_the_same_row,
    races::no_wakeup_is_lost,
    races::starts_with_one_key_give_one_instance,
    races::crossing_batches_do_not_deadlock,
    races::dropped_futures_leave_nothing_half_done,
}

/// Runs every behaviour, each on a fresh store. Panics at the first that does not hold, with its name.
pub async fn exercise(harness: Arc<dyn Harness>) {
    for (name, case) in CASES {
        let store = harness.fresh().await;
        let subject = Subject { store, harness: harness.clone() };
        let run = tokio::spawn(tokio::time::timeout(Duration::from_secs(60), case(subject)));
        match run.await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => panic!("conformance: {name} took longer than a minute"),
            Err(failure) => panic!("conformance: {name} does not hold: {failure}"),
        }
    }
}

// What the cases share. They read better with a few short words.

pub(crate) const QUEUE: &str = "default";
pub(crate) const MINUTE: Duration = Duration::from_secs(60);

impl Subject {
    /// Registers a version of a workflow and returns its id.
    pub(crate) async fn version(&self, workflow_name: &str) -> Uuid {
        let version = NewVersion {
            workflow_name: workflow_name.into(),
            workflow_version: "1".into(),
            ir_hash: format!("hash of {workflow_name}"),
            program_proto: vec![1, 2, 3],
            source: Some("source".into()),
        };
        self.store.register_version(version).await.expect("registered").workflow_version_id
    }

    /// Starts an instance that is due and returns its id.
    pub(crate) async fn start(&self, workflow_name: &str) -> Uuid {
        let new = new_instance(self.version(workflow_name).await);
        let instance_id = new.instance_id;
        assert_eq!(self.store.queue_instances(vec![new]).await.expect("queued"), [Queued::Started]);
        instance_id
    }

    pub(crate) async fn instance(&self, instance_id: Uuid) -> Option<Instance> {
        self.store.get_instances(vec![instance_id]).await.expect("read").remove(0)
    }

    pub(crate) async fn claim(&self, limit: u32) -> Vec<ClaimedInstance> {
        self.store.claim(claim_of(limit)).await.expect("claimed").instances
    }

    /// Starts one instance and claims it.
    pub(crate) async fn owned(&self, workflow_name: &str) -> ClaimedInstance {
        let instance_id = self.start(workflow_name).await;
        let claimed = self.claim(10).await;
        claimed.into_iter().find(|claimed| claimed.lease.instance_id == instance_id).expect("the instance was due")
    }

    pub(crate) async fn commit(&self, progress: Progress) -> crate::Committed {
        self.store.commit_progress(vec![progress.into()]).await.expect("committed").remove(0)
    }

    /// Makes a lease expire, without waiting.
    pub(crate) async fn expire(&self, lease: Lease) {
        let heartbeat = crate::Heartbeat { leases: vec![lease], lease: Duration::ZERO };
        assert_eq!(self.store.heartbeat(heartbeat).await.expect("heartbeat").len(), 1);
    }
}

pub(crate) fn new_instance(workflow_version_id: Uuid) -> NewInstance {
    NewInstance::new(Uuid::now_v7(), workflow_version_id, b"inputs".to_vec())
}

pub(crate) fn claim_of(limit: u32) -> Claim {
    Claim { engine: "engine-a".into(), queues: vec![QUEUE.into()], limit, lease: MINUTE, claims_max: 5 }
}

pub(crate) fn event(seq: i64) -> LogRow {
    LogRow {
        seq,
        kind: "settled".into(),
        execution_id: Some(format!("0-{seq}")),
        attempt: Some(1),
        outcome: format!("outcome {seq}").into_bytes(),
        happened_at: Timestamp(1_700_000_000_000_000 + seq),
        started_at: Some(Timestamp(1_700_000_000_000_000)),
        worker: Some("worker-1".into()),
        digest: u64::MAX - 7,
    }
}

pub(crate) fn events(range: std::ops::RangeInclusive<i64>) -> Vec<LogRow> {
    range.map(event).collect()
}

pub(crate) fn signal(instance_id: Uuid, name: &str) -> Message {
    Message {
        instance_id,
        message_id: Uuid::now_v7(),
        kind: "signal".into(),
        name: name.into(),
        payload: format!("payload of {name}").into_bytes(),
    }
}
