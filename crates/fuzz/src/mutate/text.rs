//! Text as lines and words.

use fastrand::Rng;

use super::edge;

pub fn mutate(bytes: &[u8], other: &[u8], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let made = match rng.u8(..8) {
        0..3 => by_line(&text, &String::from_utf8_lossy(other), rng),
        _ => by_word(&text, &String::from_utf8_lossy(other), words, rng),
    };
    made.into_bytes()
}

fn by_line(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(String::from).collect();
    let at = rng.usize(..=lines.len());
    let end = rng.usize(at..=lines.len().min(at + 4));
    match rng.u8(..6) {
        0 => drop(lines.drain(at..end)),
        1 => {
            let part = lines[at..end].to_vec();
            let times = [1, 1, 2, 200][rng.usize(..4)];
            lines.splice(at..at, std::iter::repeat_n(part, times).flatten());
        }
        2 if at < lines.len() => {
            let with = rng.usize(..lines.len());
            lines.swap(at, with);
        }
        3 => lines[at..end].iter_mut().for_each(|line| line.insert_str(0, "    ")),
        4 => {
            let shorter = |line: &mut String| {
                if let Some(rest) = line.strip_prefix("    ") {
                    *line = rest.to_string();
                }
            };
            lines[at..end].iter_mut().for_each(shorter);
        }
        _ => {
            let donors: Vec<&str> = other.split_inclusive('\n').collect();
            let from = rng.usize(..=donors.len());
            let to = rng.usize(from..=donors.len().min(from + 6));
            lines.splice(at..at, donors[from..to].iter().map(|line| (*line).to_string()));
        }
    }
    lines.concat()
}

fn by_word(text: &str, other: &str, words: &[&str], rng: &mut Rng) -> String {
    let mut parts: Vec<String> = split(text).map(String::from).collect();
    let at = rng.usize(..=parts.len());
    let end = rng.usize(at..=parts.len().min(at + 3));
    let word = |rng: &mut Rng| match rng.u8(..8) {
        0 => edge(rng).to_string(),
        1 => ["é", "\u{0}", "\u{feff}", "\u{2028}", "\r", "\t", "𝔘", "\"", "'", "\\"][rng.usize(..10)].to_string(),
        2 => {
            let donors: Vec<&str> = split(other).collect();
            donors.get(rng.usize(..=donors.len())).unwrap_or(&"").to_string()
        }
        _ => words.get(rng.usize(..=words.len())).unwrap_or(&"0").to_string(),
    };
    match rng.u8(..6) {
        0 => drop(parts.drain(at..end)),
        1 => parts.insert(at, word(rng)),
        2 if at < parts.len() => parts[at] = word(rng),
        3 => {
            let times = [2, 20, 150, 3_000][rng.usize(..4)];
            let part = if at < end { parts[at..end].concat() } else { word(rng) };
            parts.insert(at, part.repeat(times));
        }
        4 if at < parts.len() => {
            let with = rng.usize(..parts.len());
            parts.swap(at, with);
        }
        _ => {
            let from = rng.usize(..=parts.len());
            let to = rng.usize(from..=parts.len().min(from + 12));
            let copy = parts[from..to].to_vec();
            parts.splice(at..end, copy);
        }
    }
    parts.concat()
}

/// Runs of letters and digits, runs of spaces, and whatever else, each by itself.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let kind = |letter: char| match letter {
        '_' => 1,
        letter if letter.is_alphanumeric() => 1,
        ' ' => 2,
        _ => 0,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let end = rest.char_indices().skip(1).find(|(_, letter)| kind(*letter) != first || first == 0);
        let (head, tail) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = tail;
        Some(head)
    })
}
