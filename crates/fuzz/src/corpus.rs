//! `corpus/TARGET/*`: inputs to begin with. Files named `seed-*` are made by the targets themselves, the others were found.

use std::path::PathBuf;

use crate::Target;

/// Of all inputs of a target that are made.
const SEEDS_MAX: usize = 40;

pub fn directory(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// By name, so that a seed of a run means the same everywhere.
pub fn read(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = directory(target);
    let listed = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<(String, Vec<u8>)> = listed
        .map(|entry| entry.expect("a file of the corpus").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a file of the corpus"))
        })
        .collect();
    inputs.sort();
    inputs
}

/// Writes the seeds of a target anew.
pub fn write(target: &Target) -> std::io::Result<usize> {
    let folder = directory(target.name);
    std::fs::create_dir_all(&folder)?;
    for (name, _) in read(target.name).iter().filter(|(name, _)| name.starts_with("seed-")) {
        std::fs::remove_file(folder.join(name))?;
    }
    let mut seeds = (target.seeds)();
    seeds.sort_by_key(Vec::len);
    seeds.dedup();
    seeds.truncate(SEEDS_MAX);
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:02}")), seed)?;
    }
    Ok(seeds.len())
}
