//! A real Postgres for tests: one private cluster a test process, on a Unix socket in a temporary folder, and a database a test.
//! It goes away with the process, however that ends: the shell that started it sees its input close.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Starting takes a second; a machine that is busy gets more.
const START_MAX: Duration = Duration::from_secs(60);

/// Postgres refuses to run as root. `$1` is the folder, `$2` the binaries, the rest are the server's settings.
const SCRIPT: &str = r#"
set -eu
folder=$1; bin=$2; shift 2
"$bin/initdb" -D "$folder/data" -U waymark -A trust -E UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1
start() { "$bin/postgres" -D "$folder/data" -k "$folder" "$@" >>"$folder/postgres.log" 2>&1 & server=$!; }
stop() { kill -QUIT "$server" 2>/dev/null || true; wait "$server" || true; }
start "$@"
while read -r command; do
    case $command in
        crash) stop ;;
        start) start "$@" ;;
    esac
done
stop
rm -rf "$folder"
"#;

pub struct Cluster {
    folder: PathBuf,
    databases: AtomicU32,
    bin: PathBuf,
    /// Its input is the lifeline.
    shell: Mutex<Child>,
}

impl Cluster {
    /// The cluster of this process, started on first use. Quick rather than durable: `fsync` is off.
    pub fn shared() -> &'static Cluster {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Cluster::start(&["-c", "fsync=off", "-c", "full_page_writes=off"]))
    }

    /// Whether there is a Postgres to start.
    pub fn is_installed() -> bool {
        binaries().is_some()
    }

    /// A cluster of one's own, with further settings for the server.
    pub fn start(settings: &[&str]) -> Cluster {
        let bin = binaries().expect("Postgres is not installed; `make postgres` installs it");
        let folder = std::env::temp_dir().join(format!("waymark-pg-{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir_all(&folder).expect("a folder for the cluster");
        let as_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        let mut command = if as_root {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            assert!(owned.is_ok_and(|status| status.success()), "there is no user postgres to run the server as");
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        let common = ["-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=128MB"];
        let shell = command
            .args(["-c", SCRIPT, "sh"])
            .arg(&folder)
            .arg(&bin)
            .args(common)
            .args(settings)
            .current_dir("/")
            // Ctrl-C is for who started us: it ends in its order, and this folder is removed.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let cluster = Cluster { folder, databases: AtomicU32::new(0), bin, shell: Mutex::new(shell) };
        cluster.wait(true);
        cluster
    }

    /// An immediate shutdown, as in a crash: nobody is told, nothing is flushed.
    pub fn crash(&self) {
        self.tell("crash");
        self.wait(false);
    }

    /// After a crash.
    pub fn start_again(&self) {
        self.tell("start");
        self.wait(true);
    }

    fn tell(&self, command: &str) {
        let mut shell = self.shell.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let input = shell.stdin.as_mut().expect("its input is piped");
        writeln!(input, "{command}").and_then(|()| input.flush()).expect("the shell lives");
    }

    /// Until it answers, or does not.
    fn wait(&self, up: bool) {
        let started = Instant::now();
        loop {
            let ready = Command::new(self.bin.join("pg_isready"))
                .arg("-q")
                .arg("-h")
                .arg(&self.folder)
                .args(["-U", "waymark"])
                .status();
            if ready.is_ok_and(|status| status.success()) == up {
                return;
            }
            if started.elapsed() > START_MAX {
                let log = |name| std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
                panic!("Postgres did not start or stop:\n{}\n{}", log("initdb.log"), log("postgres.log"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn url(&self, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://waymark@{folder}/{database}")
    }

    /// How many transactions were committed in a database so far, as far as the server has counted.
    pub async fn transactions(&self, url: &str) -> i64 {
        let name = url.rsplit('/').next().unwrap_or_default();
        // From elsewhere: asking must not count.
        let (client, connection) =
            tokio_postgres::connect(&self.url("postgres"), tokio_postgres::NoTls).await.expect("connected");
        let driver = tokio::spawn(connection);
        let row = client.query_one("SELECT xact_commit FROM pg_stat_database WHERE datname = $1", &[&name]).await;
        let count = row.expect("a database").get(0);
        drop(client);
        let _ = driver.await;
        count
    }

    /// The URL of a new database: empty, or with the tables in it.
    pub async fn database(&self, migrated: bool) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        static TEMPLATE: tokio::sync::Mutex<Vec<PathBuf>> = tokio::sync::Mutex::const_new(Vec::new());
        let (client, connection) =
            tokio_postgres::connect(&self.url("postgres"), tokio_postgres::NoTls).await.expect("connected");
        let driver = tokio::spawn(connection);
        // A template that somebody is connected to can't be copied: one at a time.
        let mut made = TEMPLATE.lock().await;
        if migrated && !made.contains(&self.folder) {
            client.batch_execute("CREATE DATABASE waymark_template").await.expect("a template");
            let options = crate::postgres::PostgresOptions::default();
            drop(
                crate::postgres::PostgresStore::connect(&self.url("waymark_template"), options)
                    .await
                    .expect("migrated"),
            );
            made.push(self.folder.clone());
        }
        let create = match migrated {
            true => format!("CREATE DATABASE {name} TEMPLATE waymark_template"),
            false => format!("CREATE DATABASE {name}"),
        };
        let mut tries = 0;
        while let Err(error) = client.batch_execute(&create).await {
            tries += 1;
            assert!(tries < 100, "no database: {error}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(made);
        drop(client);
        let _ = driver.await;
        self.url(&name)
    }
}

/// The newest server of the system's packages, or the one that `make postgres` put under `target`.
fn binaries() -> Option<PathBuf> {
    if let Ok(bin) = std::env::var("WAYMARK_TEST_POSTGRES_BIN") {
        return Some(PathBuf::from(bin));
    }
    let mut packaged: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, bin)| bin.join("initdb").exists())
        .collect();
    packaged.sort();
    packaged.pop().map(|(_, bin)| bin).or_else(|| {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/postgres");
        find_initdb(&target, 8)
    })
}

fn find_initdb(folder: &Path, depth: u32) -> Option<PathBuf> {
    let entries: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    if folder.ends_with("bin") && folder.join("initdb").exists() && folder.join("postgres").exists() {
        return Some(folder.to_path_buf());
    }
    let folders = entries.into_iter().filter(|path| depth > 0 && path.is_dir());
    folders.filter_map(|path| find_initdb(&path, depth - 1)).next()
}
