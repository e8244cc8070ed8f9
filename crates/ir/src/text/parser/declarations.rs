//! The file: its header, its types, its functions.

use super::{Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::{
    Diagnostic, Dialect, Field, Function, FunctionKind, Program, SEMANTICS_LEVEL, Source, TypeDescriptor, TypeKind,
    Value,
};

const HEADERS: [&str; 4] = ["workflow", "dialect", "semantics", "entry"];

impl Parser<'_> {
    pub(super) fn program(&mut self, path: &str) -> Program {
        let mut program = Program {
            name: file_stem(path).to_string(),
            dialect: Dialect::Python,
            semantics: SEMANTICS_LEVEL,
            entry: "main".to_string(),
            types: Vec::new(),
            functions: Vec::new(),
            sources: vec![Source { path: path.to_string(), text: String::new() }],
        };
        let mut headers_read = 0;
        while self.kind() != TokenKind::End {
            let start = self.position;
            if self.declaration(&mut program, &mut headers_read).is_err() {
                (self.depth, self.plain) = (0, false);
                self.recover(start);
            }
            if self.position == start {
                self.advance();
            }
        }
        program
    }

    fn declaration(&mut self, program: &mut Program, headers_read: &mut usize) -> Parse<()> {
        let start = self.position;
        self.chain = 0;
        let span = self.token_at(start).span;
        match self.kind() {
            TokenKind::Newline | TokenKind::Dedent => {
                self.advance();
                return Ok(());
            }
            TokenKind::Indent => {
                self.report(Diagnostic::error("W0105", span, "this line is indented for no reason"));
                self.advance();
                self.statements();
                return Ok(());
            }
            TokenKind::Op("@") => {
                let help = "an action's retries and timeouts are written at its call, in `[…]`";
                return Err(self.unsupported(span, "decorators are", help));
            }
            TokenKind::Name => {}
            _ => return Err(self.outside(span)),
        }
        match self.text_at(start) {
            "fn" => {
                self.advance();
                program.functions.push(self.function(start, FunctionKind::Durable)?);
            }
            "def" => {
                self.advance();
                program.functions.push(self.function(start, FunctionKind::Plain)?);
            }
            "async" if self.is_word(start + 1, "def") => {
                self.report(
                    Diagnostic::error("W0110", span, "a durable function of the program begins with `fn`")
                        .help("write `fn name(input: [a, b], output: [c]):`"),
                );
                self.advance();
                self.advance();
                let function: Function = self.function(start, FunctionKind::Durable)?;
                program.functions.push(function);
            }
            "type" => {
                let descriptor = self.type_declaration()?;
                if !program.functions.is_empty() {
                    self.report(
                        Diagnostic::error("W0114", descriptor.span, "types are declared before the functions")
                            .help("move the declaration up"),
                    );
                }
                program.types.push(descriptor);
            }
            word if HEADERS.contains(&word) => {
                let place = HEADERS.iter().position(|known| *known == word).unwrap_or(0);
                let late = place < *headers_read || !program.types.is_empty() || !program.functions.is_empty();
                if late {
                    let order = HEADERS.join(", ");
                    self.report(
                        Diagnostic::error("W0114", span, format!("`{word}` stands too late, or twice"))
                            .help(format!("the file begins with {order}, each at most once, in this order")),
                    );
                }
                *headers_read = (*headers_read).max(place + 1);
                self.header(word, program)?;
            }
            "import" | "from" | "global" | "class" => {
                self.compound()?;
                self.simple()?;
            }
            _ => return Err(self.outside(span)),
        }
        Ok(())
    }

    fn outside(&mut self, span: crate::Span) -> super::Failed {
        if self.kind() == TokenKind::Invalid {
            return super::Failed;
        }
        self.report(
            Diagnostic::error("W0110", span, "expected a declaration")
                .label("statements stand inside functions")
                .help("a file holds `fn`, `def` and `type`; put this into `fn main():`"),
        )
    }

    fn header(&mut self, word: &str, program: &mut Program) -> Parse<()> {
        self.advance();
        let (span, text) = (self.token_at(self.position).span, self.text_at(self.position));
        match word {
            "workflow" => program.name = self.path("the workflow's name")?,
            "entry" => program.entry = self.identifier("a function's name")?,
            "dialect" => {
                program.dialect = match text {
                    "python" => Dialect::Python,
                    "flow" => Dialect::Flow,
                    _ => return Err(self.expected("`python` or `flow`")),
                };
                self.advance();
            }
            _ => {
                let level = text.parse::<u32>().ok().filter(|_| self.kind() == TokenKind::Number);
                let Some(level) = level else { return Err(self.expected("a level number")) };
                if level == 0 || level > SEMANTICS_LEVEL {
                    let message = format!("semantics level {level} is not known");
                    let help = format!("the newest level is {SEMANTICS_LEVEL}");
                    return Err(self.report(Diagnostic::error("W0114", span, message).help(help)));
                }
                program.semantics = level;
                self.advance();
            }
        }
        self.end_of_line()
    }

    fn end_of_line(&mut self) -> Parse<()> {
        if !matches!(self.kind(), TokenKind::Newline | TokenKind::End) {
            return Err(self.expected("the end of the line"));
        }
        self.advance();
        Ok(())
    }

    // ----------------------------------------------------------------------------------------------------- types

    fn type_declaration(&mut self) -> Parse<TypeDescriptor> {
        let start = self.position;
        self.advance();
        let name = self.path("the type's name")?;
        let mut bases = Vec::new();
        if self.eat("(") {
            while !self.at(")") {
                bases.push(self.path("a base's name")?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let span = self.span_from(start);
        let mut descriptor = TypeDescriptor {
            name,
            bases,
            kind: TypeKind::Opaque,
            fields: Vec::new(),
            overrides: Vec::new(),
            methods: Vec::new(),
            span,
        };
        self.expect(":")?;
        if self.kind() == TokenKind::Newline {
            self.advance();
            if self.kind() != TokenKind::Indent {
                return Err(self.expected("an indented block"));
            }
            self.advance();
            while !matches!(self.kind(), TokenKind::Dedent | TokenKind::End) {
                let line = self.position;
                if self.type_line(&mut descriptor).is_err() {
                    self.recover(line);
                }
                if self.position == line {
                    self.advance();
                }
            }
            self.advance();
        } else {
            self.type_line(&mut descriptor)?;
        }
        descriptor.span = self.span_from(start);
        Ok(descriptor)
    }

    fn type_line(&mut self, descriptor: &mut TypeDescriptor) -> Parse<()> {
        match self.text_at(self.position) {
            "opaque" => {
                self.advance();
                descriptor.kind = TypeKind::Opaque;
            }
            "exception" => {
                self.advance();
                descriptor.kind = TypeKind::Exception;
            }
            "enum" => {
                self.advance();
                descriptor.kind = TypeKind::Enum(Vec::new());
            }
            "record" => {
                self.advance();
                descriptor.kind = self.record_kind()?;
            }
            "field" => {
                self.advance();
                let name = self.path("the field's name")?;
                let default = if self.eat("=") { Some(self.value()?) } else { None };
                descriptor.fields.push(Field { name, default });
            }
            "member" => {
                let span = self.advance().span;
                let name = self.path("the member's name")?;
                self.expect("=")?;
                let value: Value = self.value()?;
                let TypeKind::Enum(members) = &mut descriptor.kind else {
                    let diagnostic = Diagnostic::error("W0114", span, "only an `enum` has members");
                    return Err(self.report(diagnostic.help("write the line `enum` first")));
                };
                members.push((name, value));
            }
            "override" => {
                self.advance();
                loop {
                    descriptor.overrides.push(self.path("a method's or property's name")?);
                    if !self.eat(",") {
                        break;
                    }
                }
            }
            "method" => {
                self.advance();
                let name = self.path("the method's name")?;
                self.expect("=")?;
                descriptor.methods.push((name, self.path("the name of its function")?));
            }
            _ => {
                let lines = "`record`, `opaque`, `exception`, `enum`, `field`, `member`, `override` or `method`";
                return Err(self.expected(lines));
            }
        }
        self.end_of_line()
    }

    fn record_kind(&mut self) -> Parse<TypeKind> {
        let (mut frozen, mut eq, mut order) = (false, false, false);
        while self.kind() == TokenKind::Name {
            match self.text_at(self.position) {
                "frozen" => frozen = true,
                "eq" => eq = true,
                "order" => order = true,
                _ => return Err(self.expected("`frozen`, `eq` or `order`")),
            }
            self.advance();
        }
        Ok(TypeKind::Record { frozen, eq, order })
    }
}

fn file_stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}
