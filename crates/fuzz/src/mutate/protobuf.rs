//! Messages of protobuf as trees of fields, without knowing what they are of.

use fastrand::Rng;

use super::{DEPTH_MAX, claimed, edge};

#[derive(Clone, Debug)]
struct Field {
    number: u64,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    Bytes(Vec<u8>),
    Message(Vec<Field>),
    /// Under a length that is not its own.
    Lying(Vec<u8>, u64),
}

pub fn mutate(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Some(mut fields) = read(bytes, 0) else { return super::bytes::mutate(bytes.to_vec(), other, rng) };
    let donor = read(other, 0).unwrap_or_default();
    let mut at = rng.usize(..=count(&fields));
    change(&mut fields, &mut at, &donor, rng);
    let mut out = Vec::with_capacity(bytes.len() + 16);
    write(&fields, &mut out);
    out
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn read(bytes: &[u8], depth: usize) -> Option<Vec<Field>> {
    let mut rest = bytes;
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let key = varint(&mut rest)?;
        let content = match key & 7 {
            0 => Content::Varint(varint(&mut rest)?),
            1 => {
                let (head, tail) = rest.split_first_chunk()?;
                rest = tail;
                Content::Fixed64(*head)
            }
            5 => {
                let (head, tail) = rest.split_first_chunk()?;
                rest = tail;
                Content::Fixed32(*head)
            }
            2 => {
                let length = usize::try_from(varint(&mut rest)?).ok()?;
                let (content, tail) = rest.split_at_checked(length)?;
                rest = tail;
                let inner = (!content.is_empty() && depth < DEPTH_MAX).then(|| read(content, depth + 1)).flatten();
                inner.map_or_else(|| Content::Bytes(content.to_vec()), Content::Message)
            }
            _ => return None,
        };
        // Text is a message by chance, with numbers that nobody gives to fields.
        if key >> 3 == 0 || key >> 3 > 200 {
            return None;
        }
        fields.push(Field { number: key >> 3, content });
    }
    Some(fields)
}

fn count(fields: &[Field]) -> usize {
    let inside = |field: &Field| match &field.content {
        Content::Message(inner) => 1 + count(inner),
        _ => 1,
    };
    fields.iter().map(inside).sum()
}

/// A field of a tree, by its number in it.
fn pick<'a>(fields: &'a [Field], at: &mut usize) -> Option<&'a Field> {
    for field in fields {
        if *at == 0 {
            return Some(field);
        }
        *at -= 1;
        if let Content::Message(inner) = &field.content
            && let Some(found) = pick(inner, at)
        {
            return Some(found);
        }
    }
    None
}

fn change(fields: &mut Vec<Field>, at: &mut usize, donor: &[Field], rng: &mut Rng) -> bool {
    for index in 0..fields.len() {
        if *at == 0 {
            change_here(fields, index, donor, rng);
            return true;
        }
        *at -= 1;
        if let Content::Message(inner) = &mut fields[index].content
            && change(inner, at, donor, rng)
        {
            return true;
        }
    }
    if *at == 0 && fields.is_empty() {
        fields.push(Field { number: rng.u64(1..20), content: Content::Varint(rng.u64(..)) });
        return true;
    }
    false
}

fn change_here(fields: &mut Vec<Field>, index: usize, donor: &[Field], rng: &mut Rng) {
    match rng.u8(..12) {
        0 => drop(fields.remove(index)),
        1 => {
            let times = [1, 1, 2, 30, 1_000][rng.usize(..5)];
            let copies = std::iter::repeat_n(fields[index].clone(), times);
            fields.splice(index..index, copies.collect::<Vec<Field>>());
        }
        2 => {
            let with = rng.usize(..fields.len());
            fields.swap(index, with);
        }
        3 => fields[index].number = rng.u64(1..30),
        4 if !donor.is_empty() => {
            let mut at = rng.usize(..count(donor));
            if let Some(found) = pick(donor, &mut at) {
                let number = if rng.bool() { found.number } else { fields[index].number };
                fields[index] = Field { number, content: found.content.clone() };
            }
        }
        5 if !donor.is_empty() => {
            let mut at = rng.usize(..count(donor));
            fields.extend(pick(donor, &mut at).cloned());
        }
        6 => {
            let mut inner = Vec::new();
            write_content(&fields[index].content, &mut inner);
            let claimed = claimed(inner.len(), rng);
            fields[index].content = Content::Lying(inner, claimed);
        }
        7 => {
            let deep = [1, 3, 20, 99, 101][rng.usize(..5)];
            let number = fields[index].number;
            let field = fields[index].clone();
            fields[index] = (0..deep).fold(field, |inner, _| Field { number, content: Content::Message(vec![inner]) });
        }
        _ => changed(&mut fields[index].content, donor, rng),
    }
}

fn changed(content: &mut Content, donor: &[Field], rng: &mut Rng) {
    match content {
        Content::Varint(number) => {
            *number = match rng.u8(..4) {
                0 => number.wrapping_add(1),
                1 => number.wrapping_sub(1),
                2 => rng.u64(..20),
                _ => edge(rng) as u64,
            }
        }
        Content::Fixed64(bytes) => *bytes = (edge(rng) as u64).to_le_bytes(),
        Content::Fixed32(bytes) => *bytes = (edge(rng) as u32).to_le_bytes(),
        Content::Bytes(bytes) | Content::Lying(bytes, _) => {
            let mut at = rng.usize(..=count(donor));
            let other = match pick(donor, &mut at) {
                Some(Field { content: Content::Bytes(other), .. }) => other.as_slice(),
                _ => &[],
            };
            // Payloads, states and events are carried as bytes.
            *bytes = match rng.u8(..4) {
                0 => super::bytes::mutate(std::mem::take(bytes), other, rng),
                1 => edge(rng).to_string().into_bytes(),
                _ => super::messagepack::mutate(bytes, other, rng),
            };
        }
        Content::Message(inner) => match rng.u8(..4) {
            0 => inner.clear(),
            1 => inner.reverse(),
            2 => inner.push(Field { number: rng.u64(1..30), content: Content::Varint(edge(rng) as u64) }),
            _ => {
                let mut bytes = Vec::new();
                write(inner, &mut bytes);
                *content = Content::Bytes(super::messagepack::mutate(&bytes, &[], rng));
            }
        },
    }
}

fn write(fields: &[Field], out: &mut Vec<u8>) {
    for field in fields {
        let kind = match &field.content {
            Content::Varint(_) => 0,
            Content::Fixed64(_) => 1,
            Content::Fixed32(_) => 5,
            Content::Bytes(_) | Content::Message(_) | Content::Lying(..) => 2,
        };
        write_varint(field.number << 3 | kind, out);
        let mut content = Vec::new();
        write_content(&field.content, &mut content);
        match &field.content {
            Content::Bytes(_) | Content::Message(_) => write_varint(content.len() as u64, out),
            Content::Lying(_, length) => write_varint(*length, out),
            Content::Varint(_) | Content::Fixed64(_) | Content::Fixed32(_) => {}
        }
        out.extend(content);
    }
}

fn write_content(content: &Content, out: &mut Vec<u8>) {
    match content {
        Content::Varint(number) => write_varint(*number, out),
        Content::Fixed64(bytes) => out.extend_from_slice(bytes),
        Content::Fixed32(bytes) => out.extend_from_slice(bytes),
        Content::Bytes(bytes) | Content::Lying(bytes, _) => out.extend_from_slice(bytes),
        Content::Message(inner) => write(inner, out),
    }
}

fn write_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let program = waymark_ir::text::parse("a.ir", "fn main():\n    return f'{1 + 2.5}' + 'a' * 300\n").program;
        let bytes = waymark_ir::wire::encode(&program);
        let mut again = Vec::new();
        write(&read(&bytes, 0).expect("a message"), &mut again);
        assert_eq!(again, bytes);
    }
}
