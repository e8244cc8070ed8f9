//! SIGKILL of workers, in the middle, again and again: what they held is given to others at once.

use rustix::process::Signal;
use uuid::Uuid;
use waymark_store::conformance::Cluster;

use crate::client::{Client, id_of};
use crate::journal::{Journal, LINES};
use crate::process::{is_alive, signal};
use crate::site::{SLOTS, Server, Site};
use crate::{assert_survived, start_survivors, survivors, wait_for};

const INSTANCES: i64 = 1_000;
const KILLS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    let site = Site::new();
    kill_workers(&site, site.start(&["dev"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    let cluster = Cluster::start(&[]);
    let url = cluster.database(false).await;
    let site = Site::new();
    kill_workers(&site, site.start(&["dev", "--database-url", &url])).await;
}

async fn kill_workers(site: &Site, mut server: Server) {
    let (client, journal) = (Client::of(site), Journal::of(site));
    let starts = survivors(INSTANCES, &journal, 0.1);
    let ids: Vec<Uuid> = starts.iter().map(id_of).collect();
    start_survivors(&client, &starts).await.expect("started");
    for kill in 1..=KILLS {
        journal.reached(LINES * INSTANCES as usize * kill / (KILLS + 1)).await;
        let victim = server.some_workers(1).await[0];
        signal(victim, Signal::KILL);
        wait_for("its end", || (!is_alive(victim)).then_some(())).await;
    }
    assert_survived(&client, &ids).await;
    let repeated = journal.assert_complete(INSTANCES);
    journal.assert_no_step_back();
    println!("{KILLS} kills: {repeated} actions were run again");
    assert!(repeated <= KILLS * SLOTS, "{repeated} actions were run again");
    server.some_workers(2).await;
    let log = server.log();
    assert_eq!(log.matches("a worker has exited").count(), KILLS, "{log}");
}
