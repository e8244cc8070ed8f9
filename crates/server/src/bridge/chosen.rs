//! Which instances a call is about: those that it names, or a page of those that a filter means.

use tonic::Status as Refused;
use uuid::Uuid;
use waymark_proto::bridge as wire;
use waymark_store::{Instance, InstanceFilter, Status};

use super::error::{self, invalid, patiently};
use super::{Bridge, view};

pub(super) struct Chosen {
    /// None: there is none of this id.
    pub instances: Vec<(Uuid, Option<Instance>)>,
    /// Where the next page begins; empty: this was the last.
    pub next_cursor: Vec<u8>,
}

impl Bridge {
    /// A filter means only instances of `statuses`; one that is named is there whatever its status.
    pub(super) async fn chosen(
        &self,
        ids: &[Vec<u8>],
        filter: Option<wire::InstanceFilter>,
        cursor: &[u8],
        statuses: &[Status],
        at_most: usize,
    ) -> Result<Chosen, Refused> {
        match (ids, filter) {
            ([], None) => Err(invalid("no instance is named\nhint: give instance_ids, or a filter")),
            ([], Some(filter)) => self.meant(filter, cursor, statuses, at_most).await,
            (_, Some(_)) => Err(invalid("both instance_ids and a filter are given\nhint: give one of them")),
            (many, None) if many.len() > at_most => {
                let count = many.len();
                Err(invalid(format!("one call has {count} instances, more than the {at_most} allowed")))
            }
            (ids, None) => {
                let ids = ids.iter().map(|id| view::instance_id("instance_ids", id)).collect::<Result<_, _>>()?;
                Ok(Chosen { instances: self.named(ids).await?, next_cursor: Vec::new() })
            }
        }
    }

    pub(super) async fn named(&self, ids: Vec<Uuid>) -> Result<Vec<(Uuid, Option<Instance>)>, Refused> {
        let store = &self.inner.store;
        let found = patiently(self.deadline(), || store.get_instances(ids.clone())).await.map_err(error::from_store)?;
        Ok(ids.into_iter().zip(found).collect())
    }

    async fn meant(
        &self,
        filter: wire::InstanceFilter,
        cursor: &[u8],
        statuses: &[Status],
        at_most: usize,
    ) -> Result<Chosen, Refused> {
        let mut filter = view::filter(filter)?;
        filter.statuses = match &filter.statuses[..] {
            [] => statuses.to_vec(),
            wanted => wanted.iter().copied().filter(|status| statuses.contains(status)).collect(),
        };
        if filter.statuses.is_empty() {
            return Ok(Chosen { instances: Vec::new(), next_cursor: Vec::new() });
        }
        let cursor = view::optional_id("cursor", cursor)?;
        let filter = InstanceFilter { cursor, limit: at_most as u32, ..filter };
        let store = &self.inner.store;
        let page = patiently(self.deadline(), || store.list_instances(filter.clone())).await;
        let page = page.map_err(error::from_store)?;
        Ok(Chosen {
            instances: page.instances.into_iter().map(|instance| (instance.instance_id, Some(instance))).collect(),
            next_cursor: page.next.map(|id| id.as_bytes().to_vec()).unwrap_or_default(),
        })
    }
}
