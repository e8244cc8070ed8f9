//! Registering programs.

use tonic::Code;
use uuid::Uuid;
use waymark_proto::bridge::{GetInstanceRequest, RegisterWorkflowRequest};

use crate::harness::*;

const OTHER: &str = "fn main(input: [name, times=2]):\n    return [name, times]\n";

async fn versions_never_change(running: Running) {
    let mut client = running.client();
    let first = register(&mut client, "greet", GREET).await;
    assert!(first.created && first.ir_hash.len() == 64, "{first:?}");
    assert_eq!(first.workflow_version, first.ir_hash, "without a version, the hash is it");
    let again = register(&mut client, "greet", GREET).await;
    assert!(!again.created);
    assert_eq!(again.workflow_version_id, first.workflow_version_id);
    let other = register(&mut client, "greet", OTHER).await;
    assert!(other.created && other.workflow_version_id != first.workflow_version_id);

    let named = |text| RegisterWorkflowRequest { workflow_version: "v1".into(), ..registration("greet", text) };
    let v1 = client.register_workflow(named(GREET)).await.unwrap().into_inner();
    assert_eq!((v1.workflow_version.as_str(), v1.ir_hash.as_str()), ("v1", first.ir_hash.as_str()));
    let conflict = client.register_workflow(named(OTHER)).await.unwrap_err();
    assert_eq!(conflict.code(), Code::AlreadyExists);
    for part in [first.ir_hash.as_str(), other.ir_hash.as_str(), "v1", "greet", "hint: "] {
        assert!(conflict.message().contains(part), "{part}: {}", conflict.message());
    }

    // Registering activates, also what was there already; naming a version starts that one.
    let active = async |client: &mut Client, version: &str| {
        let wanted = waymark_proto::bridge::Start { workflow_version: version.into(), ..greet() };
        let (id, _) = outcome(&start(client, vec![wanted]).await[0]).unwrap();
        let request = GetInstanceRequest { instance_id: id.as_bytes().to_vec(), ..Default::default() };
        client.get_instance(request).await.unwrap().into_inner().workflow_version
    };
    assert_eq!(active(&mut client, "").await, "v1", "a refusal activates nothing");
    register(&mut client, "greet", OTHER).await;
    assert_eq!(active(&mut client, "").await, other.workflow_version);
    assert_eq!(active(&mut client, "v1").await, "v1");
    register(&mut client, "greet", GREET).await;
    assert_eq!(active(&mut client, "").await, first.workflow_version);
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_never_change_on_sqlite() {
    versions_never_change(Running::start(Setup::default()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_never_change_on_postgres() {
    let (store, _) = postgres().await;
    versions_never_change(Running::on(store, None, Setup::default(), false).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_programs_are_refused_with_all_that_is_wrong() {
    let running = Running::start(Setup {
        options: waymark_server::bridge::Options { payload_bytes_max: 30_000, ..Setup::default().options },
        ..Setup::default()
    })
    .await;
    let mut client = running.client();
    let good = registration("greet", GREET);
    let problems = "fn main(input: [name]):\n    a = nmae\n    b = missing(1)\n    break\n    return a\n";
    let many: String = (0..200).map(|number| format!("    a = unknown_{number}\n")).collect();
    let many = format!("fn main(input: [a]):\n{many}    return a\n");
    let cases: [(&str, RegisterWorkflowRequest, &[&str]); 9] = [
        (
            "garbage",
            RegisterWorkflowRequest { program_proto: b"\xff\x00garbage".to_vec(), ..good.clone() },
            &["can't be read", "hint: "],
        ),
        ("empty", RegisterWorkflowRequest { program_proto: Vec::new(), ..good.clone() }, &["missing value"]),
        (
            "problems",
            registration("greet", problems),
            &["3 problems", "test.ir:2:9: [W", "nmae", "test.ir:3:9: [W", "missing", "test.ir:4:5: [W"],
        ),
        ("many problems", registration("greet", &many), &["200 problems", "test.ir:2:9: [W", "more"]),
        (
            "two names",
            RegisterWorkflowRequest { workflow_name: "other".into(), ..good.clone() },
            &["greet", "other", "hint: "],
        ),
        (
            "no name",
            RegisterWorkflowRequest { workflow_name: String::new(), program_proto: program("", GREET), ..good.clone() },
            &["no name", "hint: "],
        ),
        (
            "long version",
            RegisterWorkflowRequest { workflow_version: "v".repeat(257), ..good.clone() },
            &["workflow_version", "257", "256"],
        ),
        (
            "NUL",
            RegisterWorkflowRequest { workflow_version: "v\0".into(), ..good.clone() },
            &["workflow_version", "NUL"],
        ),
        (
            "large source",
            RegisterWorkflowRequest { source: "x".repeat(30_001), ..good.clone() },
            &["source", "30001", "30000"],
        ),
    ];
    for (case, request, parts) in cases {
        let status = client.register_workflow(request).await.expect_err(case);
        assert_eq!(status.code(), Code::InvalidArgument, "{case}: {status}");
        for part in parts {
            assert!(status.message().contains(part), "{case}: no {part:?} in {}", status.message());
        }
    }
    assert!(running.store.list_versions(None).await.unwrap().is_empty(), "nothing was stored");

    // One name is enough, on either side.
    let unnamed = RegisterWorkflowRequest { program_proto: program("", GREET), ..good.clone() };
    let left_out = RegisterWorkflowRequest { workflow_name: String::new(), ..good };
    let first = client.register_workflow(unnamed).await.unwrap().into_inner();
    let second = client.register_workflow(left_out).await.unwrap().into_inner();
    assert_eq!(first.workflow_version_id, second.workflow_version_id);
    assert!(Uuid::from_slice(&first.workflow_version_id).is_ok());
}
