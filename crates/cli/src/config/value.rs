//! Kinds of values: how each is read from a text, what is allowed, and how it is shown. Errors say only what is allowed: whoever
//! reads a value knows its name and where it came from.

use std::fmt::Display;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value as Json, json};
use waymark_worker::connect;

type Parsed<T> = Result<T, String>;

/// Comes before each item of what was a list already, so that items may have commas and spaces in them.
pub const ITEM: char = '\u{1f}';

/// Where instances are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// Relative to whoever named it, until [`Database::within`].
    Sqlite(PathBuf),
    Postgres(String),
}

impl Database {
    /// A relative path is one in this folder.
    pub fn within(self, folder: &Path) -> Database {
        match self {
            Database::Sqlite(path) => Database::Sqlite(folder.join(path)),
            postgres => postgres,
        }
    }

    /// What [`waymark_store::open`] takes.
    pub fn url(&self) -> String {
        match self {
            Database::Sqlite(path) => format!("sqlite:{}", path.display()),
            Database::Postgres(url) => url.clone(),
        }
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self, Database::Sqlite(_))
    }
}

/// Without its password.
impl Display for Database {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Database::Sqlite(path) => write!(out, "sqlite:{}", path.display()),
            Database::Postgres(url) => out.write_str(&redacted(url)),
        }
    }
}

/// A secret: it has no `Display`, and its `Debug` says nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    pub fn parse(text: &str) -> Result<Token, String> {
        token(text)
    }

    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Token(…)")
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Milliseconds(pub u64);

impl Milliseconds {
    pub fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Days(f64);

impl Days {
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0 * 86_400.0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogLevel(Option<tracing::Level>);

impl LogLevel {
    pub fn level(self) -> tracing::Level {
        self.0.unwrap_or(tracing::Level::INFO)
    }
}

pub fn optional<T>(text: &str, parse: impl Fn(&str) -> Parsed<T>) -> Parsed<Option<T>> {
    if text.is_empty() { Ok(None) } else { parse(text).map(Some) }
}

pub fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Parsed<T> {
    match text.replace('_', "").parse::<T>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("a whole number from {least} to {most}")),
    }
}

pub fn seconds(text: &str, least: f64, most: f64) -> Parsed<Duration> {
    match text.strip_suffix('s').unwrap_or(text).parse::<f64>() {
        Ok(seconds) if seconds >= least && seconds <= most => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("seconds from {least} to {most}")),
    }
}

pub fn days(text: &str, most: f64) -> Parsed<Days> {
    match text.strip_suffix('d').unwrap_or(text).parse::<f64>() {
        Ok(days) if days > 0.0 && days <= most => Ok(Days(days)),
        _ => Err(format!("days, more than 0 and at most {most}")),
    }
}

pub fn bytes(text: &str, least: usize, most: usize) -> Parsed<usize> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
    let unit = units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)));
    let (digits, size) = unit.unwrap_or((text, 1usize));
    let read = digits.trim().replace('_', "").parse::<usize>().ok().and_then(|number| number.checked_mul(size));
    match read {
        Some(read) if read >= least && read <= most => Ok(read),
        _ => Err(format!("bytes from {least} to {most}, or with a unit: `512KiB`, `4MiB`")),
    }
}

/// `host:port`, and the scheme if there is one; what it resolves to is asked when it is used.
pub fn address(text: &str) -> Parsed<String> {
    match connect::split(text).1.rsplit_once(':') {
        Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok() => Ok(text.trim_end_matches('/').into()),
        _ => Err("`HOST:PORT`, e.g. `127.0.0.1:24117`, `[::1]:24117` or `https://bridge.internal:24117`".into()),
    }
}

/// As a certificate has it: a name, or an IP address without brackets.
pub fn host_name(text: &str) -> Parsed<String> {
    match is_host(text) && !text.starts_with('[') || text.parse::<IpAddr>().is_ok() {
        true => Ok(text.to_string()),
        false => Err("a name, e.g. `bridge.internal`, or an IP address".into()),
    }
}

fn is_host(host: &str) -> bool {
    let is_ipv6 = host.starts_with('[') && host.ends_with(']');
    let is_name = !host.is_empty() && host.chars().all(|each| each.is_ascii_alphanumeric() || "-._".contains(each));
    is_ipv6 || is_name
}

/// Short ones can be guessed; others than visible ASCII can't travel in a header.
pub fn token(text: &str) -> Parsed<Token> {
    match text.len() >= 16 && text.len() <= 1_024 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(Token(text.to_string())),
        false => Err("16 to 1024 visible ASCII characters without spaces".into()),
    }
}

pub fn list(text: &str) -> Parsed<Vec<String>> {
    let separator = if text.starts_with(ITEM) { ITEM } else { ',' };
    Ok(text.split(separator).map(str::trim).filter(|each| !each.is_empty()).map(str::to_string).collect())
}

/// Words as a shell would split them: spaces separate, quotes keep together.
pub fn command(text: &str) -> Parsed<Vec<String>> {
    if let Some(items) = text.strip_prefix(ITEM) {
        return Ok(items.split(ITEM).map(str::to_string).collect());
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(each) = rest.next() {
        match (quote, each) {
            (Some(open), _) if each == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(each);
                word.get_or_insert_default();
            }
            (None, _) if each.is_whitespace() => words.extend(word.take()),
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(rest.next()),
            _ => word.get_or_insert_default().push(each),
        }
    }
    if quote.is_some() {
        return Err("a command whose quotes are closed".into());
    }
    words.extend(word);
    Ok(words)
}

pub fn log_level(text: &str) -> Parsed<LogLevel> {
    let allowed = ["error", "warn", "info", "debug", "trace"];
    match allowed.contains(&text) {
        true => text.parse().map(|level| LogLevel(Some(level))).map_err(|_| allowed.join(", ")),
        false => Err("`error`, `warn`, `info`, `debug` or `trace`".into()),
    }
}

pub fn name(text: &str) -> Parsed<String> {
    match text.len() <= 200 && text.chars().all(|each| !each.is_control()) {
        true => Ok(text.to_string()),
        false => Err("at most 200 bytes without control characters".into()),
    }
}

pub fn path(text: &str) -> Parsed<PathBuf> {
    Ok(PathBuf::from(text))
}

/// `postgresql+asyncpg://…` is what the same database is called elsewhere.
pub fn database(text: &str) -> Parsed<Database> {
    let allowed = || "`postgres://USER@HOST/DATABASE`, `sqlite:PATH` or the path of a SQLite file".to_string();
    if let Some((scheme, rest)) = text.split_once("://") {
        match scheme.split('+').next() {
            Some("postgres" | "postgresql") if !rest.is_empty() => {
                return Ok(Database::Postgres(format!("postgres://{rest}")));
            }
            Some("sqlite") => {}
            _ => return Err(allowed()),
        }
    }
    let path = match text.split_once(':') {
        Some((scheme, rest)) if scheme.split('+').next() == Some("sqlite") => rest.strip_prefix("//").unwrap_or(rest),
        _ => text,
    };
    let is_key_value = ["host=", "dbname=", "user="].iter().any(|start| path.starts_with(start));
    match path.is_empty() || path == ":memory:" || path.ends_with('/') || is_key_value {
        true => Err(allowed()),
        false => Ok(Database::Sqlite(PathBuf::from(path))),
    }
}

/// A URL without its passwords: in front of the host, and among the parameters.
pub fn redacted(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return if url.contains("password") { "***".into() } else { url.into() };
    };
    let (rest, parameters) = match rest.rsplit_once('?') {
        Some((rest, parameters)) => (rest, Some(parameters)),
        None => (rest, None),
    };
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{user}:***@{host}"),
            None => rest.to_string(),
        },
        None => rest.to_string(),
    };
    let hide = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if name.contains("password") => format!("{name}=***"),
        _ => parameter.to_string(),
    };
    let parameters: Vec<String> = parameters.iter().flat_map(|all| all.split('&')).map(hide).collect();
    let mark = if parameters.is_empty() { "" } else { "?" };
    format!("{scheme}://{rest}{mark}{}", parameters.join("&"))
}

/// How a field is shown by `waymark config`.
pub trait Setting {
    fn shown(&self) -> Json;
}

impl<T: Setting> Setting for Option<T> {
    fn shown(&self) -> Json {
        self.as_ref().map_or(Json::Null, Setting::shown)
    }
}

macro_rules! shown_as {
    ($($type:ty: $value:ident => $json:expr;)+) => {
        $(impl Setting for $type {
            fn shown(&self) -> Json {
                let $value = self;
                $json
            }
        })+
    };
}

shown_as! {
    usize: value => json!(value);
    u32: value => json!(value);
    u64: value => json!(value);
    Duration: value => whole_or_not(value.as_secs_f64());
    Milliseconds: value => json!(value.0);
    Days: value => whole_or_not(value.0);
    String: value => json!(value);
    Vec<String>: value => json!(value);
    PathBuf: value => json!(value.display().to_string());
    Database: value => json!(value.to_string());
    Token: _value => json!("***");
    LogLevel: value => json!(value.level().as_str().to_ascii_lowercase());
}

fn whole_or_not(number: f64) -> Json {
    if number.fract() == 0.0 { json!(number as u64) } else { json!(number) }
}
