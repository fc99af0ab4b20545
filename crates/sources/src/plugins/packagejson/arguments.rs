//! Extra arguments: one string in, words that reach the script unchanged out.
//!
//! Every manager pastes the words into a line for a shell. 173 words were sent through the real programs:
//! spaces, quotes, globs, redirects, braces, `~`, `\`, `#`, `!`, empty, Unicode, all between other words; and
//! 104 that look like a manager's own flags (`--script-shell=`, `--prefix=`, `-C`, `--cwd=`, `--config.…`,
//! `--filter=`, `--shell=`, `--help`), each in front as well. The following words reached the script changed,
//! or not at all:
//!
//! | manager, called as | flags it reads | words it changes |
//! |---|---|---|
//! | npm 11.19, `run x -- WORDS` | none | `[…]` and `{…}` alone (not quoted) |
//! | npm 7.24, the same | none | control characters, tab included: `\t` arrives as `\` and `t` |
//! | pnpm 10.34, 11.28, 12.21, `run x WORDS` | none | none |
//! | pnpm 9.15 | none | `~` in front (expanded); `\` beside a blank or `"` (doubled); `!` beside `'` (gets a `\`) |
//! | pnpm 8.15 | none | control characters, as npm 7 |
//! | pnpm 7.33 | none | control characters; the empty word (lost) |
//! | yarn 1.22, `run x WORDS` | none | the first `--` at any place (lost); `[…]` and `{…}` as npm |
//! | yarn 3.8, 4.18 | none | control characters (4.18: an error) |
//! | bun 1.4, `run x WORDS` | none | `--` in front (lost) |
//! | bun 1.1 | none | `--` in front, the empty word (lost), tab (splits) |
//! | bun 1.0 | none | everything: no quoting at all, so `> file` writes a file |
//!
//! Some characters are allowed only in a person's call. Of these, `; | & ( )` arrive unchanged through all
//! managers but bun 1.0. `$` and the backtick arrive unchanged through all but bun 1.0, npm 7, and pnpm 7 and
//! 8, whose shell acts on them.
//!
//! The version is not known here, so a word that any version of a manager changes is refused. There are two
//! exceptions. bun gets a second `--` for the one that it takes. For the splitting of bun 1.0 only `<` and
//! `>` are refused, since later versions need no refusal.

use crate::model::{BadCall, Command, LITERAL, Word, split_words, words_of};
use crate::plugins::managers::PackageManager;

/// The command with a call's extra arguments behind the script's name.
pub(super) fn add(mut command: Command, mode: &str, extra: &str) -> Result<Command, BadCall> {
    let words = if mode == LITERAL { words_of(extra)? } else { split_words(extra)? };
    if words.is_empty() {
        return Ok(command);
    }
    let manager = PackageManager::named(&command.program.text).unwrap_or(PackageManager::Npm);
    for word in &words {
        if let Some(why) = altered(manager, word) {
            return Err(BadCall::refused(format!("extra_args: {word:?} cannot be passed on: {why}"))
                .help("which version runs is not known here: write the argument into the script in package.json, or leave it out"));
        }
    }
    let separates = match manager {
        PackageManager::Npm => true,
        PackageManager::Bun => words[0] == "--",
        PackageManager::Pnpm | PackageManager::Yarn => false,
    };
    if separates {
        command.arguments.push(Word::fixed("--"));
    }
    command.arguments.extend(words.into_iter().map(Word::call));
    Ok(command)
}

/// The way in which pnpm 9 changes a word, if it does.
pub(super) fn changed_by_pnpm_9(word: &str) -> Option<&'static str> {
    let blank = word.contains(char::is_whitespace);
    if word.starts_with('~') {
        return Some("pnpm 9 expands a leading ~");
    }
    if word.contains('\\') && (blank || word.contains('"')) {
        return Some("pnpm 9 doubles a backslash in a word with blanks or quotes");
    }
    (word.contains('!') && word.contains('\''))
        .then_some("pnpm 9 puts a backslash before ! in a word with a single quote")
}

/// Why the script would not get the word as it is, in some version of the manager.
fn altered(manager: PackageManager, word: &str) -> Option<&'static str> {
    let has = |set: &[char]| word.contains(set);
    let blank = word.contains(char::is_whitespace);
    if word.contains(char::is_control) {
        return Some("package managers change or reject control characters such as tabs");
    }
    let of_pnpm_9 = if manager == PackageManager::Pnpm { changed_by_pnpm_9(word) } else { None };
    if of_pnpm_9.is_some() {
        return of_pnpm_9;
    }
    match manager {
        PackageManager::Pnpm | PackageManager::Bun if word.is_empty() => {
            Some("some versions of this package manager drop empty arguments")
        }
        PackageManager::Yarn if word == "--" => Some("yarn 1 drops --, later versions pass it on"),
        PackageManager::Npm | PackageManager::Yarn
            if is_pattern(word) && !blank && !has(&['*', '?', '"', '\'']) =>
        {
            Some(
                "npm and yarn 1 leave [ ] and { , } to the shell, which may put names of files in their place",
            )
        }
        PackageManager::Npm | PackageManager::Pnpm if has(&['$', '`']) => {
            Some("npm 7 and pnpm 8 let the shell act on $ and `, in quotes as well")
        }
        PackageManager::Bun if has(&[';', '|', '&', '`', '$', '(', ')']) => {
            Some("bun 1.0 hands ; | & ` $ ( ) to the shell without quotes")
        }
        PackageManager::Bun if has(&['<', '>']) => Some("bun 1.0 takes < and > for redirections"),
        PackageManager::Npm | PackageManager::Pnpm | PackageManager::Yarn | PackageManager::Bun => None,
    }
}

/// Whether a shell may take a word without `*` and `?` for a pattern.
fn is_pattern(word: &str) -> bool {
    word.contains('[') || word.contains('{') && (word.contains(',') || word.contains(".."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BadCallKind, Origin};

    fn run(manager: &str, extra: &str) -> Result<Command, BadCall> {
        let command = Command::new(Word::fixed(manager)).arguments(["run", "test"].map(Word::fixed));
        add(command, "strict", extra)
    }

    #[test]
    fn each_manager_gets_words_in_its_own_way() {
        for (manager, extra, expected) in [
            ("npm", "", "npm run test"),
            ("npm", " \t ", "npm run test"),
            ("npm", "--coverage --watch", "npm run test -- --coverage --watch"),
            ("npm", "-- x", "npm run test -- -- x"),
            ("pnpm", "--coverage", "pnpm run test --coverage"),
            ("pnpm", "-- x", "pnpm run test -- x"),
            ("yarn", "--coverage", "yarn run test --coverage"),
            ("bun", "--coverage -- x", "bun run test --coverage -- x"),
            ("bun", "-- x", "bun run test -- -- x"),
        ] {
            let command = run(manager, extra).unwrap();
            assert_eq!(command.line(), expected);
            let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call).count();
            assert_eq!(brought, split_words(extra).unwrap().len(), "{expected}");
        }
    }

    #[test]
    fn words_that_a_manager_changes_are_refused_for_it_alone() {
        for (line, refusing) in [
            ("plain", ""),
            ("'two words'", ""),
            ("'*'", ""),
            ("'[s]how.js'", "npm yarn"),
            ("'[s]how *'", ""),
            ("'{a,b}'", "npm yarn"),
            ("'{1..9}'", "npm yarn"),
            ("'{id}'", ""),
            (r#"'{"a":[1,2]}'"#, ""),
            ("--script-shell=/tmp/evil", ""),
            ("-C", ""),
            ("''", "pnpm bun"),
            ("'~'", "pnpm"),
            ("'~/x'", "pnpm"),
            ("x~", ""),
            ("--", "yarn"),
            (r"'a\ b'", "pnpm"),
            (r"'\d'", ""),
            (r#"'\"'"#, "pnpm"),
            (r#""it's!""#, "pnpm"),
            ("'!'", ""),
            ("'> x'", "bun"),
            ("'<'", "bun"),
            ("'a\tb'", "npm pnpm yarn bun"),
            ("'\u{1}'", "npm pnpm yarn bun"),
        ] {
            let found: Vec<_> = ["npm", "pnpm", "yarn", "bun"]
                .into_iter()
                .filter(|manager| run(manager, line).is_err_and(|bad| bad.kind == BadCallKind::Refused))
                .collect();
            assert_eq!(found.join(" "), refusing, "{line}");
        }
        insta::assert_snapshot!(run("pnpm", "a '~/x'").unwrap_err().message,
            @r#"extra_args: "~/x" cannot be passed on: pnpm 9 expands a leading ~"#);
    }
}
