//! The options of dotnet that pass, with the values that they take, and the reasons why others do not.

/// The commands that are offered.
pub(super) const BUILD: &str = "build";
pub(super) const TEST: &str = "test";
pub(super) const RESTORE: &str = "restore";
pub(super) const FORMAT: &str = "format";
pub(super) const RUN: &str = "run";

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum OptionValue {
    /// Letters, digits, `.`, `_` and `-`: `Release`, `net9.0`, `linux-x64`. No `;`, which parts properties of `MSBuild`.
    Name,
    /// An expression that selects tests.
    Filter,
    /// One of these.
    One(&'static [&'static str]),
}

/// An option with a value.
#[derive(Debug)]
pub(super) struct Valued {
    /// Its spellings.
    pub(super) names: &'static [&'static str],
    /// The kind of its value.
    pub(super) takes: OptionValue,
    tasks: &'static [&'static str],
}

const LEVELS: &[&str] = &["q", "quiet", "m", "minimal", "n", "normal", "d", "detailed", "diag", "diagnostic"];
const BUILDS: &[&str] = &[BUILD, TEST, RUN];
const ALL: &[&str] = &[BUILD, TEST, RUN, RESTORE];
const ANY: &[&str] = &[BUILD, TEST, RUN, RESTORE, FORMAT];

const VALUED: &[Valued] = &[
    Valued { names: &["-c", "--configuration"], takes: OptionValue::Name, tasks: BUILDS },
    Valued { names: &["-f", "--framework"], takes: OptionValue::Name, tasks: BUILDS },
    Valued { names: &["-r", "--runtime"], takes: OptionValue::Name, tasks: ALL },
    Valued { names: &["-a", "--arch"], takes: OptionValue::Name, tasks: ALL },
    Valued { names: &["--os"], takes: OptionValue::Name, tasks: ALL },
    Valued { names: &["-v", "--verbosity"], takes: OptionValue::One(LEVELS), tasks: ANY },
    Valued { names: &["--version-suffix"], takes: OptionValue::Name, tasks: &[BUILD] },
    Valued { names: &["--filter"], takes: OptionValue::Filter, tasks: &[TEST] },
    // By the names of Microsoft's own: others are code that a call would choose.
    Valued {
        names: &["--collect"],
        takes: OptionValue::One(&["XPlat Code Coverage", "Code Coverage"]),
        tasks: &[TEST],
    },
];

/// The options without a value that pass.
fn plain(task: &str) -> &'static str {
    match task {
        BUILD => {
            "--no-restore --no-incremental --no-dependencies --force --self-contained --no-self-contained --nologo \
             --disable-build-servers"
        }
        FORMAT => "--verify-no-changes --no-restore",
        RUN => "--no-build --no-restore",
        TEST => "--no-build --no-restore --list-tests -t --blame --nologo --disable-build-servers",
        _ => {
            "--locked-mode --no-cache --no-http-cache --no-dependencies --force --ignore-failed-sources \
             --disable-parallel --nologo --disable-build-servers"
        }
    }
}

/// Whether this is an option without a value that passes.
pub(super) fn is_plain(task: &str, word: &str) -> bool {
    plain(task).split_ascii_whitespace().any(|option| option == word)
}

/// The option with a value that a word is, and the value where it is joined to it with `=` or `:`.
pub(super) fn valued<'w>(task: &str, word: &'w str) -> Option<(&'static Valued, Option<&'w str>)> {
    let (name, value) = match word.split_once(['=', ':']) {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    let option = VALUED.iter().find(|option| option.tasks.contains(&task) && option.names.contains(&name))?;
    Some((option, value))
}

/// The words that pass, for messages.
pub(super) fn list(task: &str) -> String {
    let valued =
        VALUED.iter().filter(|option| option.tasks.contains(&task)).map(|option| option.names.join("|"));
    let plain = plain(task).split_ascii_whitespace().map(String::from);
    valued.map(|names| format!("{names} VALUE")).chain(plain).collect::<Vec<_>>().join(", ")
}

impl OptionValue {
    /// Whether the option accepts a value.
    pub(super) fn accepts(self, value: &str) -> bool {
        let letters = |first: &'static str, more: &'static str| {
            value.starts_with(|begin: char| begin.is_alphanumeric() || first.contains(begin))
                && value.chars().all(|c| c.is_alphanumeric() || more.contains(c))
        };
        match self {
            Self::Name => value.is_ascii() && letters("", "._-"),
            // MSBuild would take `;`, `%` and quotation marks for its own.
            Self::Filter => letters("(", "._-=!~&|()+ ,"),
            Self::One(values) => values.contains(&value),
        }
    }

    /// The expected value, for messages.
    pub(super) fn expected(self) -> String {
        match self {
            Self::Name => "a plain name of letters, digits, `.`, `_` and `-`".into(),
            Self::Filter => {
                "an expression such as FullyQualifiedName~Moon, without quotes, ; % $ and backslashes".into()
            }
            Self::One(values) => format!("one of {}", values.join(", ")),
        }
    }
}

/// Refused words, the reason, and the alternative. The words are beginnings as `MSBuild` and dotnet read
/// them, in lower case and with one dash. The first match counts.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "-o -output -artifacts-path -bl -binarylogger -fl -filelogger -flp -pp -preprocess -ts -targets -packages \
         -results-directory -diag -outputresultscache",
        "would write wherever it says",
        "what is printed is kept by cuff, and artifacts stay in bin/ and obj/",
    ),
    (
        "-p -property -rp -restoreproperty -e -environment -graph",
        "sets properties that decide what a build runs",
        "use -c, -f or -r, or write the property into the project",
    ),
    (
        "-l -logger -dl -distributedlogger -test-adapter-path -s -settings -collect",
        "loads code that a call would choose",
        "add loggers and adapters to the project itself",
    ),
    (
        "-source -configfile -interactive",
        "chooses where packages come from, or waits for a person",
        "that belongs into nuget.config",
    ),
    (
        "-t -target -getitem -getproperty -gettargetresult",
        "runs or reads other targets",
        "call the tool that is meant",
    ),
];

/// The reason why an option does not pass, and the alternative, if they are known.
pub(super) fn refused(word: &str) -> Option<(&'static str, &'static str)> {
    let word = word.to_ascii_lowercase();
    let name = format!("-{}", word.trim_start_matches(['-', '/']));
    let name = name.split(['=', ':']).next().unwrap_or_default();
    let exactly = |names: &str| names.split_ascii_whitespace().any(|refused| refused == name);
    REFUSED.iter().find(|(names, ..)| exactly(names)).map(|(_, why, instead)| (*why, *instead))
}
