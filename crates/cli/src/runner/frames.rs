//! Frames on a pipe: 4 bytes of length, big-endian, then the message.

use std::io::{Read, Write};

use prost::Message;
use waymark_proto::FRAME_BYTES_MAX;

/// The next frame; none: the other side has ended.
pub fn read(from: &mut impl Read) -> anyhow::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let mut have = 0;
    while have < length.len() {
        match from.read(&mut length[have..])? {
            0 if have == 0 => return Ok(None),
            0 => anyhow::bail!("stdin ended in the middle of a frame"),
            more => have += more,
        }
    }
    let length = u32::from_be_bytes(length) as usize;
    // What follows could not be told from a frame any more.
    anyhow::ensure!(
        length <= FRAME_BYTES_MAX,
        "a frame of {length} bytes is too large: {FRAME_BYTES_MAX} is the limit"
    );
    let mut frame = Vec::new();
    from.take(length as u64).read_to_end(&mut frame)?;
    anyhow::ensure!(frame.len() == length, "stdin ended in the middle of a frame");
    Ok(Some(frame))
}

pub fn write(to: &mut impl Write, message: &impl Message) -> std::io::Result<()> {
    let bytes = message.encode_to_vec();
    let length = u32::try_from(bytes.len()).map_err(|_| std::io::Error::other("an answer beyond 4 GiB"))?;
    to.write_all(&length.to_be_bytes())?;
    to.write_all(&bytes)
}
