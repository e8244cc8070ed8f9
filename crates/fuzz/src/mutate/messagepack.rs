//! MessagePack as a tree, also where it can't be one.

use fastrand::Rng;

use super::{DEPTH_MAX, claimed, edge};

#[derive(Clone, Debug)]
enum Node {
    /// Nil, booleans, numbers: as they are written.
    Plain(Vec<u8>),
    Str(Vec<u8>),
    Bin(Vec<u8>),
    /// Bytes that are MessagePack themselves: payloads in states.
    BinOf(Box<Node>),
    Array(Vec<Node>),
    Map(Vec<Node>),
    Ext(u8, Vec<u8>),
    ExtOf(u8, Box<Node>),
    /// What stands after a wrong length.
    Lying(Box<Node>, u64),
}

/// Kinds of extensions that payloads have, and some that they have not.
const EXTENSION_MAX: u8 = 18;

pub fn mutate(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Some(mut tree) = read_whole(bytes) else { return super::bytes::mutate(bytes.to_vec(), other, rng) };
    let donor = read_whole(other);
    let count = count(&tree);
    let mut at = rng.usize(..count);
    change(&mut tree, &mut at, donor.as_ref(), rng);
    let mut out = Vec::with_capacity(bytes.len() + 16);
    write(&tree, &mut out);
    out
}

fn read_whole(bytes: &[u8]) -> Option<Node> {
    let mut rest = bytes;
    let node = read(&mut rest, 0)?;
    rest.is_empty().then_some(node)
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(head)
}

fn number(rest: &mut &[u8], bytes: usize) -> Option<usize> {
    Some(take(rest, bytes)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn read(rest: &mut &[u8], depth: usize) -> Option<Node> {
    let whole = *rest;
    let marker = *take(rest, 1)?.first()?;
    let plain = |rest: &mut &[u8], more: usize| {
        take(rest, more)?;
        Some(Node::Plain(whole[..=more].to_vec()))
    };
    match marker {
        0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => plain(rest, 0),
        0xca => plain(rest, 4),
        0xcb => plain(rest, 8),
        0xcc..=0xcf => plain(rest, 1 << (marker - 0xcc)),
        0xd0..=0xd3 => plain(rest, 1 << (marker - 0xd0)),
        0xa0..=0xbf => Some(Node::Str(take(rest, usize::from(marker & 0x1f))?.to_vec())),
        0xd9..=0xdb => {
            let length = number(rest, 1 << (marker - 0xd9))?;
            Some(Node::Str(take(rest, length)?.to_vec()))
        }
        0xc4..=0xc6 => {
            let length = number(rest, 1 << (marker - 0xc4))?;
            let content = take(rest, length)?;
            // A single byte is MessagePack by chance.
            let inner = (length > 1 && depth < DEPTH_MAX).then(|| read_whole(content)).flatten();
            Some(inner.map_or_else(|| Node::Bin(content.to_vec()), |inner| Node::BinOf(Box::new(inner))))
        }
        0xc7..=0xc9 | 0xd4..=0xd8 => {
            let length = match marker {
                0xc7..=0xc9 => number(rest, 1 << (marker - 0xc7))?,
                _ => 1 << (marker - 0xd4),
            };
            let kind = *take(rest, 1)?.first()?;
            let content = take(rest, length)?;
            let inner = (depth < DEPTH_MAX).then(|| read_whole(content)).flatten();
            Some(inner.map_or_else(|| Node::Ext(kind, content.to_vec()), |inner| Node::ExtOf(kind, Box::new(inner))))
        }
        0x90..=0x9f => items(rest, usize::from(marker & 0x0f), depth).map(Node::Array),
        0x80..=0x8f => items(rest, 2 * usize::from(marker & 0x0f), depth).map(Node::Map),
        0xdc | 0xdd => {
            let length = number(rest, if marker == 0xdc { 2 } else { 4 })?;
            items(rest, length, depth).map(Node::Array)
        }
        0xde | 0xdf => {
            let length = number(rest, if marker == 0xde { 2 } else { 4 })?;
            items(rest, 2 * length, depth).map(Node::Map)
        }
        0xc1 => None,
    }
}

fn items(rest: &mut &[u8], length: usize, depth: usize) -> Option<Vec<Node>> {
    if depth >= DEPTH_MAX {
        return None;
    }
    (0..length).map(|_| read(rest, depth + 1)).collect()
}

fn children(node: &Node) -> &[Node] {
    match node {
        Node::Array(items) | Node::Map(items) => items,
        Node::BinOf(inner) | Node::ExtOf(_, inner) | Node::Lying(inner, _) => std::slice::from_ref(inner),
        Node::Plain(_) | Node::Str(_) | Node::Bin(_) | Node::Ext(..) => &[],
    }
}

fn count(node: &Node) -> usize {
    1 + children(node).iter().map(count).sum::<usize>()
}

fn pick<'a>(node: &'a Node, at: &mut usize) -> Option<&'a Node> {
    if *at == 0 {
        return Some(node);
    }
    *at -= 1;
    children(node).iter().find_map(|child| pick(child, at))
}

/// Changes the node of this number. True: it was found.
fn change(node: &mut Node, at: &mut usize, donor: Option<&Node>, rng: &mut Rng) -> bool {
    if *at == 0 {
        change_here(node, donor, rng);
        return true;
    }
    *at -= 1;
    match node {
        Node::Array(items) | Node::Map(items) => items.iter_mut().any(|child| change(child, at, donor, rng)),
        Node::BinOf(inner) | Node::ExtOf(_, inner) | Node::Lying(inner, _) => change(inner, at, donor, rng),
        Node::Plain(_) | Node::Str(_) | Node::Bin(_) | Node::Ext(..) => false,
    }
}

fn change_here(node: &mut Node, donor: Option<&Node>, rng: &mut Rng) {
    let old = std::mem::replace(node, Node::Plain(vec![0xc0]));
    *node = match (rng.u8(..10), old) {
        (0, _) => plain(rng),
        (1, old) => match donor {
            Some(donor) => {
                let mut at = rng.usize(..count(donor));
                pick(donor, &mut at).cloned().unwrap_or(old)
            }
            None => old,
        },
        (2, old) => Node::Lying(Box::new(old), rng.u64(..)),
        (3, old) => Node::Plain(nested(&old, rng)),
        (_, Node::Array(items)) => Node::Array(rearranged(items, 1, rng)),
        (_, Node::Map(items)) => Node::Map(rearranged(items, 2, rng)),
        (4, Node::ExtOf(_, inner)) => Node::ExtOf(rng.u8(..EXTENSION_MAX), inner),
        (4 | 5, Node::Str(text)) => Node::Bin(text),
        (_, Node::Str(text)) => Node::Str(worded(text, rng)),
        (_, Node::Bin(content)) => Node::Bin(super::bytes::mutate(content, &[], rng)),
        (_, Node::Ext(kind, content)) => Node::Ext(kind, super::bytes::mutate(content, &[], rng)),
        (5.., Node::Plain(old)) => match old.first() {
            // Small numbers are mostly ids, positions and counts: their neighbours are the interesting ones.
            Some(small @ 1..=0x7e) if rng.bool() => Node::Plain(vec![if rng.bool() { small - 1 } else { small + 1 }]),
            _ => plain(rng),
        },
        (_, old) => old,
    };
}

/// Written out, for a tree of that depth could not be walked.
fn nested(node: &Node, rng: &mut Rng) -> Vec<u8> {
    let deep = [1, 2, 8, 40, 200, 2_000, 20_000][rng.usize(..7)];
    let mut inner = Vec::new();
    write(node, &mut inner);
    match rng.u8(..4) {
        0 => [vec![0x91; deep], inner].concat(),
        1 => [vec![0x81; deep], inner, vec![0xc0; deep]].concat(),
        2 => [[0x81, 0xa1, b'a'].repeat(deep), inner].concat(),
        _ => {
            let kind = 2 + rng.u8(..3);
            (0..deep.min(200)).fold(inner, |inner, _| {
                let mut out = Vec::with_capacity(inner.len() + 8);
                write(&Node::Ext(kind, [&[0x91][..], &inner].concat()), &mut out);
                out
            })
        }
    }
}

fn rearranged(mut items: Vec<Node>, each: usize, rng: &mut Rng) -> Vec<Node> {
    let groups = items.len() / each;
    if groups == 0 {
        items.extend((0..each).map(|_| plain(rng)));
        return items;
    }
    let at = each * rng.usize(..groups);
    match rng.u8(..5) {
        0 => drop(items.drain(at..at + each)),
        1 => {
            let copy = items[at..at + each].to_vec();
            let times = [1, 1, 1, 3, 20, 300][rng.usize(..6)];
            let copies = std::iter::repeat_n(copy, times).flatten();
            items.splice(at..at, copies);
        }
        2 => {
            let with = each * rng.usize(..groups);
            (0..each).for_each(|part| items.swap(at + part, with + part));
        }
        3 => items.truncate(at),
        _ => items.insert(at, plain(rng)),
    }
    items
}

fn worded(mut text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    match rng.u8(..6) {
        0 => text.clear(),
        1 => text.extend_from_slice("é\u{0}\u{1f600}".as_bytes()),
        2 => text = b"__class__".to_vec(),
        3 => text = edge(rng).to_string().into_bytes(),
        4 => text = text.repeat([2, 50][rng.usize(..2)]),
        _ => text = super::bytes::mutate(text, &[], rng),
    }
    text
}

fn plain(rng: &mut Rng) -> Node {
    match rng.u8(..10) {
        0 => Node::Plain(vec![0xc0]),
        1 => Node::Plain(vec![0xc2 + rng.u8(..2)]),
        2 => {
            let float = [f64::NAN, f64::INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX, 1e18, 0.5][rng.usize(..7)];
            Node::Plain([&[0xcb][..], &float.to_be_bytes()].concat())
        }
        3 => Node::Array(Vec::new()),
        4 => Node::Map(Vec::new()),
        5 => Node::Str(worded(b"a".to_vec(), rng)),
        6 => Node::Ext(rng.u8(..EXTENSION_MAX), vec![0xc0]),
        _ => {
            let number = edge(rng);
            Node::Plain(match i64::try_from(number) {
                Ok(small @ -32..=127) => vec![small as u8],
                Ok(number) => [&[0xd3][..], &number.to_be_bytes()].concat(),
                Err(_) => [&[0xcf][..], &(number as u64).to_be_bytes()].concat(),
            })
        }
    }
}

fn write(node: &Node, out: &mut Vec<u8>) {
    match node {
        Node::Plain(bytes) => out.extend_from_slice(bytes),
        Node::Lying(inner, draw) => {
            let mut rng = Rng::with_seed(*draw);
            let length = match &**inner {
                Node::Array(items) => items.len(),
                Node::Map(items) => items.len() / 2,
                Node::Str(bytes) | Node::Bin(bytes) | Node::Ext(_, bytes) => bytes.len(),
                _ => 1,
            };
            let at = out.len();
            write_as(inner, claimed(length, &mut rng), out);
            // Sometimes what should follow is missing.
            if rng.bool() {
                out.truncate(at + 6.min(out.len() - at));
            }
        }
        Node::Array(items) => write_as(node, items.len() as u64, out),
        Node::Map(items) => write_as(node, items.len() as u64 / 2, out),
        Node::Str(bytes) | Node::Bin(bytes) | Node::Ext(_, bytes) => write_as(node, bytes.len() as u64, out),
        Node::BinOf(inner) | Node::ExtOf(_, inner) => {
            let mut content = Vec::new();
            write(inner, &mut content);
            let node = match node {
                Node::ExtOf(kind, _) => Node::Ext(*kind, content),
                _ => Node::Bin(content),
            };
            write(&node, out);
        }
    }
}

/// With the shortest head for that length, as the writers do.
fn write_as(node: &Node, length: u64, out: &mut Vec<u8>) {
    let mut head = |fix: Option<(u64, u8)>, markers: [Option<u8>; 3]| match fix {
        Some((most, marker)) if length <= most => out.push(marker | length as u8),
        _ => match (length, markers) {
            (0..=0xff, [Some(marker), ..]) => out.extend([marker, length as u8]),
            (0..=0xffff, [_, Some(marker), _]) => {
                out.push(marker);
                out.extend((length as u16).to_be_bytes());
            }
            (_, [_, _, Some(marker)]) => {
                out.push(marker);
                out.extend((length as u32).to_be_bytes());
            }
            _ => {}
        },
    };
    match node {
        Node::Array(items) => {
            head(Some((15, 0x90)), [None, Some(0xdc), Some(0xdd)]);
            items.iter().for_each(|item| write(item, out));
        }
        Node::Map(items) => {
            head(Some((15, 0x80)), [None, Some(0xde), Some(0xdf)]);
            items.iter().for_each(|item| write(item, out));
        }
        Node::Str(bytes) => {
            head(Some((31, 0xa0)), [Some(0xd9), Some(0xda), Some(0xdb)]);
            out.extend_from_slice(bytes);
        }
        Node::Bin(bytes) => {
            head(None, [Some(0xc4), Some(0xc5), Some(0xc6)]);
            out.extend_from_slice(bytes);
        }
        Node::Ext(kind, bytes) => {
            match length {
                1 | 2 | 4 | 8 | 16 => out.push(0xd4 + length.trailing_zeros() as u8),
                _ => head(None, [Some(0xc7), Some(0xc8), Some(0xc9)]),
            }
            out.push(*kind);
            out.extend_from_slice(bytes);
        }
        other => write(other, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let value = waymark_ir::Value::List(vec![
            waymark_ir::Value::Int(-40_000),
            waymark_ir::Value::str("é".repeat(40)),
            waymark_ir::Value::Tuple(vec![waymark_ir::Value::Float(1.5), waymark_ir::Value::Uuid(7)]),
            waymark_ir::Value::Dict(vec![(waymark_ir::Value::Bool(true), waymark_ir::Value::Bytes(vec![0xc1; 300]))]),
        ]);
        let bytes = waymark_ir::payload::encode(&value);
        let mut again = Vec::new();
        write(&read_whole(&bytes).expect("a value"), &mut again);
        assert_eq!(again, bytes);
    }
}
