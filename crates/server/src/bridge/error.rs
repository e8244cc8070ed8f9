//! What went wrong, as a caller sees it: a code to act on and a text that says what to do. Details of the database stay in the log.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tonic::Status;
use uuid::Uuid;
use waymark_store::Error;

/// The message travels in a header, escaped, and clients limit headers to 8 KiB.
const MESSAGE_BYTES_MAX: usize = 6 << 10;

const BACKOFF: (Duration, Duration) = (Duration::from_millis(25), Duration::from_secs(1));

/// Repeats a call of an idempotent method for as long as the store is away, until the deadline.
pub(super) async fn patiently<T, F>(deadline: Instant, mut call: impl FnMut() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let (mut backoff, longest) = BACKOFF;
    loop {
        match call().await {
            Err(error) if error.is_transient() && Instant::now() + backoff < deadline => {
                tracing::debug!(%error, "the store is asked again");
                tokio::time::sleep(backoff).await;
                backoff = (backoff * 2).min(longest);
            }
            answer => return answer,
        }
    }
}

pub(super) fn from_store(error: Error) -> Status {
    match error {
        Error::Unavailable { .. } => {
            tracing::warn!(%error, "a call was refused");
            Status::unavailable(
                "the database is not available, and nothing was written\nhint: try again later; the log of the server says more",
            )
        }
        Error::Unusable { .. } => {
            tracing::error!(%error, "a call was refused");
            Status::unavailable(
                "the database can't be used as it is, and nothing was written\nhint: the log of the server says what is wrong with it",
            )
        }
        Error::OutcomeUnknown { .. } => {
            tracing::warn!(%error, "the outcome of a call is not known");
            Status::unavailable(
                "the database went away in the middle, so this may have happened or not\n\
                 hint: repeat the call; a start that brings its own instance_id starts nothing twice",
            )
        }
        Error::Refused { reason } => invalid(reason),
        Error::VersionConflict { .. } => Status::already_exists(format!(
            "{error}\nhint: versions never change; give the changed program another version, or none, to have it named by its hash"
        )),
        Error::Corrupt { .. } => {
            tracing::error!(%error, "a call has failed");
            Status::data_loss(
                "the database is damaged, or was changed by somebody else\nhint: the log of the server says where",
            )
        }
        Error::NewerSchema { .. } | Error::InUse { .. } => Status::failed_precondition(error.to_string()),
    }
}

pub(super) fn invalid(message: impl Into<String>) -> Status {
    Status::invalid_argument(fitting(message.into()))
}

pub(super) fn not_found(instance_id: Uuid) -> Status {
    Status::not_found(format!("there is no instance {instance_id}\nhint: finished instances are deleted after a while"))
}

pub(super) fn stopping() -> Status {
    Status::unavailable("the bridge is shutting down\nhint: connect again; another one takes over, or a new one starts")
}

/// As many lines as a message can carry, and how many were left out.
pub(super) fn lines(head: &str, lines: &[impl Display]) -> String {
    let mut text = head.to_string();
    for (at, line) in lines.iter().enumerate() {
        let line = format!("\n{line}");
        if escaped(&text) + escaped(&line) + 32 > MESSAGE_BYTES_MAX {
            text.push_str(&format!("\n… and {} more", lines.len() - at));
            break;
        }
        text.push_str(&line);
    }
    text
}

/// A message that is too long for a header would lose the whole answer.
fn fitting(mut message: String) -> String {
    if escaped(&message) <= MESSAGE_BYTES_MAX {
        return message;
    }
    let mut bytes = 0;
    let end = message.char_indices().find(|(_, letter)| {
        bytes += escaped(letter.encode_utf8(&mut [0; 4]));
        bytes + 16 > MESSAGE_BYTES_MAX
    });
    message.truncate(end.map_or(message.len(), |(at, _)| at));
    message.push('…');
    message
}

/// Its length in a header.
fn escaped(text: &str) -> usize {
    text.bytes().map(|byte| if matches!(byte, b' '..=b'~') && byte != b'%' { 1 } else { 3 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fit_a_header() {
        for text in ["short", &"x".repeat(100_000), &"ü%\n".repeat(50_000)] {
            let status = invalid(text);
            assert!(escaped(status.message()) <= MESSAGE_BYTES_MAX);
            assert_eq!(status.message().ends_with('…'), text.len() > 10);
        }
        let problems: Vec<String> = (0..1000).map(|number| format!("problem {number}")).collect();
        let text = lines("head", &problems);
        assert!(escaped(&text) <= MESSAGE_BYTES_MAX && text.starts_with("head\nproblem 0\nproblem 1\n"));
        let shown = text.lines().count() - 2;
        assert!(text.ends_with(&format!("\n… and {} more", 1000 - shown)), "{text}");
    }
}
