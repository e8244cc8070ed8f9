//! Where a piece of a program stands in the text it was compiled from.

/// A range of source text. Lines and columns start at 1; columns count characters; the end is exclusive.
/// `file` indexes [`crate::Program::sources`]. The default span means "nowhere": made by a compiler, not by a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Span {
    pub const NOWHERE: Span = Span { file: 0, line: 0, column: 0, end_line: 0, end_column: 0 };

    pub fn is_nowhere(self) -> bool {
        self.line == 0
    }

    /// The smallest span that covers both.
    pub fn to(self, end: Span) -> Span {
        if self.is_nowhere() {
            return end;
        }
        if end.is_nowhere() || end.file != self.file {
            return self;
        }
        let (line, column) = (self.line, self.column).min((end.line, end.column));
        let (end_line, end_column) = (self.end_line, self.end_column).max((end.end_line, end.end_column));
        Span { file: self.file, line, column, end_line, end_column }
    }
}
