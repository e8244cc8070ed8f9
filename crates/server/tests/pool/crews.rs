//! Workers that clients ask for: shared, kept and replaced.

use std::collections::{BTreeMap, BTreeSet};

use tokio_util::sync::CancellationToken;
use waymark_server::pool::crews::{Crews, Wanted};
use waymark_server::pool::spawn;
use waymark_store::Timestamp;

use crate::deaths::this_binary;
use crate::support::{Pool, options};

fn wanted(group: &str, modules: &[&str], changed_at: Timestamp) -> Wanted {
    let command = this_binary();
    let mut words = vec![command.program.display().to_string()];
    words.extend(command.arguments);
    Wanted {
        group: group.into(),
        command: words,
        directory: std::env::temp_dir(),
        environment: BTreeMap::from([("KIND".into(), "one".into())]),
        modules: modules.iter().map(|module| module.to_string()).collect(),
        changed_at,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn crews_are_shared_kept_and_replaced() {
    let options = options();
    let workers = options.workers;
    let pool = Pool::start(options.clone());
    let home = spawn::Home { address: pool.address.clone(), token: None, database_url: None, name: "crew".into() };
    let shutdown = CancellationToken::new();
    let crews = Crews::new(options, home, pool.hub.clone(), shutdown.clone());
    let task = tokio::spawn(crews.clone().run());
    let ids = || -> BTreeSet<String> {
        pool.hub.status().workers.iter().map(|worker| worker.worker_id.to_string()).collect()
    };
    let before = Timestamp(Timestamp::now().0 - 1);

    assert!(crews.keep(wanted("app", &["app"], before)));
    pool.until("workers connect", |status| status.workers.len() == workers).await;
    assert!(pool.hub.status().workers.iter().all(|worker| worker.is_spawned));
    let first = ids();
    assert!(!crews.keep(wanted("app", &["app"], before)), "they are there already");
    assert_eq!(ids(), first);

    // Each of these replaces them: first those who are there go, then all are new.
    let mut other = wanted("app", &["app"], before);
    other.environment.insert("KIND".into(), "two".into());
    for (why, mut wanted) in [
        ("another module", wanted("app", &["more"], before)),
        ("newer code", wanted("app", &["app", "more"], before)),
        ("other variables", other),
    ] {
        let old = ids();
        if why == "newer code" {
            wanted.changed_at = Timestamp::now();
        }
        assert!(crews.keep(wanted), "{why}");
        pool.until(why, |status| {
            status.workers.len() == workers
                && status.workers.iter().all(|worker| !old.contains(&worker.worker_id.to_string()))
        })
        .await;
    }
    // The modules of all who asked are known.
    let mut last = wanted("app", &["app", "more"], before);
    last.environment.insert("KIND".into(), "two".into());
    assert!(!crews.keep(last));

    assert!(crews.keep(wanted("another", &[], before)));
    pool.until("both groups have workers", |status| status.workers.len() == 2 * workers).await;
    shutdown.cancel();
    task.await.unwrap();
    pool.until("all are gone", |status| status.workers.is_empty()).await;
}
