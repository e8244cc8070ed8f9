//! Programs are immutable; which one new runs use is not.

use super::Subject;
use crate::{Error, NewVersion, VersionRef};

fn version(workflow_version: &str, ir_hash: &str) -> NewVersion {
    NewVersion {
        workflow_name: "billing".into(),
        workflow_version: workflow_version.into(),
        ir_hash: ir_hash.into(),
        program_proto: ir_hash.as_bytes().to_vec(),
        source: None,
    }
}

fn active() -> VersionRef {
    VersionRef::Active { workflow_name: "billing".into() }
}

pub(super) async fn registering_is_idempotent_and_activates(subject: Subject) {
    let store = subject.store;
    let first = store.register_version(version("1", "aaa")).await.unwrap();
    let second = store.register_version(version("2", "bbb")).await.unwrap();
    assert!(first.created && second.created);
    assert_eq!(store.get_version(active()).await.unwrap().unwrap().workflow_version_id, second.workflow_version_id);

    let again = store.register_version(version("1", "aaa")).await.unwrap();
    assert!(!again.created);
    assert_eq!(again.workflow_version_id, first.workflow_version_id);
    let now_active = store.get_version(active()).await.unwrap().unwrap();
    assert_eq!(now_active.workflow_version, "1", "registering again activates");
    assert_eq!(now_active.program_proto, b"aaa");

    let by_id = store.get_version(VersionRef::Id(second.workflow_version_id)).await.unwrap().unwrap();
    let named = VersionRef::Named { workflow_name: "billing".into(), workflow_version: "2".into() };
    assert_eq!(store.get_version(named).await.unwrap().unwrap(), by_id);
    let unknown = VersionRef::Active { workflow_name: "shipping".into() };
    assert_eq!(store.get_version(unknown).await.unwrap(), None);

    let listed = store.list_versions(Some("billing")).await.unwrap();
    let names: Vec<_> = listed.iter().map(|version| version.workflow_version.as_str()).collect();
    assert_eq!(names, ["1", "2"], "last activated first");
    assert_eq!(store.list_versions(None).await.unwrap().len(), 2);
    assert_eq!(store.fingerprint().await.unwrap(), store.fingerprint().await.unwrap());
}

pub(super) async fn another_program_under_a_version_is_refused(subject: Subject) {
    let store = subject.store;
    store.register_version(version("1", "aaa")).await.unwrap();
    store.register_version(version("2", "bbb")).await.unwrap();
    match store.register_version(version("1", "changed")).await {
        Err(Error::VersionConflict { registered_hash, given_hash, .. }) => {
            assert_eq!((registered_hash.as_str(), given_hash.as_str()), ("aaa", "changed"));
        }
        other => panic!("not refused: {other:?}"),
    }
    assert_eq!(
        store.get_version(active()).await.unwrap().unwrap().workflow_version,
        "2",
        "a refusal activates nothing"
    );
}

pub(super) async fn an_earlier_version_can_be_activated_again(subject: Subject) {
    let store = subject.store;
    let first = store.register_version(version("1", "aaa")).await.unwrap().workflow_version_id;
    store.register_version(version("2", "bbb")).await.unwrap();
    assert!(store.activate_version(first).await.unwrap());
    assert_eq!(store.get_version(active()).await.unwrap().unwrap().workflow_version_id, first);
    assert!(!store.activate_version(uuid::Uuid::now_v7()).await.unwrap());
}
