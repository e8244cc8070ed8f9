//! How a user names an instance: by its id, or as `workflow/key` by the key that it was started with.

use std::str::FromStr;

use uuid::Uuid;
use waymark_proto::bridge::{GetInstanceRequest, Instance};

use crate::boot::ensure::Found;
use crate::client::explain;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Id(Uuid),
    /// The newest that has the key.
    Key {
        workflow: String,
        key: String,
    },
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Name, String> {
        if let Ok(id) = text.parse() {
            return Ok(Name::Id(id));
        }
        match text.split_once('/') {
            Some((workflow, key)) if !workflow.is_empty() && !key.is_empty() => {
                Ok(Name::Key { workflow: workflow.into(), key: key.into() })
            }
            _ => Err("an instance's id, as `waymark list` shows it, or WORKFLOW/KEY".into()),
        }
    }
}

impl Name {
    /// The instance as it is now.
    pub async fn get(&self, found: &mut Found) -> anyhow::Result<Instance> {
        let request = match self {
            Name::Id(id) => GetInstanceRequest { instance_id: id.as_bytes().to_vec(), ..GetInstanceRequest::default() },
            Name::Key { workflow, key } => {
                GetInstanceRequest { workflow_name: workflow.clone(), id: key.clone(), ..GetInstanceRequest::default() }
            }
        };
        let answer = found.client.calls.get_instance(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| explain(&found.address, status))
    }

    /// Its id. One that is an id already may be of nobody.
    pub async fn id(&self, found: &mut Found) -> anyhow::Result<Vec<u8>> {
        match self {
            Name::Id(id) => Ok(id.as_bytes().to_vec()),
            Name::Key { .. } => Ok(self.get(found).await?.instance_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let id = Uuid::now_v7();
        assert_eq!(id.to_string().parse(), Ok(Name::Id(id)));
        let key = Name::Key { workflow: "Order".into(), key: "2026/7".into() };
        assert_eq!("Order/2026/7".parse(), Ok(key));
        for text in ["", "Order", "/7", "Order/", "0190"] {
            assert!(text.parse::<Name>().is_err(), "{text}");
        }
    }
}
