//! The log of a bridge that a client started is a file, and nobody looks after it: it keeps the newest lines, and does not grow.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;

/// Its largest size…
const BYTES_MAX: u64 = 8 << 20;
/// …and what is kept of one that would be larger.
const BYTES_KEPT: u64 = 4 << 20;

/// Opened for reading and for appending: whatever else the process prints goes there too.
pub struct LogFile {
    file: File,
    bytes_max: u64,
    bytes_kept: u64,
}

impl LogFile {
    /// What stderr is.
    pub fn of_stderr() -> io::Result<LogFile> {
        let file = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        Ok(LogFile { file, bytes_max: BYTES_MAX, bytes_kept: BYTES_KEPT })
    }

    /// Whole lines, from the end.
    fn shorten(&mut self, size: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(size.saturating_sub(self.bytes_kept)))?;
        let mut kept = Vec::new();
        (&self.file).take(self.bytes_kept).read_to_end(&mut kept)?;
        let first = kept.iter().position(|byte| *byte == b'\n').map_or(kept.len(), |at| at + 1);
        self.file.set_len(0)?;
        self.file.write_all(b"(older lines were left out)\n")?;
        self.file.write_all(&kept[first..])
    }
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let size = self.file.metadata()?.len();
        if size > self.bytes_max {
            self.shorten(size)?;
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let file = File::options().read(true).append(true).create(true).open(&path).unwrap();
        let mut log = LogFile { file, bytes_max: 2_000, bytes_kept: 1_000 };
        for number in 0..1_000 {
            writeln!(log, "line {number}").unwrap();
            assert!(std::fs::metadata(&path).unwrap().len() < 2_100);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("(older lines were left out)"));
        let numbers: Vec<u32> = lines.map(|line| line.strip_prefix("line ").unwrap().parse().unwrap()).collect();
        assert!(numbers.len() > 50 && numbers.is_sorted() && numbers.last() == Some(&999), "{text}");
        assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{text}");
    }
}
