//! The inboxes of residents, and what heartbeats say of them.

use rustc_hash::FxHashMap;
use uuid::Uuid;
use waymark_runner::Event;
use waymark_store::{Error, InboxView, Lease};

use super::resident::Arrival;
use super::{Beat, Command, Shard};
use crate::Mail;
use crate::job::JobKey;
use crate::options::Sabotage;

impl Shard {
    /// It has mail, as far as somebody was told.
    pub(super) fn mail(&mut self, id: Uuid) {
        match self.residents.get_mut(&id) {
            // A read on its way may have seen it or not. However many come meanwhile, one more read brings them all.
            Some(resident) if resident.reads > 0 => resident.reads_again = true,
            Some(_) => self.read_inbox(vec![id]),
            None => self.news.looks = true,
        }
    }

    pub(super) fn read_inbox(&mut self, ids: Vec<Uuid>) {
        let mut asked = Vec::with_capacity(ids.len());
        for id in &ids {
            if let Some(resident) = self.residents.get_mut(id) {
                resident.reads += 1;
                asked.push(resident.lease);
            }
        }
        let ticket = self.new_ticket();
        self.reads.insert(ticket, asked);
        self.commands.push(Command::ReadInbox(ticket, ids));
    }

    pub(super) fn inbox(&mut self, ticket: u64, views: Result<Vec<InboxView>, Error>) {
        let mut asked = self.reads.remove(&ticket).unwrap_or_default();
        // One that came back meanwhile has read its inbox since, and must not see what it has consumed before.
        asked.retain(|lease| self.is_held(*lease));
        // One that failed is asked for again by the next heartbeat, which sees the higher `wake_seq`.
        for view in views.unwrap_or_default() {
            if asked.iter().any(|lease| lease.instance_id == view.instance_id) {
                self.read_mail(view);
            }
        }
        let mut again = Vec::new();
        for Lease { instance_id, .. } in asked {
            if let Some(resident) = self.residents.get_mut(&instance_id) {
                resident.reads = resident.reads.saturating_sub(1);
                resident.forget_gone();
                if resident.reads == 0 && std::mem::take(&mut resident.reads_again) {
                    again.push(instance_id);
                    continue;
                }
            }
            self.rest(instance_id);
        }
        if !again.is_empty() {
            self.read_inbox(again);
        }
    }

    pub(super) fn read_mail(&mut self, view: InboxView) {
        for row in view.rows {
            let Some(resident) = self.residents.get_mut(&view.instance_id) else { return };
            let is_new = resident.taken.insert(row.message_id);
            if !is_new && !self.options.sabotages(Sabotage::MailTwice) {
                continue;
            }
            match Mail::read(&row, &resident.instance) {
                Ok(None) => {
                    resident.pending.consumed.push(row.message_id);
                    self.mark_dirty(view.instance_id);
                }
                Ok(Some(event)) => {
                    let mut by = None;
                    if let Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } =
                        &event
                    {
                        let (ordinal, attempt) = (*ordinal, *attempt);
                        resident.routed.remove(&(ordinal, attempt));
                        by = resident.stored_by.remove(&(ordinal, attempt));
                        if resident.running.remove(&(ordinal, attempt)) {
                            // Its worker has stored it, and has not said so yet, or has died and never will: nobody has to begin
                            // with it again.
                            self.jobs -= 1;
                            let instance_id = view.instance_id;
                            self.commands.push(Command::Cancel(JobKey { instance_id, ordinal, attempt }));
                        }
                    }
                    let (worker, started_at_us) = by.unwrap_or_default();
                    let message_id = Some(row.message_id);
                    let arrival = Arrival { event, message_id, worker, started_at_us };
                    self.arrival(view.instance_id, arrival);
                }
                Err(reason) => return self.stuck(view.instance_id, reason),
            }
        }
        if let Some(resident) = self.residents.get_mut(&view.instance_id) {
            resident.wake_seq = resident.wake_seq.max(view.wake_seq);
        }
    }

    pub(super) fn heartbeat(&mut self, beat: Beat) {
        let Beat { ours_until_us, asked, held } = beat;
        let held: FxHashMap<Uuid, i64> = held.into_iter().map(|lease| (lease.instance_id, lease.wake_seq)).collect();
        let mut mail = Vec::new();
        let mut lost = Vec::new();
        for (id, resident) in &mut self.residents {
            if held.contains_key(id) && asked.contains(&resident.lease) {
                resident.ours_until_us = resident.ours_until_us.max(ours_until_us);
            }
            match held.get(id) {
                Some(wake_seq) if *wake_seq > resident.wake_seq => mail.push(*id),
                Some(_) => {}
                // It came after the heartbeat left, or a commit on its way has given it back and will tell.
                None if !asked.contains(&resident.lease) || resident.submitted.is_some() => {}
                None => lost.push(*id),
            }
        }
        for id in lost {
            self.drop_resident(id);
        }
        let ends = self.residents.values().map(|resident| resident.ours_until_us);
        self.ours_until_us = ends.min().unwrap_or(i64::MAX);
        if !mail.is_empty() {
            mail.sort_unstable();
            self.read_inbox(mail);
        }
    }
}
