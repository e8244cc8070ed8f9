//! What workers print, line by line, in our log.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tracing::Level;

/// What a worker prints beyond this in one line is left out.
const LINE_BYTES_MAX: usize = 8 << 10;

/// So far into a line its level is looked for: behind a time, a process and a name of a few words.
const LEVEL_WORDS: usize = 6;

/// What a worker prints goes to our log.
pub(super) async fn pass_on(pipe: impl AsyncRead + Unpin, worker: String, stream: &'static str) {
    let mut reader = BufReader::with_capacity(LINE_BYTES_MAX, pipe);
    let mut line = Vec::new();
    while let Ok(read) = reader.fill_buf().await {
        if read.is_empty() {
            break;
        }
        let end = read.iter().position(|byte| *byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        line.extend_from_slice(&part[..part.len().min(LINE_BYTES_MAX - line.len())]);
        let used = end.map_or(read.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            log_line(&worker, stream, &String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    if !line.is_empty() {
        log_line(&worker, stream, &String::from_utf8_lossy(&line));
    }
}

fn log_line(worker: &str, stream: &'static str, line: &str) {
    match level(stream, line) {
        Level::ERROR => tracing::error!(worker, stream, "{line}"),
        Level::WARN => tracing::warn!(worker, stream, "{line}"),
        Level::INFO => tracing::info!(worker, stream, "{line}"),
        _ => tracing::debug!(worker, stream, "{line}"),
    }
}

/// As loud as the line says it is: loggers write their level among its first words. What else is on stderr may be trouble.
fn level(stream: &str, line: &str) -> Level {
    let words = line.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let said = words.take(LEVEL_WORDS).find_map(|word| match word {
        "CRITICAL" | "FATAL" | "ERROR" => Some(Level::ERROR),
        "WARNING" | "WARN" => Some(Level::WARN),
        "INFO" => Some(Level::INFO),
        "DEBUG" | "TRACE" => Some(Level::DEBUG),
        _ => None,
    });
    said.unwrap_or(if stream == "stderr" { Level::WARN } else { Level::INFO })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_loud_as_they_say() {
        for (line, expected) in [
            ("INFO app.mail: sent to 3 [0-1 attempt 1]", Level::INFO),
            ("2026-01-02 03:04:05,678 - app.mail - DEBUG - connected", Level::DEBUG),
            ("[2026-01-02T03:04:05Z] [CRITICAL] the disk is full", Level::ERROR),
            ("WARNING:root:late", Level::WARN),
            ("{\"level\": \"ERROR\", \"message\": \"no\"}", Level::ERROR),
            ("Traceback (most recent call last):", Level::WARN),
            ("an info about an error that is none, far behind INFO", Level::WARN),
            ("", Level::WARN),
        ] {
            assert_eq!(level("stderr", line), expected, "{line}");
        }
        assert_eq!(level("stdout", "hello"), Level::INFO);
        assert_eq!(level("stdout", "ERROR hello"), Level::ERROR);
    }
}
