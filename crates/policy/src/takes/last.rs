//! The command that words behind a text reach.

use brush_parser::ast::{AndOr, Command, CommandPrefixOrSuffixItem, CompoundListItem, SeparatorOperator};
use brush_parser::{Parser, ParserOptions, SourceInfo};

use crate::shell::unquoted;

/// The mark in place of a call's words.
const PLACE: &str = "cuff_words_of_the_call";
/// The longest text that is read, in bytes.
const LONGEST: usize = 16 * 1024;

const OPERATORS: &str =
    "its text joins commands by more than `&&`, or ends with a redirection, a comment or the like";

/// The words of the last command of a text, without quotes. Words behind the text are its arguments.
///
/// # Errors
/// With the reason, if they would be anything else.
pub(super) fn command(text: &str) -> Result<Vec<String>, &'static str> {
    let text = text.trim();
    if text.len() > LONGEST || text.lines().count() > 1 || text.matches(['(', '{', '`']).count() > 12 {
        return Err("its text is too long to be judged");
    }
    let marked = format!("{text} {PLACE}");
    let options = ParserOptions::default();
    let mut parser = Parser::new(marked.as_bytes(), &options, &SourceInfo::default());
    let program = parser.parse_program().map_err(|_| OPERATORS)?;
    let [only] = program.complete_commands.as_slice() else { return Err(OPERATORS) };
    let [CompoundListItem(joined, SeparatorOperator::Sequence)] = only.0.as_slice() else {
        return Err(OPERATORS);
    };
    let only_and = joined.additional.iter().all(|more| matches!(more, AndOr::And(_)));
    let last = match joined.additional.last() {
        Some(AndOr::And(last) | AndOr::Or(last)) => last,
        None => &joined.first,
    };
    let ([Command::Simple(simple)], true, false, None) =
        (last.seq.as_slice(), only_and, last.bang, &last.timed)
    else {
        return Err(OPERATORS);
    };
    let mut words = Vec::new();
    let prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
    let suffix = simple.suffix.iter().flat_map(|suffix| &suffix.0);
    let name = simple.word_or_name.iter();
    let items = |item: &CommandPrefixOrSuffixItem| match item {
        CommandPrefixOrSuffixItem::Word(word) | CommandPrefixOrSuffixItem::AssignmentWord(_, word) => {
            Some(word.value.clone())
        }
        CommandPrefixOrSuffixItem::IoRedirect(_) | CommandPrefixOrSuffixItem::ProcessSubstitution(..) => None,
    };
    let raw = prefix.map(items).chain(name.map(|word| Some(word.value.clone()))).chain(suffix.map(items));
    for raw in raw {
        let (word, substitutions) = unquoted(&raw.ok_or(OPERATORS)?, &options);
        if !substitutions.is_empty() {
            return Err("its text puts the output of a command into another");
        }
        words.push(word);
    }
    match words.pop() {
        Some(last) if last == PLACE => Ok(words),
        _ => Err(OPERATORS),
    }
}
