//! Processes that serve: started, found, raced for, idle, stopped. Each test has a home and databases of its own; whatever it starts is
//! stopped by its process id.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value as Json;

use super::{Place, Told, command, told};

/// Everything here is faster by far; the machine may be busy.
const LIMIT: Duration = Duration::from_secs(90);

const CHAIN: &str = "\
workflow chain
fn main(input: [n]):
    a = @double(n=n)
    b = @add(a=a, b=1)
    return {\"value\": b, \"echo\": @echo(value=[a, b])}
";

const FAILS: &str = "\
workflow fails
fn main():
    await asyncio.sleep(0.01)
    raise ValueError(\"no luck\")
";

const RECORDS: &str = "\
workflow records
fn main(input: [file, seconds]):
    @record(file=file, text=\"slow\", seconds=seconds)
    @record(file=file, text=\"after\")
    return \"done\"
";

const SLEEPS: &str = "\
workflow sleeps
fn main():
    await asyncio.sleep(4)
";

/// A home, a directory to work in, and what was started from it.
pub struct Site {
    pub place: Place,
    started: Vec<Child>,
}

impl Site {
    pub fn new() -> Site {
        let files = [("chain.ir", CHAIN), ("fails.ir", FAILS), ("records.ir", RECORDS), ("sleeps.ir", SLEEPS)];
        Site { place: Place::new(files), started: Vec::new() }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.place.directory.path());
        command.args(arguments).env("WAYMARK_IDLE_SECONDS", "120");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Told {
        told(&mut self.command(arguments))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    fn ensure(&self, database: &str) -> Json {
        self.run(&["bridge", "--ensure", "--json", "--database-url", database]).succeeded().json()
    }

    /// A server in the foreground.
    fn start(&mut self, arguments: &[&str]) -> u32 {
        let log = fs::File::create(self.path("server.log")).expect("a log");
        let mut command = self.command(arguments);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("waymark starts");
        let pid = child.id();
        self.started.push(child);
        pid
    }

    /// A server in the foreground; returns once it is announced.
    pub fn serve(&mut self, arguments: &[&str]) -> Json {
        let pid = self.start(arguments);
        wait_for("a record of the server", || {
            if let Some(child) = self.started.last_mut()
                && let Ok(Some(status)) = child.try_wait()
            {
                panic!("{status}: {}", fs::read_to_string(self.path("server.log")).unwrap_or_default());
            }
            self.records().into_iter().find(|record| record["pid"] == pid)
        })
    }

    /// Ends with the site.
    pub fn keep(&mut self, child: Child) {
        self.started.push(child);
    }

    pub fn stop(&mut self) -> i32 {
        let mut child = self.started.pop().expect("a server");
        signal(child.id(), Signal::TERM);
        let status = wait_for("the end of the server", || child.try_wait().expect("its status"));
        status.code().unwrap_or(-1)
    }

    fn records(&self) -> Vec<Json> {
        let files = fs::read_dir(self.path("home/run")).into_iter().flatten().flatten();
        let records = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "json"));
        records.filter_map(|file| serde_json::from_slice(&fs::read(file.path()).ok()?).ok()).collect()
    }
}

/// Nothing that a test started outlives it.
impl Drop for Site {
    fn drop(&mut self) {
        for record in self.records() {
            if let Some(pid) = record["pid"].as_u64() {
                signal(pid as u32, Signal::KILL);
            }
        }
        for child in &mut self.started {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32).expect("a process id")
}

pub fn signal(number: u32, signal: Signal) {
    let _ = kill_process(pid(number), signal);
}

pub fn is_alive(number: u32) -> bool {
    // One that has ended, and whose parent has not asked yet, is dead.
    let status = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    test_kill_process(pid(number)).is_ok() && !status.contains(") Z ")
}

pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn number(json: &Json) -> u32 {
    json.as_u64().unwrap_or_else(|| panic!("{json} is no number")) as u32
}

#[test]
fn one_token_however_many_ask() {
    let site = Site::new();
    // Nobody answers there, but the token is needed to ask.
    let ask = || site.command(&["bridge", "--ensure", "--bridge-address", "0.0.0.0:1"]);
    let asking: Vec<Child> = (0..20).map(|_| ask().stderr(Stdio::null()).spawn().expect("waymark starts")).collect();
    let mut tokens = BTreeSet::new();
    for mut child in asking {
        wait_for("the end of who asked", || child.try_wait().expect("its status"));
        tokens.insert(fs::read_to_string(site.path("home/token")).expect("the token"));
    }
    assert_eq!(tokens.len(), 1);
    assert!(
        tokens
            .iter()
            .all(|token| token.trim().len() == 64 && token.trim().bytes().all(|byte| byte.is_ascii_hexdigit()))
    );
    let mode = |path: &str| fs::metadata(site.path(path)).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode("home"), mode("home/token")), (0o700, 0o600));
    let names: Vec<_> = fs::read_dir(site.path("home")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "no drafts are left: {names:?}");

    for mode in [0o644, 0o660, 0o602] {
        fs::set_permissions(site.path("home/token"), fs::Permissions::from_mode(mode)).unwrap();
        let refused = told(&mut ask());
        assert!(refused.code == 2 && refused.stderr.contains("hint: delete it"), "{refused}");
        assert!(tokens.iter().all(|token| !refused.stderr.contains(token.trim())), "{refused}");
    }
}

#[test]
fn one_bridge_a_database_however_many_race() {
    let site = Site::new();
    let databases = ["one.db", "./folder/../one.db", "two.db"];
    fs::create_dir(site.path("folder")).unwrap();
    let racers: Vec<(usize, Child)> = (0..20)
        .map(|racer| {
            let database = databases[if racer % 5 == 4 { 2 } else { racer % 2 }];
            let mut command = site.command(&["bridge", "--ensure", "--json", "--database-url", database]);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("waymark starts");
            (usize::from(racer % 5 == 4), child)
        })
        .collect();
    let mut answers = [BTreeSet::new(), BTreeSet::new()];
    for (database, child) in racers {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        answers[database].insert(found.to_string());
    }
    assert!(answers.iter().all(|answers| answers.len() == 1), "{answers:?}");
    let [one, two] = answers.map(|answers| serde_json::from_str::<Json>(&answers.into_iter().next().unwrap()).unwrap());
    for key in ["address", "worker_address", "pid", "fingerprint"] {
        assert_ne!(one[key], two[key], "{key}");
    }
    assert!(is_alive(number(&one["pid"])) && is_alive(number(&two["pid"])));
    assert_eq!(site.records().len(), 2);

    // A second one by hand is told who is there.
    let second = site.run(&["bridge", "--auto-booted", "--database-url", "one.db"]);
    assert_eq!(second.code, 2, "{second}");
    let (address, process) = (one["address"].as_str().unwrap(), format!("process {}", one["pid"]));
    assert!(second.stderr.contains(address) && second.stderr.contains(&process), "{second}");
}

#[test]
fn a_bridge_of_another_database_is_never_used() {
    let mut site = Site::new();
    // Not one of the default ports: another test would take it.
    let arguments = ["bridge", "--ensure", "--json", "--database-url", "one.db", "--bridge-address", "127.0.0.1:0"];
    let first = site.run(&arguments).succeeded().json();
    signal(number(&first["pid"]), Signal::KILL);
    wait_for("its end", || (!is_alive(number(&first["pid"]))).then_some(()));
    let address = first["address"].as_str().unwrap();
    let other = site.serve(&["bridge", "--database-url", "two.db", "--bridge-address", address]);
    assert_eq!(other["address"], first["address"]);
    let again = site.ensure("one.db");
    assert_eq!(again["fingerprint"], first["fingerprint"]);
    assert_ne!(again["address"], first["address"]);
    assert_ne!(again["fingerprint"], other["fingerprint"]);
}

#[test]
fn a_database_that_was_deleted_gets_a_new_bridge() {
    let site = Site::new();
    let first = site.ensure("data/one.db");
    fs::remove_dir_all(site.path("data")).unwrap();
    let second = site.ensure("data/one.db");
    assert_ne!(first["fingerprint"], second["fingerprint"]);
    assert!(site.path("data/one.db").is_file());
    wait_for("the end of the first", || (!is_alive(number(&first["pid"]))).then_some(()));
}

#[test]
fn an_idle_bridge_ends_and_comes_back() {
    let site = Site::new();
    let ensure = || {
        let mut command = site.command(&["bridge", "--ensure", "--json", "--idle-seconds", "1"]);
        told(&mut command).succeeded()
    };
    let first = ensure();
    assert!(first.stderr.contains("no database is set"), "{first}");
    let process = number(&first.json()["pid"]);
    wait_for("the end of an idle bridge", || (!is_alive(process)).then_some(()));
    assert!(site.records().is_empty());
    let second = ensure().json();
    assert_eq!(second["fingerprint"], first.json()["fingerprint"]);
    assert_ne!(number(&second["pid"]), process);
}

#[test]
fn a_bridge_with_sleepers_is_not_idle() {
    let site = Site::new();
    let started = Instant::now();
    site.run(&["run", "sleeps.ir", "--no-wait", "--idle-seconds", "1"]).succeeded();
    let process = number(&site.records()[0]["pid"]);
    wait_for("the end of the bridge", || (!is_alive(process)).then_some(()));
    assert!(started.elapsed() > Duration::from_secs(4), "nobody would have woken the sleeper");
}

#[test]
fn a_bridge_that_does_not_start_says_why() {
    let site = Site::new();
    site.place.write("broken.db", &[b'x'; 4096]);
    let told = site.run(&["bridge", "--ensure", "--database-url", "broken.db"]);
    assert_eq!(told.code, 2, "{told}");
    assert!(told.stderr.contains("the bridge did not start") && told.stderr.contains("broken.db"), "{told}");
    assert!(site.records().is_empty());
}

/// Where it was looked for, and what to do; never the password.
#[test]
fn a_database_that_does_not_answer_is_named() {
    let site = Site::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    drop(taken);
    let url = format!("postgres://ann:secret@127.0.0.1:{port}/shop");
    for arguments in [&["bridge", "--ensure"][..], &["bridge"], &["dev"], &["start-workers"], &["run", "sleeps.ir"]] {
        let told = told(site.command(arguments).env("WAYMARK_DATABASE_URL", &url));
        let place = format!("Postgres at 127.0.0.1:{port}, database shop, user ann");
        assert!(told.code == 2 && told.stderr.contains(&place), "{told}");
        assert!(told.stderr.contains("refused") && told.stderr.contains("hint: start Postgres there"), "{told}");
        assert!(!told.stderr.contains("secret"), "{told}");
    }
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let site = Site::new();
    site.place.write("app.py", b"");
    for arguments in [&["dev", "nothere.py"][..], &["start-workers", "--user-modules", "app.py,shop/nothere.py"]] {
        let told = site.run(arguments);
        assert!(
            told.code == 2 && told.stderr.contains("there is no file `") && told.stderr.contains("hint: "),
            "{told}"
        );
        assert!(told.stderr.contains("nothere.py"), "{told}");
    }
    fs::create_dir(site.path("inside")).unwrap();
    let told = told(site.command(&["dev", "../app.py"]).current_dir(site.path("inside")));
    assert!(
        told.code == 2 && told.stderr.contains("hint: change to its directory first: cd .., then name app.py"),
        "{told}"
    );
}

#[test]
fn addresses_that_can_not_be_had() {
    let site = Site::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for flag in ["--bridge-address", "--worker-address"] {
        let told = site.run(&["bridge", flag, &address]);
        assert!(
            told.code == 2 && told.stderr.contains(&address) && told.stderr.contains("hint: stop what listens"),
            "{told}"
        );
    }
    let told = site.run(&["dev", "--bridge-address", "0.0.0.0:0"]);
    assert!(told.code == 2 && told.stderr.contains("no token is set"), "{told}");
    let told = site.run(&["start-workers", "--worker-address", "[::]:0"]);
    assert!(told.code == 2 && told.stderr.contains("no token is set"), "{told}");
}

/// A worker of the test's own, so that no other language is needed.
pub fn with_workers<'a>(command: &'a str, worker: &'a str) -> Vec<&'a str> {
    vec![command, "--workers", "2", "--worker-command", worker]
}

pub fn worker_command() -> String {
    format!("'{}' test-worker", env!("CARGO_BIN_EXE_waymark"))
}

#[test]
fn a_program_from_end_to_end() {
    let mut site = Site::new();
    let worker = worker_command();
    // A client came first: `dev` takes over from the bridge that it started.
    let earlier = site.ensure(".waymark/waymark.db");
    let record = site.serve(&with_workers("dev", &worker));
    assert_eq!((&record["fingerprint"], &record["auto_booted"]), (&earlier["fingerprint"], &Json::Bool(false)));
    wait_for("the end of the earlier one", || (!is_alive(number(&earlier["pid"]))).then_some(()));

    let told = site.run(&["run", "chain.ir", "--input", r#"{"n": 20}"#]).succeeded();
    assert_eq!(told.json(), serde_json::json!({ "value": 41, "echo": [40, 41] }), "{told}");
    let failed = site.run(&["run", "fails.ir"]);
    assert!(failed.code == 1 && failed.stdout.is_empty() && failed.stderr.contains("ValueError: no luck"), "{failed}");
    let failed = site.run(&["run", "fails.ir", "--json"]);
    assert_eq!((failed.code, &failed.json()["status"]), (1, &Json::from("failed")), "{failed}");
    let wrong = site.run(&["run", "chain.ir", "--input", "{}"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("`n` is missing"), "{wrong}");

    let log = fs::read_to_string(site.path("server.log")).unwrap();
    let token = fs::read_to_string(site.path("home/token")).unwrap();
    assert!(log.contains("no database is set") && log.contains("home/token") && !log.contains(token.trim()), "{log}");
    assert_eq!(site.stop(), 0);
    assert!(site.records().is_empty());
}

#[test]
fn a_second_host_of_workers_serves_the_owner() {
    let mut site = Site::new();
    let owner = site.serve(&["bridge"]);
    let worker = worker_command();
    site.start(&with_workers("start-workers", &worker));
    let told = site.run(&["run", "chain.ir", "--input", r#"{"n": 1}"#]).succeeded();
    assert_eq!(told.json()["value"], 3);
    assert_eq!(site.records(), [owner]);
    assert_eq!(site.stop(), 0);
}

#[test]
fn what_runs_is_finished_before_the_end() {
    let mut site = Site::new();
    let worker = worker_command();
    site.serve(&with_workers("dev", &worker));
    let file = site.path("record.txt");
    let input = serde_json::json!({ "file": file, "seconds": 1 }).to_string();
    let arguments = ["run", "records.ir", "--input", &input, "--id", "one", "--json"];
    site.run(&[&arguments[..], &["--no-wait"]].concat()).succeeded();
    let lines = || fs::read_to_string(&file).unwrap_or_default().lines().map(str::to_string).collect::<Vec<String>>();
    wait_for("the first line", || (!lines().is_empty()).then_some(()));
    assert_eq!(site.stop(), 0);
    // What was done is not done again, and the rest is.
    site.serve(&with_workers("dev", &worker));
    wait_for("the second line", || (lines().len() >= 2).then_some(()));
    let texts: Vec<String> = lines().iter().map(|line| line.rsplit(' ').next().unwrap().to_string()).collect();
    assert_eq!(texts, ["slow", "after"]);
}

#[test]
fn told_to_stop_twice_it_ends_at_once() {
    let mut site = Site::new();
    let worker = worker_command();
    let process = number(&site.serve(&with_workers("dev", &worker))["pid"]);
    let file = site.path("record.txt");
    let input = serde_json::json!({ "file": file, "seconds": 600 }).to_string();
    site.run(&["run", "records.ir", "--input", &input, "--no-wait"]).succeeded();
    wait_for("the first line", || file.is_file().then_some(()));
    signal(process, Signal::TERM);
    let log = site.path("server.log");
    wait_for("the first signal", || fs::read_to_string(&log).unwrap_or_default().contains("stopping").then_some(()));
    assert_eq!(site.stop(), 130);
}

#[test]
fn on_postgres_engines_are_elsewhere() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let url = runtime.block_on(waymark_store::conformance::Cluster::shared().database(false));
    let mut site = Site::new();
    let bridge = site.ensure(&url);
    assert_eq!(bridge["worker_address"], Json::Null);
    // The same database, whatever it is called.
    assert_eq!(site.ensure(&format!("{url}?application_name=other")), bridge);
    let worker = worker_command();
    // Two on one host: each has a name and a port of its own.
    for _ in 0..2 {
        site.start(&[&with_workers("start-workers", &worker)[..], &["--database-url", &url]].concat());
    }
    let told = site.run(&["run", "chain.ir", "--input", r#"{"n": 2}"#, "--database-url", &url]).succeeded();
    assert_eq!(told.json()["value"], 5, "{told}");
    assert_eq!((site.stop(), site.stop()), (0, 0));
    let taken = site.run(&["bridge", "--auto-booted", "--database-url", &url]);
    assert!(taken.code == 2 && taken.stderr.contains(bridge["address"].as_str().unwrap()), "{taken}");
}

#[test]
fn an_address_that_was_set_is_used_or_refused() {
    let mut site = Site::new();
    let bridge = site.serve(&["bridge", "--bridge-address", "127.0.0.1:0"]);
    let address = bridge["address"].as_str().unwrap();
    let ensure = |more: &[&str]| site.run(&[&["bridge", "--ensure"], more].concat());
    assert_eq!(ensure(&["--bridge-address", address]).succeeded().stdout, format!("{address}\n"));
    // Without one, the same is found.
    assert_eq!(ensure(&[]).succeeded().stdout, format!("{address}\n"));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let elsewhere = ensure(&["--bridge-address", &free]);
    assert!(elsewhere.code == 2 && elsewhere.stderr.contains(address), "{elsewhere}");
    let stranger = ensure(&["--bridge-address", address, "--token", "a-token-of-somebody-else"]);
    assert!(stranger.code == 2 && stranger.stderr.contains("does not accept the token"), "{stranger}");
    let second = site.run(&["dev", "--workers", "0"]);
    assert!(second.code == 2 && second.stderr.contains(address), "{second}");
    assert_eq!(site.records().len(), 1);
}

#[test]
fn a_worker_that_can_not_be_started_is_told_and_survived() {
    let mut site = Site::new();
    site.serve(&["dev", "--worker-command", "no-such-program --x"]);
    let told = site.run(&["run", "fails.ir"]);
    assert!(told.code == 1 && told.stderr.contains("no luck"), "{told}");
    let log = fs::read_to_string(site.path("server.log")).unwrap();
    assert!(log.contains("no-such-program") && log.contains("hint: set worker_command"), "{log}");
    assert_eq!(site.stop(), 0);
}

/// The instance is in the database: whoever waits for it finds the next bridge, or starts one.
#[test]
fn a_run_outlives_its_bridge() {
    let site = Site::new();
    for how in [Signal::KILL, Signal::TERM] {
        let log = site.path("run.log");
        let mut command = site.command(&["run", "sleeps.ir", "--json"]);
        let output = fs::File::create(site.path("run.json")).expect("a file");
        let errors = fs::File::create(&log).expect("a log");
        let mut running = command.stdin(Stdio::null()).stdout(output).stderr(errors).spawn().expect("waymark starts");
        let said = || fs::read_to_string(&log).unwrap_or_default();
        wait_for("the run to wait", || said().contains("waits for sleep").then_some(()));
        let first = site.records()[0]["pid"].as_u64().expect("its process id") as u32;
        signal(first, how);
        let status = wait_for("the end of the run", || running.try_wait().expect("its status"));
        assert!(status.success(), "{status}: {}", said());
        let told: Json = serde_json::from_slice(&fs::read(site.path("run.json")).expect("its output")).expect("JSON");
        assert_eq!(told["status"], "completed");
        assert!(said().contains("goes on, but its bridge does not answer"), "{}", said());
    }
}
