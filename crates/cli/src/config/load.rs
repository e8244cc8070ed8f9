//! Reads flags, variables and the file; complains about everything that is wrong with them at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use waymark_ir::verify::nearest;

use super::value::{self, Database, ITEM};
use super::{Configuration, Flags, KEYS, Key, Origin, Values};
use crate::source::read_text;
use crate::terminal::{self, hinted};

const FILE_NAME: &str = "waymark.toml";
const DATABASE_DEFAULT: &str = ".waymark/waymark.db";

/// Variables of ours that are no keys: who reads them is in `docs/configuration.md`.
pub const OTHER_VARIABLES: [&str; 9] = [
    "WAYMARK_BINARY",
    "WAYMARK_CONFIG",
    "WAYMARK_HOME",
    "WAYMARK_LOG_FORMAT",
    "WAYMARK_TEST_CLOCK_OFFSET_MS",
    "WAYMARK_WORKER_ID",
    "WAYMARK_WORKER_QUEUES",
    "WAYMARK_WORKER_SLOTS",
    "WAYMARK_WORKER_TOKEN",
];

/// Where to look for values: given, so that tests need no process of their own.
pub struct Surroundings {
    pub directory: PathBuf,
    pub variables: BTreeMap<String, String>,
}

impl Surroundings {
    pub fn of_this_process() -> anyhow::Result<Surroundings> {
        let directory = std::env::current_dir().map_err(|error| {
            hinted(format!("the current directory can't be read: {error}"), "change to one that exists")
        })?;
        let readable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Ok(Surroundings { directory, variables: std::env::vars_os().filter_map(readable).collect() })
    }

    /// One that is empty is not set.
    fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

impl Configuration {
    pub fn load(flags: &Flags) -> anyhow::Result<Configuration> {
        let (configuration, warnings) = read(flags, &Surroundings::of_this_process()?)?;
        for warning in warnings {
            terminal::warn(warning);
        }
        Ok(configuration)
    }
}

pub fn read(flags: &Flags, surroundings: &Surroundings) -> anyhow::Result<(Configuration, Vec<String>)> {
    let file = find_file(flags, surroundings)?;
    let in_file = match &file {
        Some(path) => read_file(path)?,
        None => BTreeMap::new(),
    };
    let mut values = Values::default();
    let mut origins = Vec::new();
    let mut problems = Vec::new();
    let mut flagged = Vec::new();
    for (position, key) in KEYS.iter().enumerate() {
        let flag = flags.given.get(position).cloned().flatten().map(|text| (text, Origin::Flag(key.flag())));
        let here = || in_file.get(key.name).zip(file.as_ref());
        let found = flag
            .or_else(|| from_variable(key, surroundings))
            .or_else(|| here().map(|(text, path)| (text.clone(), Origin::File(path.clone()))));
        let (text, origin) = found.unwrap_or_else(|| (key.default.to_string(), Origin::Default));
        if let Origin::Flag(_) = origin {
            flagged.push((key.variable(), text.clone()));
        }
        if let Err(allowed) = (key.set)(&mut values, &text) {
            problems.push(format!("`{}` is {} (from {origin}); allowed: {allowed}", key.name, shown(key, &text)));
        }
        origins.push(origin);
    }
    let folder = file.as_deref().and_then(Path::parent).unwrap_or(&surroundings.directory).to_path_buf();
    let base = |name: &str| match KEYS.iter().position(|key| key.name == name).map(|position| &origins[position]) {
        Some(Origin::File(_) | Origin::Default) => folder.clone(),
        _ => surroundings.directory.clone(),
    };
    let files = [
        ("tls_certificate", &mut values.tls_certificate),
        ("tls_key", &mut values.tls_key),
        ("tls_ca", &mut values.tls_ca),
    ];
    for (name, path) in files {
        if let Some(path) = path {
            *path = base(name).join(&*path);
        }
    }
    let named = values.database_url.clone().map(|database| database.within(&base("database_url")));
    let database = named.clone().unwrap_or_else(|| Database::Sqlite(folder.join(DATABASE_DEFAULT)));
    values.database_url = named;
    if problems.is_empty() {
        problems.extend(contradictions(&values));
    }
    if !problems.is_empty() {
        let hint = "`waymark config` shows every value and where it comes from; docs/configuration.md lists them";
        return Err(hinted(problems.join("\n       "), hint));
    }
    Ok((Configuration { values, database, file, flagged, origins }, unknown_variables(surroundings)))
}

fn from_variable(key: &Key, surroundings: &Surroundings) -> Option<(String, Origin)> {
    let name = key.variable();
    // A worker's surroundings have its pool's address under this name: it is where to connect, not where to listen.
    if key.name == "worker_address" && surroundings.variable("WAYMARK_WORKER_ID").is_some() {
        return None;
    }
    let own = surroundings.variable(&name).map(|text| (text.to_string(), Origin::Variable(name)));
    let shared = || {
        let text = surroundings.variable("DATABASE_URL").filter(|_| key.name == "database_url")?;
        Some((text.to_string(), Origin::Variable("DATABASE_URL".into())))
    };
    own.or_else(shared)
}

/// What each value alone can't know.
fn contradictions(values: &Values) -> Vec<String> {
    let mut problems = Vec::new();
    let (heartbeat, lease) = (values.heartbeat_seconds.as_secs_f64(), values.lease_seconds.as_secs_f64());
    if heartbeat * 2.0 >= lease {
        problems.push(format!(
            "`heartbeat_seconds` is `{heartbeat}` and `lease_seconds` is `{lease}`; allowed: a heartbeat under half of the lease, so \
             that one that is late loses nothing"
        ));
    }
    if values.tls_certificate.is_some() != values.tls_key.is_some() {
        problems.push("`tls_certificate` and `tls_key` are set together, or neither is".into());
    }
    problems
}

fn find_file(flags: &Flags, surroundings: &Surroundings) -> anyhow::Result<Option<PathBuf>> {
    let named = flags.file.clone().or_else(|| surroundings.variable("WAYMARK_CONFIG").map(PathBuf::from));
    match named {
        Some(path) => Ok(Some(surroundings.directory.join(path))),
        None => {
            let candidates = surroundings.directory.ancestors().map(|folder| folder.join(FILE_NAME));
            Ok(candidates.into_iter().find(|path| path.is_file()))
        }
    }
}

/// Every key of the file as a text, as if it had been a flag.
fn read_file(path: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text = read_text(path)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        hinted(
            format!("`{}` can't be read: {}", path.display(), error.to_string().trim_end()),
            "write `key = value` lines",
        )
    })?;
    let mut problems = Vec::new();
    let mut found = BTreeMap::new();
    for (name, value) in table {
        if KEYS.iter().all(|key| key.name != name) {
            let near = nearest(&name, KEYS.iter().map(|key| key.name));
            let help = near.map_or("docs/configuration.md lists them".into(), |near| format!("did you mean `{near}`?"));
            problems.push(format!("`{}` has no key `{name}`: {help}", path.display()));
            continue;
        }
        match as_text(&value) {
            Some(text) => drop(found.insert(name, text)),
            None => {
                problems.push(format!("`{name}` in `{}` must be a text, a number or a list of texts", path.display()))
            }
        }
    }
    match problems.is_empty() {
        true => Ok(found),
        false => Err(anyhow::anyhow!(problems.join("\n       "))),
    }
}

fn as_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Array(items) => {
            items.iter().map(|item| Some(format!("{ITEM}{}", item.as_str()?))).collect::<Option<String>>()
        }
        _ => None,
    }
}

/// A slip in a variable's name would else show only as a default.
fn unknown_variables(surroundings: &Surroundings) -> Vec<String> {
    let known: Vec<String> =
        KEYS.iter().map(Key::variable).chain(OTHER_VARIABLES.iter().map(|name| name.to_string())).collect();
    let unknown = surroundings.variables.keys().filter(|name| name.starts_with("WAYMARK_") && !known.contains(name));
    let told = unknown.map(|name| match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("the variable {name} means nothing: did you mean {near}?"),
        None => format!("the variable {name} means nothing"),
    });
    told.collect()
}

/// A wrong value, as far as it may be seen.
fn shown(key: &Key, text: &str) -> String {
    match key.name {
        "token" => "not usable".into(),
        "database_url" => format!("`{}`", value::redacted(text)),
        _ => format!("`{}`", text.trim_start_matches(ITEM).replace(ITEM, ", ")),
    }
}
