//! The commands of a text: its syntax tree, walked for the simple ones.

use brush_parser::ast::{
    AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, ExtendedTestExpr,
    IoFileRedirectTarget, IoRedirect, SimpleCommand, Word,
};
use brush_parser::{Parser, ParserOptions, SourceInfo};

use super::command::ShellCommand;
use super::fallback;
use super::recipe::without_make;
use super::through::{inner_texts, look_through};
use super::words::unquoted;

/// The longest text that is parsed, in bytes. A longer one is split at blanks.
const LONGEST: usize = 64 * 1024;
/// The most brackets and reserved words that may be open at once in a text that is parsed: the parser recurses.
const DEEPEST: usize = 24;
/// How many texts may lie inside of each other: `sh -c "sh -c …"`.
const MOST_TEXTS: usize = 6;

/// Returns the commands of a text, inner ones first. They include those of pipelines, lists, compound
/// commands, functions, substitutions and of a text behind `sh -c`.
///
/// The text may be a recipe of make: `@`, `-` and `+` before a line are left out, `$$` counts as `$`, and
/// `$(MAKE)` as `make`. Lines that cannot be parsed are split at blanks and at the signs between commands.
pub fn commands(text: &str) -> Vec<ShellCommand> {
    commands_below(text, 0)
}

/// The same of a text inside of another one.
fn commands_below(text: &str, depth: usize) -> Vec<ShellCommand> {
    let text = without_make(text);
    if let Some(found) = ShellWalk::of(&text, depth) {
        return found;
    }
    let mut found = Vec::new();
    for (line, text) in logical_lines(&text) {
        let parsed = ShellWalk::of(&text, depth).unwrap_or_else(|| fallback::commands(&text));
        found.extend(
            parsed.into_iter().map(|command| ShellCommand { line: command.line + line - 1, ..command }),
        );
    }
    found
}

/// The commands that were found so far.
struct ShellWalk {
    options: ParserOptions,
    depth: usize,
    line: usize,
    found: Vec<ShellCommand>,
}

impl ShellWalk {
    /// The commands of a text, inner ones first; `None` if it cannot be parsed.
    fn of(text: &str, depth: usize) -> Option<Vec<ShellCommand>> {
        if text.len() > LONGEST || depth > MOST_TEXTS || is_deep(text) {
            return None;
        }
        let options = ParserOptions::default();
        let mut parser = Parser::new(text.as_bytes(), &options, &SourceInfo::default());
        let program = parser.parse_program().ok()?;
        let mut walk = Self { options, depth, line: 1, found: Vec::new() };
        for list in &program.complete_commands {
            walk.list(list);
        }
        Some(walk.found)
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                for command in &pipeline.seq {
                    self.command(command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
            }
            Command::Function(function) => self.compound(&function.body.0),
            Command::ExtendedTest(test) => self.test(&test.expr),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            // The parser takes two subshells for arithmetic as well.
            CompoundCommand::Arithmetic(arithmetic) => self.inner(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => self.list(&clause.body.list),
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(shell) => self.list(&shell.list),
            CompoundCommand::ForClause(clause) => {
                clause.values.iter().flatten().for_each(|word| _ = self.word(word));
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value);
                clause.cases.iter().filter_map(|case| case.cmd.as_ref()).for_each(|list| self.list(list));
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list));
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left);
                self.test(right);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner),
            ExtendedTestExpr::UnaryTest(_, word) => _ = self.word(word),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                self.word(left);
                self.word(right);
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        let mut words = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut Vec::new());
        }
        if let Some(name) = &simple.word_or_name {
            words.push(self.word(name));
        }
        let line = self.line;
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words);
        }
        if words.is_empty() {
            return;
        }
        let words = look_through(words);
        for text in inner_texts(&words) {
            self.inner(&text);
        }
        self.found.push(ShellCommand { words, line });
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, words: &mut Vec<String>) {
        match item {
            CommandPrefixOrSuffixItem::Word(word) => words.push(self.word(word)),
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                // Behind the program an assignment is an argument: `make CC=gcc`.
                words.push(self.word(word));
                if let AssignmentValue::Array(values) = &assignment.value {
                    for (_, value) in values {
                        self.word(value);
                    }
                }
            }
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, shell) => self.list(&shell.list),
        }
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(
                _,
                _,
                IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word),
            )
            | IoRedirect::OutputAndError(word, _)
            | IoRedirect::HereString(_, word) => _ = self.word(word),
            IoRedirect::File(_, _, IoFileRedirectTarget::ProcessSubstitution(_, shell)) => {
                self.list(&shell.list);
            }
            IoRedirect::HereDocument(_, document) if document.requires_expansion => {
                self.word(&document.doc);
            }
            IoRedirect::File(_, _, IoFileRedirectTarget::Fd(_)) | IoRedirect::HereDocument(..) => {}
        }
    }

    /// The word without quotes. The commands that are substituted in it are found first.
    fn word(&mut self, word: &Word) -> String {
        if let Some(location) = &word.loc {
            self.line = location.start.line;
        }
        let (text, substitutions) = unquoted(&word.value, &self.options);
        for text in &substitutions {
            self.inner(text);
        }
        text
    }

    fn inner(&mut self, text: &str) {
        let inner = commands_below(text, self.depth + 1).into_iter();
        let line = self.line;
        self.found.extend(inner.map(|command| ShellCommand { line: command.line + line - 1, ..command }));
    }
}

/// Whether more may be open at once in a text than the parser can bear, counted without regard to quotes.
fn is_deep(text: &str) -> bool {
    let opens = |word: &&str| ["if", "case", "while", "until", "for", "!"].contains(word);
    let mut open = text.split_ascii_whitespace().filter(opens).count() / 8;
    let mut deepest = open;
    for c in text.chars() {
        match c {
            '(' | '{' => open += 1,
            ')' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest > DEEPEST
}

/// The lines of a text with their numbers, those that end with a backslash joined with the next.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut is_continued = false;
    for (number, line) in (1..).zip(text.lines()) {
        let (part, continues) = line.strip_suffix('\\').map_or((line, false), |part| (part, true));
        match lines.last_mut().filter(|_| is_continued) {
            Some((_, last)) => last.extend([" ", part]),
            None => lines.push((number, part.to_owned())),
        }
        is_continued = continues;
    }
    lines
}
