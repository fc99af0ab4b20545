//! The commands in a text, be it a shell's, make's or another language's.

/// What make takes for its own before a command, and blanks.
const SIGNS: [char; 5] = ['@', '-', '+', ' ', '\t'];

/// What stands around words.
const MARKS: [char; 9] = ['"', '\'', '(', ')', '`', '@', '{', '}', '$'];

/// So many `$(…)` within each other are looked into.
const DEEPEST: usize = 16;

/// What only talks, or comes when all is over.
const HARMLESS: &[&str] = &[
    "echo",
    "printf",
    "print",
    "puts",
    "console.log",
    "trap",
    "exit",
    "true",
    ":",
    "read",
    "die",
    "log",
    "info",
    "warn",
    "error",
    "fail",
    "usage",
    "for",
    "fi",
    "done",
    "esac",
    "return",
    "grep",
    "awk",
];

/// Words of a shell before a command.
const KEYWORDS: &[&str] = &["if", "then", "else", "elif", "do", "while", "until", "!"];

/// Options of what starts a file that come with a word of their own.
const WITH_A_WORD: &[&str] = &["-r", "--require", "--import", "--loader", "-C", "--env", "-e"];

/// Endings of files that such programs start.
pub(super) const ENDINGS: &[&str] =
    &[".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".sh", ".bash", ".py", ".rb", ".php", ".pl"];

/// What starts the file that is named next.
const STARTERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "node",
    "tsx",
    "ts-node",
    "deno",
    "bun",
    "python",
    "python3",
    "ruby",
    "perl",
    "php",
    "env",
    "cross-env",
    "dotenv",
    "uv",
    "poetry",
    "pipenv",
    "pdm",
    "hatch",
    "bundle",
    "exec",
    "sudo",
    "time",
    "nohup",
    "source",
    ".",
    "run",
    "npx",
];

/// A text with lines that go on as a shell joins them: at an odd number of backslashes, with nothing between, and never
/// out of a comment.
pub(super) fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.split('\n') {
        let behind = line.trim_end_matches('\\');
        let goes_on = (line.len() - behind.len()) % 2 == 1 && !ends_in_comment(line);
        joined.push_str(if goes_on { &line[..line.len() - 1] } else { line });
        if !goes_on {
            joined.push('\n');
        }
    }
    joined
}

/// Whether a comment begins in a line.
fn ends_in_comment(line: &str) -> bool {
    comment(line.trim_start_matches(SIGNS)).is_some()
}

/// Where a comment begins in a line: a word outside of quotes that begins with `#`.
fn comment(line: &str) -> Option<usize> {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('#', None) if before.is_whitespace() || before == ';' => return Some(at),
            ('"' | '\'', None) if before != '\\' => quote = Some(c),
            (_, Some(open)) if c == open && (c == '\'' || before != '\\') => quote = None,
            _ => {}
        }
        before = if c == '\\' && before == '\\' { ' ' } else { c };
    }
    None
}

/// Each list over several lines in one: what programs in other languages start has a line for each word.
pub(super) fn lists(text: &str) -> Vec<String> {
    let mut lists = Vec::new();
    let mut open = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let goes_on = line.ends_with(['[', '(', ',']);
        if goes_on || !open.is_empty() {
            open.extend([line, " "]);
        }
        if !goes_on && !open.is_empty() {
            lists.push(std::mem::take(&mut open));
        }
    }
    lists.push(open);
    lists
}

/// The commands of a line that may do something, in words without quotes and make's own signs.
pub(super) fn commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let commands = pieces(line).map(|command| {
        let words = command.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        let words = words.map(|word| word.trim_matches(MARKS));
        let words = words.filter(|word| !word.is_empty());
        words.skip_while(|word| KEYWORDS.contains(word)).collect::<Vec<_>>()
    });
    commands.filter(move |words| words.first().is_some_and(|first| !is_harmless(first)))
}

/// The file that a command runs, where it says which: `./ship.sh`, `bash scripts/ship.sh`, `node ship.js`.
pub(in crate::model) fn script<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let mut is_started = false;
    loop {
        let word = words.next()?;
        if WITH_A_WORD.contains(&word) {
            words.next();
        } else if !is_before(word) {
            let is_file =
                word.contains('/') || is_started && ENDINGS.iter().any(|ending| word.ends_with(ending));
            return is_file.then_some(word);
        }
        is_started |= is_starter(word);
    }
}

/// Whether a word before a program only says how that is started.
pub(super) fn is_before(word: &str) -> bool {
    word.contains('=') || word.starts_with('-') || KEYWORDS.contains(&word) || is_starter(word)
}

fn is_starter(word: &str) -> bool {
    STARTERS.contains(&word.rsplit('/').next().unwrap_or(word))
}

/// Whether a command does nothing that others could be held against.
pub(in crate::model) fn only_talks(command: &str) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(MARKS));
    words.find(|word| !word.is_empty() && !KEYWORDS.contains(word)).is_none_or(is_harmless)
}

fn is_harmless(first: &str) -> bool {
    HARMLESS.iter().any(|known| first.split('(').next() == Some(known))
}

/// The commands of a line as they stand there.
pub(in crate::model) fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_start_matches(SIGNS);
    let line = if line.starts_with('#') { "" } else { line };
    line[..comment(line).unwrap_or(line.len())].split([';', '&', '|'])
}

/// What a shell runs of a command that only talks: `$(…)`, backquotes, and what `trap` keeps for later.
pub(in crate::model) fn within(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(MARKS));
    let Some(first) = words.find(|word| !word.is_empty()) else { return Vec::new() };
    if !HARMLESS.contains(&first) {
        return Vec::new();
    }
    let kept = command.split_once("trap").filter(|_| first == "trap");
    kept.map(|(_, kept)| kept).into_iter().chain(substitutions(command)).collect()
}

/// The commands whose output stands in another one: `$(…)`, backquotes.
pub(in crate::model) fn substitutions(command: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut open, mut backquote) = (Vec::new(), None);
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in command.char_indices() {
        let is_plain = before != '\\';
        match c {
            '(' => {
                open.push(Some(at + 1).filter(|_| matches!(before, '$' | '<' | '>') && open.len() < DEEPEST));
            }
            ')' => found.extend(open.pop().flatten().map(|start: usize| &command[start..at])),
            '`' if is_plain && quote != Some('\'') => match backquote.take() {
                Some(start) => found.push(&command[start..at]),
                None => backquote = Some(at + 1),
            },
            '"' | '\'' if quote == Some(c) && (is_plain || c == '\'') => quote = None,
            '"' | '\'' if quote.is_none() && is_plain => quote = Some(c),
            _ => {}
        }
        before = if is_plain || c != '\\' { c } else { ' ' };
    }
    found.extend(open.into_iter().flatten().chain(backquote).map(|start| &command[start..]));
    found
}
