//! `make fuzz-corpus`: writes the seeds of the targets named, or of all.

use waymark_fuzz::corpus;
use waymark_fuzz::targets::TARGETS;

fn main() -> std::io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for target in TARGETS.iter().filter(|target| wanted.is_empty() || wanted.iter().any(|name| name == target.name)) {
        println!("{}: {} seeds", target.name, corpus::write(target)?);
    }
    Ok(())
}
