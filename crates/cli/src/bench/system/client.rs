//! A client in Python: told what to run, a line of JSON each, and it answers with one.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value as Json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::server::{program, tail};
use crate::python;

/// The longest workload is far shorter.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

pub struct Client {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    log: PathBuf,
}

impl Client {
    pub fn start(place: &Path, url: &str) -> anyhow::Result<Client> {
        let log = place.join("client.log");
        let mut command = Command::from(program(python::interpreter(), place, url));
        let mut child = command
            .args(["-m", "waymark.bench"])
            // It finds the bridge by asking this very program.
            .env("WAYMARK_BINARY", std::env::current_exe()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).context("the client's log")?)
            .kill_on_drop(true)
            .spawn()
            .with_context(python::not_found)?;
        let input = child.stdin.take().context("the client's input")?;
        let output = BufReader::new(child.stdout.take().context("the client's output")?).lines();
        Ok(Client { child, input, output, log })
    }

    pub fn process_id(&self) -> Option<u32> {
        self.child.id()
    }

    /// What it answers to one request; what it says went wrong is an error.
    pub async fn ask(&mut self, request: Json) -> anyhow::Result<Json> {
        self.input.write_all(format!("{request}\n").as_bytes()).await.with_context(|| self.ended())?;
        self.input.flush().await.with_context(|| self.ended())?;
        let line = match tokio::time::timeout(PATIENCE, self.output.next_line()).await {
            Err(_) => bail!("the client has not answered {request} in {} minutes", PATIENCE.as_secs() / 60),
            Ok(line) => line?.with_context(|| self.ended())?,
        };
        let answer: Json = serde_json::from_str(&line).with_context(|| format!("the client said {line:?}"))?;
        match answer["error"].as_str() {
            Some(error) => bail!("{request}: {error}"),
            None => Ok(answer),
        }
    }

    fn ended(&self) -> String {
        format!("the client has ended:\n{}", tail(&self.log))
    }
}
