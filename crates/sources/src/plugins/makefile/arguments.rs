//! Extra arguments: one string in, words that make cannot read in another way out.
//!
//! make reads its command line by itself, so each word is another way in. Only a listed flag or a plain
//! `NAME=value` passes. The rest is refused, for these effects with make 4.3:
//!
//! | word | effect |
//! |---|---|
//! | `deploy`, also behind `--` | makes that target too, outside the allow-list |
//! | `--eval=…`, `-E`, `-f x`, `-I x`, `-C x`, and any cluster with them (`-kf x`) | reads another Makefile |
//! | `SHELL=x`, `MAKEFLAGS=--eval=…`, `.SHELLFLAGS=x` | runs recipes by x, reads x |
//! | `NAME!=x`, `NAME:=x`, `NAME+=x` | runs x; expands x |
//! | `LDLIBS=-fplugin=x`, `ARFLAGS=rv --plugin x`, `LDLIBS=-B x` | has the programs of built-in rules load or run x |
//! | `-j N` | N jobs, but `-j` and `deploy` are a flag and a target; so N is joined: `-jN` |
//! | `-j99999999999` | hangs |
//! | `-i`, `-e`, `-t`, `-o x`, `-W x` | goes on after failures, turns precedence round, marks files as made |
//!
//! A value is pasted into the lines of recipes, and a variable of the environment is expanded as well
//! (`$(shell …)`). So policy applies the same rules to the names and values of both. Options may follow the
//! target, even with `POSIXLY_CORRECT`. make passes a value to the makes below it as one word.

use super::config::{self, ALLOW_PARALLEL, EXTRA_ARGS, MOST_JOBS, PARALLEL_JOBS};
use crate::model::{
    BadCall, Change, Command, ENV, Governance, Limits, Origin, Tool, Values, Word, shown, split_words,
    words_of,
};

/// The flags that pass as they are.
const FLAGS: &[&str] = &["-k", "-n", "-s", "-B", "--no-print-directory"];

/// The words that pass, for messages.
const ALLOWED: &str = "allowed are -j, -jN, -k, -n, -s, -B, --no-print-directory and NAME=value";

/// Adds a call's extra arguments behind the target. A variable of a governed call is an environment change
/// too, since make exports it to recipes. So policy judges it by the same table as `env`.
pub(super) fn add(
    mut command: Command,
    config: &Values,
    arguments: &Values,
    governance: Governance,
) -> Result<Command, BadCall> {
    if !governance.is_governed() {
        let words = words_of(arguments.text(&EXTRA_ARGS))?;
        command.arguments.extend(words.into_iter().map(Word::call));
        return Ok(command);
    }
    for (name, value) in arguments.pairs(&ENV) {
        not_a_comment("env", name, value)?;
    }
    let mut words = split_words(arguments.text(&EXTRA_ARGS))?.into_iter().peekable();
    while let Some(word) = words.next() {
        let word = match words.next_if(|next| word == "-j" && is_number(next)) {
            Some(jobs) => word + &jobs,
            None => word,
        };
        if let Some((name, value)) = judge_word(&word, config)? {
            not_a_comment("extra_args", name, value)?;
            command.environment.push(Change::new(name, value, Origin::Call));
        }
        command.arguments.push(Word::call(word));
    }
    Ok(command)
}

/// Refuses the variables of a call where the Makefile's text is pinned: with other values it says something else. The settings
/// may list those that pass.
pub(super) fn unless_pinned(
    tool: &Tool,
    config: &Values,
    arguments: &Values,
    command: &Command,
) -> Result<(), BadCall> {
    let limits = Limits::of(config, &[&tool.name, &tool.original]);
    if !config.pins_texts() || limits.env.is_some() {
        return Ok(());
    }
    let words = command.environment.iter().filter(|change| change.origin == Origin::Call);
    let words = words.map(|change| ("extra_args", change.name.as_str()));
    let variables = arguments.pairs(&ENV).into_iter().map(|(name, _)| ("env", name));
    match variables.chain(words).next() {
        None => Ok(()),
        Some((parameter, name)) => {
            let what =
                format!("{parameter}: {} sets a variable of make, and the Makefile is pinned", shown(name));
            Err(BadCall::refused(what).help("list it under `env` in the settings of this instance"))
        }
    }
}

/// The variable that a word sets; `None` for a flag that passes.
fn judge_word<'a>(word: &'a str, config: &Values) -> Result<Option<(&'a str, &'a str)>, BadCall> {
    if let Some(jobs) = word.strip_prefix("-j") {
        parallel(word, jobs, config)?;
    } else if let Some(set) = word.split_once('=').filter(|(name, _)| is_plain(name)) {
        return Ok(Some(set));
    } else if !FLAGS.contains(&word) {
        return Err(refused(word));
    }
    Ok(None)
}

/// The refusal of a word that is nothing that passes.
fn refused(word: &str) -> BadCall {
    let why = if word.is_empty() {
        "is empty"
    } else if word.starts_with('-') {
        "is no option that a call may pass to make"
    } else if word.contains('=') {
        "is no plain NAME=value"
    } else {
        "would be another target"
    };
    let shown = shown(word);
    BadCall::refused(format!("extra_args: \"{shown}\" {why}")).help(ALLOWED)
}

/// Whether make may run as many jobs as `-j` and its number ask for.
fn parallel(word: &str, jobs: &str, config: &Values) -> Result<(), BadCall> {
    let no = |why: String, help: &str| {
        Err(BadCall::refused(format!("extra_args: \"{}\" {why}", shown(word))).help(help))
    };
    let wanted = jobs.parse().ok().filter(|wanted| is_number(jobs) && (1..=MOST_JOBS).contains(wanted));
    if !jobs.is_empty() && wanted.is_none() {
        return no(format!("is no -j with a number from 1 to {MOST_JOBS}"), ALLOWED);
    }
    if !config.flag(&ALLOW_PARALLEL) {
        let help = "call it without -j, or allow it in settings.yml with `allow_parallel`";
        return no(format!("is not allowed: the settings say `{}: false`", ALLOW_PARALLEL.name), help);
    }
    match config::jobs(config) {
        Some(most) if wanted.is_none_or(|wanted| wanted > most) => no(
            format!("asks for more jobs than the settings allow with `{}: {most}`", PARALLEL_JOBS.name),
            &format!("leave it out to run {most} at once, or ask for fewer"),
        ),
        _ => Ok(()),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `[A-Za-z_][A-Za-z0-9_]*`: so no `NAME:=`, `NAME!=`, `NAME+=`, and no `.SHELLFLAGS`.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Refuses a value that begins a comment where a recipe puts it into a line.
fn not_a_comment(parameter: &str, name: &str, value: &str) -> Result<(), BadCall> {
    if !value.split(' ').any(|word| word.starts_with('#')) {
        return Ok(());
    }
    Err(BadCall::refused(format!("{parameter}: the value of {} holds #", shown(name)))
        .help("make pastes values into lines for a shell: leave out words that begin with #"))
}

#[cfg(test)]
mod tests {

    use serde_json::json;

    use super::*;
    use crate::model::BadCallKind;

    fn bare() -> Command {
        Command::new(Word::fixed("make")).arguments([Word::fixed("build")])
    }

    fn run(config: &Values, arguments: &Values) -> Result<Command, BadCall> {
        add(bare(), config, arguments, Governance::Governed)
    }

    fn extra(line: &str) -> Result<Command, BadCall> {
        run(&Values::default(), &Values::of([(&EXTRA_ARGS, json!(line))]))
    }

    #[test]
    fn listed_flags_and_plain_variables_pass_as_they_are() {
        for (line, expected) in [
            ("", ""),
            ("-j", "-j"),
            ("-j 4", "-j4"),
            ("-j4 -k -n -s -B --no-print-directory", "-j4|-k|-n|-s|-B|--no-print-directory"),
            ("-j -k", "-j|-k"),
            ("-j1024", "-j1024"),
            ("A=", "A="),
            ("A=-f", "A=-f"),
            ("_a1='x y' B=a=b", "_a1=x y|B=a=b"),
            ("FILES=*.c,?[a]{b}~%@+!/:^", "FILES=*.c,?[a]{b}~%@+!/:^"),
            ("A=a#b", "A=a#b"),
            ("A=日本", "A=日本"),
        ] {
            assert_eq!(extra(line).unwrap().words()[2..].join("|"), expected, "{line}");
        }
    }

    #[test]
    fn a_variable_of_a_call_is_a_change_for_policy_to_judge() {
        let changes = extra("MODE=fast NODE_OPTIONS=-r").unwrap().environment;
        let brought = |name: &str, value: &str| Change::new(name, value, Origin::Call);
        assert_eq!(changes, [brought("MODE", "fast"), brought("NODE_OPTIONS", "-r")]);
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for (line, expected) in [
            ("deploy", r#""deploy" would be another target"#),
            ("-j deploy", r#""deploy" would be another target"#),
            ("-k 4", r#""4" would be another target"#),
            ("a:b", r#""a:b" would be another target"#),
            ("--", r#""--" is no option that a call may pass to make"#),
            ("-", r#""-" is no option that a call may pass to make"#),
            ("-f x", r#""-f" is no option that a call may pass to make"#),
            ("-kf x", r#""-kf" is no option that a call may pass to make"#),
            ("-kn", r#""-kn" is no option that a call may pass to make"#),
            ("-i", r#""-i" is no option that a call may pass to make"#),
            ("--eval=x:", r#""--eval=x:" is no option that a call may pass to make"#),
            ("--no-print", r#""--no-print" is no option that a call may pass to make"#),
            ("-jx", r#""-jx" is no -j with a number from 1 to 1024"#),
            ("-j0", r#""-j0" is no -j with a number from 1 to 1024"#),
            ("-j+4", r#""-j+4" is no -j with a number from 1 to 1024"#),
            ("-j 99999999999", r#""-j99999999999" is no -j with a number from 1 to 1024"#),
            ("-j=4", r#""-j=4" is no -j with a number from 1 to 1024"#),
            ("''", r#""" is empty"#),
            ("NAME:=x", r#""NAME:=x" is no plain NAME=value"#),
            ("NAME!=id", r#""NAME!=id" is no plain NAME=value"#),
            ("NAME+=x", r#""NAME+=x" is no plain NAME=value"#),
            ("'A =x'", r#""A =x" is no plain NAME=value"#),
            ("'export A=x'", r#""export A=x" is no plain NAME=value"#),
            ("=x", r#""=x" is no plain NAME=value"#),
            ("1A=x", r#""1A=x" is no plain NAME=value"#),
            (".SHELLFLAGS=-xc", r#"".SHELLFLAGS=-xc" is no plain NAME=value"#),
            ("é=x", r#""é=x" is no plain NAME=value"#),
            ("A='x #y'", "the value of A holds #"),
        ] {
            let bad = extra(line).unwrap_err();
            assert_eq!((bad.kind, bad.message), (BadCallKind::Refused, format!("extra_args: {expected}")));
            assert!(bad.help.is_some());
        }
        for line in ["A=;x", "A='$(id)'", "'`id`'", "A=x\n"] {
            assert_eq!(extra(line).unwrap_err().kind, BadCallKind::Refused, "{line:?}");
        }
    }

    #[test]
    fn a_variable_of_the_environment_begins_no_comment_in_a_recipe() {
        for (value, expected) in [
            ("a b#c", None),
            ("x #y", Some("env: the value of MODE holds #")),
            ("#", Some("env: the value of MODE holds #")),
        ] {
            let said = run(&Values::default(), &Values::of([(&ENV, json!({"MODE": value}))]));
            assert_eq!(said.err().map(|bad| bad.message).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn the_words_of_a_person_are_passed_on() {
        let arguments = Values::of([
            (&EXTRA_ARGS, json!("deploy SHELL=/x 'A=$(id); x' -f other --eval=x: -j99999 CC:=x")),
            (&ENV, json!({"MODE": "x #y"})),
        ]);
        let none = Values::of([(&ALLOW_PARALLEL, json!(false))]);
        let command = add(bare(), &none, &arguments, Governance::Free).unwrap();
        let words = "make|build|deploy|SHELL=/x|A=$(id); x|-f|other|--eval=x:|-j99999|CC:=x";
        assert_eq!(command.words().join("|"), words);
        assert_eq!(command.environment, []);
    }

    #[test]
    fn jobs_obey_the_settings() {
        let most = Values::of([(&PARALLEL_JOBS, json!(4))]);
        let none = Values::of([(&ALLOW_PARALLEL, json!(false)), (&PARALLEL_JOBS, json!(4))]);
        for (config, line, expected) in [
            (&most, "-j4", None),
            (
                &most,
                "-j 5",
                Some("\"-j5\" asks for more jobs than the settings allow with `parallel_jobs: 4`"),
            ),
            (&most, "-j", Some("\"-j\" asks for more jobs than the settings allow with `parallel_jobs: 4`")),
            (&none, "-j1", Some("\"-j1\" is not allowed: the settings say `allow_parallel: false`")),
            (&none, "-k", None),
        ] {
            let said = run(config, &Values::of([(&EXTRA_ARGS, json!(line))])).err().map(|bad| bad.message);
            assert_eq!(said, expected.map(|expected| format!("extra_args: {expected}")), "{line}");
        }
        assert_eq!((config::jobs(&most), config::jobs(&none)), (Some(4), None));
    }
}
