//! Extra arguments: one string in, words that make takes for nothing but what they look like out.
//!
//! make reads its command line by itself, so each word is another way in. Only a listed flag or a plain
//! `NAME=value` passes. What was tried on make 4.3, and why the rest is refused:
//!
//! | word | what make does |
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
//! (`$(shell …)`), so what a shell would act on is refused in both. Options may stand behind the target, whatever
//! `POSIXLY_CORRECT` says; and make hands a value to the makes below it as one word.

use super::config::{self, ALLOW_PARALLEL, EXTRA_ARGS, MOST_JOBS, PARALLEL_JOBS};
use crate::model::{BadCall, Change, Command, ENV, Origin, Values, Word, dangerous, shown, split_words};

/// The flags that pass as they are.
const FLAGS: &[&str] = &["-k", "-n", "-s", "-B", "--no-print-directory"];

/// What passes, for messages.
const ALLOWED: &str = "allowed are -j, -jN, -k, -n, -s, -B, --no-print-directory and NAME=value";

/// Names that make itself acts on, and those whose values its built-in rules run or hand to what they run, which
/// loads code for `-fplugin=x` or `--plugin x`.
const ACTED_ON: &[&str] = &[
    "SHELL MAKEFLAGS MAKEFILES GNUMAKEFLAGS MFLAGS MAKEOVERRIDES MAKE MAKELEVEL MAKECMDGOALS MAKEFILE_LIST",
    "MAKE_COMMAND MAKE_RESTARTS MAKE_TERMOUT MAKE_TERMERR MAKE_VERSION MAKE_HOST MAKESHELL COMSPEC",
    "VPATH GPATH CURDIR SUFFIXES",
    "AR AS CC CPP CXX F77 FC M2C OBJC PC CO GET LD LEX YACC LINT RM MAKEINFO TEX TEXI2DVI WEAVE CWEAVE TANGLE CTANGLE",
    "ARFLAGS ASFLAGS COFLAGS DEFFLAGS F77FLAGS FFLAGS GFLAGS LFLAGS LINTFLAGS M2FLAGS MAKEINFO_FLAGS MODFLAGS OBJCFLAGS",
    "PFLAGS RFLAGS TEXI2DVI_FLAGS YFLAGS LDLIBS LOADLIBES OUTPUT_OPTION SCCS_OUTPUT_OPTION TARGET_ARCH TARGET_MACH",
];

/// The command with a call's extra arguments behind the target. What the call sets is an environment change too,
/// since make exports it to recipes: so policy judges it by the same table as `env`.
pub(super) fn add(mut command: Command, config: &Values, arguments: &Values) -> Result<Command, BadCall> {
    for (name, value) in arguments.pairs(&ENV) {
        settable("env", name, value)?;
    }
    let mut words = split_words(arguments.text(&EXTRA_ARGS))?.into_iter().peekable();
    while let Some(word) = words.next() {
        let word = match words.next_if(|next| word == "-j" && is_number(next)) {
            Some(jobs) => word + &jobs,
            None => word,
        };
        if let Some(jobs) = word.strip_prefix("-j") {
            parallel(&word, jobs, config)?;
        } else if let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_plain(name)) {
            settable("extra_args", name, value)?;
            let change = Change { name: name.to_owned(), value: value.to_owned(), origin: Origin::Call };
            command.environment.push(change);
        } else if !FLAGS.contains(&word.as_str()) {
            return Err(refused(&word));
        }
        command.arguments.push(Word::call(word));
    }
    Ok(command)
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

/// Whether make may run as many jobs as `-j` and what is joined to it ask for.
fn parallel(word: &str, jobs: &str, config: &Values) -> Result<(), BadCall> {
    let no = |why: String, help: &str| {
        Err(BadCall::refused(format!("extra_args: \"{}\" {why}", shown(word))).help(help))
    };
    let wanted = jobs.parse().ok().filter(|wanted| is_number(jobs) && (1..=MOST_JOBS).contains(wanted));
    if !jobs.is_empty() && wanted.is_none() {
        return no(format!("is no -j with a number from 1 to {MOST_JOBS}"), ALLOWED);
    }
    if !config.flag(&ALLOW_PARALLEL) {
        let help = "call it without -j; whoever writes the settings can allow it";
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

/// Refuses a variable that make acts on, or whose value could be more than text in the line of a recipe.
fn settable(parameter: &str, name: &str, value: &str) -> Result<(), BadCall> {
    if ACTED_ON.iter().flat_map(|line| line.split_ascii_whitespace()).any(|acted_on| acted_on == name) {
        let what = format!("{parameter}: {name} may not be set by a call: make acts on it, or runs it");
        return Err(BadCall::refused(what).help(format!(
            "leave it out; whoever writes the settings can set it with `make_command: make {name}=…`"
        )));
    }
    let odd = value.chars().find(|character| "<>'\"\\".contains(*character) || character.is_control());
    let comment = value.split(' ').any(|word| word.starts_with('#')).then(|| "#".to_owned());
    let odd = dangerous(value).or_else(|| odd.map(|odd| odd.escape_default().to_string())).or(comment);
    odd.map_or(Ok(()), |odd| {
        Err(BadCall::refused(format!("{parameter}: the value of {} holds {odd}", shown(name)))
            .help(
                "make pastes values into lines for a shell: leave out ; | & ` $ ( ) < > quotes, backslashes, line \
                 breaks and comments",
            ))
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::model::{Complaint, EnvironmentPolicy};

    fn run(config: &Values, arguments: &Values) -> Result<Command, BadCall> {
        let command = Command {
            program: Word::fixed("make"),
            arguments: vec![Word::fixed("build")],
            directory: PathBuf::from("."),
            environment: Vec::new(),
            environment_policy: EnvironmentPolicy::Inherit,
            timeout: Duration::from_mins(5),
            script: None,
            needs_yes: false,
            if_missing: None,
        };
        add(command, config, arguments)
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
    fn what_a_call_sets_is_a_change_for_policy_to_judge() {
        let changes = extra("MODE=fast NODE_OPTIONS=-r").unwrap().environment;
        let brought = |name: &str, value: &str| Change {
            name: name.to_owned(),
            value: value.to_owned(),
            origin: Origin::Call,
        };
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
            ("SHELL=/x", "SHELL may not be set by a call: make acts on it, or runs it"),
            ("CC=/x", "CC may not be set by a call: make acts on it, or runs it"),
            ("A='<x'", "the value of A holds <"),
            ("A='a\\b'", r"the value of A holds \\"),
            ("A=\"it's\"", r"the value of A holds \'"),
            ("A='x #y'", "the value of A holds #"),
            ("A='a\tb'", r"the value of A holds \t"),
        ] {
            let bad = extra(line).unwrap_err();
            assert_eq!((bad.complaint, bad.message), (Complaint::Refused, format!("extra_args: {expected}")));
            assert!(bad.help.is_some());
        }
        for line in ["A=;x", "A='$(id)'", "'`id`'", "A=x\n"] {
            assert_eq!(extra(line).unwrap_err().complaint, Complaint::Refused, "{line:?}");
        }
    }

    #[test]
    fn variables_of_the_environment_are_make_s_as_well() {
        for (name, value, expected) in [
            ("MODE", "a b", None),
            ("MODE", "$(shell id)", Some("env: the value of MODE holds $")),
            ("MODE", "x; id", Some("env: the value of MODE holds ;")),
            ("MODE", "x\ny", Some(r"env: the value of MODE holds \n")),
            (
                "MAKECMDGOALS",
                "x",
                Some("env: MAKECMDGOALS may not be set by a call: make acts on it, or runs it"),
            ),
        ] {
            let arguments = Values::of([(&ENV, json!({name: value}))]);
            let said = run(&Values::default(), &arguments).err().map(|bad| bad.message);
            assert_eq!(said.as_deref(), expected);
        }
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
