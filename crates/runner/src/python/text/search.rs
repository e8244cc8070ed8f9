//! Searching, splitting and replacing on bytes. A `str` is UTF-8, where the bytes of one text inside another are found only
//! at characters' boundaries, so `str` and `bytes` share all of it; results are byte ranges.

use std::ops::Range;

use memchr::memmem;

/// The first or last place of a needle inside `haystack`.
pub fn find(haystack: &[u8], needle: &[u8], from_right: bool) -> Option<usize> {
    if from_right { memmem::rfind(haystack, needle) } else { memmem::find(haystack, needle) }
}

/// Occurrences that do not overlap; the needle is not empty.
pub fn count(haystack: &[u8], needle: &[u8]) -> usize {
    memmem::find_iter(haystack, needle).count()
}

/// A negative `most` means all.
pub fn limit(most: i64) -> usize {
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// `split(separator, most)`; the separator is not empty.
pub fn split(haystack: &[u8], separator: &[u8], most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in memmem::find_iter(haystack, separator).take(most) {
        parts.push(start..at);
        start = at + separator.len();
    }
    parts.push(start..haystack.len());
    parts
}

/// `rsplit(separator, most)`
pub fn split_from_right(haystack: &[u8], separator: &[u8], most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut end = haystack.len();
    let finder = memmem::FinderRev::new(separator);
    while parts.len() < most {
        let Some(at) = finder.rfind(&haystack[..end]) else { break };
        parts.push(at + separator.len()..end);
        end = at;
    }
    parts.push(0..end);
    parts.reverse();
    parts
}

/// `split()` at runs of white space, given where each piece of white space lies.
pub fn split_white(length: usize, white: impl Iterator<Item = Range<usize>>, most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for gap in white {
        if gap.start == start {
            start = gap.end;
        } else if parts.len() < most {
            parts.push(start..gap.start);
            start = gap.end;
        } else {
            break;
        }
    }
    if start < length {
        parts.push(start..length);
    }
    parts
}

/// `rsplit()`; the white space comes from right to left.
pub fn split_white_from_right(
    length: usize,
    white: impl Iterator<Item = Range<usize>>,
    most: usize,
) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut end = length;
    for gap in white {
        if gap.end == end {
            end = gap.start;
        } else if parts.len() < most {
            parts.push(gap.end..end);
            end = gap.start;
        } else {
            break;
        }
    }
    if end > 0 {
        parts.push(0..end);
    }
    parts.reverse();
    parts
}

/// Lines, given the offsets and bytes of breaks (`\r\n` is one); without the breaks unless `keep`.
pub fn split_lines(length: usize, breaks: impl Iterator<Item = Range<usize>>, keep: bool) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line_break in breaks {
        lines.push(start..if keep { line_break.end } else { line_break.start });
        start = line_break.end;
    }
    if start < length {
        lines.push(start..length);
    }
    lines
}

/// Where `replace` cuts: for an empty `old`, between all characters (whose starts are `boundaries`).
pub fn replaced(haystack: &[u8], old: &[u8], most: usize, boundaries: impl Iterator<Item = usize>) -> Vec<usize> {
    if old.is_empty() {
        return boundaries.chain(std::iter::once(haystack.len())).take(most).collect();
    }
    memmem::find_iter(haystack, old).take(most).collect()
}

/// The result of a replacement at `places`.
pub fn replace_at(haystack: &[u8], places: &[usize], old_length: usize, new: &[u8]) -> Vec<u8> {
    let size = haystack.len() + places.len() * new.len() - places.len() * old_length;
    let mut out = Vec::with_capacity(size);
    let mut start = 0;
    for place in places {
        out.extend_from_slice(&haystack[start..*place]);
        out.extend_from_slice(new);
        start = place + old_length;
    }
    out.extend_from_slice(&haystack[start..]);
    out
}
