//! Which of eslint's flags a call may pass, and why it may not pass the others.

/// The value of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlagValue {
    /// Nothing.
    Nothing,
    /// A whole number.
    Number,
    /// File extensions, separated by commas.
    Extensions,
    /// Kinds of fixes, separated by commas.
    Kinds,
}

/// The kinds of fixes.
const KINDS: [&str; 4] = ["directive", "problem", "suggestion", "layout"];

/// The flags that every tool passes on; none of them loads, writes or hides anything.
const PASSED: &[(&str, FlagValue)] = &[
    ("--ext", FlagValue::Extensions),
    ("--quiet", FlagValue::Nothing),
    ("--max-warnings", FlagValue::Number),
    ("--no-inline-config", FlagValue::Nothing),
    ("--report-unused-disable-directives", FlagValue::Nothing),
    ("--no-warn-ignored", FlagValue::Nothing),
];

/// The flags that pass, for messages.
pub(super) const ALLOWED: &str = "allowed are --ext, --quiet, --max-warnings, --no-inline-config, \
                                  --report-unused-disable-directives, --no-warn-ignored and paths; settings.yml \
                                  can pass others with `command`";

/// The options of eslint that take the next word, and those that look at no files.
const VALUED: &str = "-c --config --env --ext --global --parser --parser-options --plugin --rule --rulesdir --flag \
                      --resolve-plugins-relative-to --ignore-path --ignore-pattern --max-warnings -o --output-file -f \
                      --format --cache-file --cache-location --cache-strategy --fix-type --stdin-filename --concurrency \
                      --suppressions-location --suppress-rule";
const WITHOUT_FILES: &str =
    "--stdin --init --mcp --print-config --inspect-config --env-info -h --help -v --version";

/// Whether the words of a person name files; eslint 8 prints its help if none do.
pub(super) fn name_files(words: &[String]) -> bool {
    let is_one_of = |list: &str, word: &str| list.split_ascii_whitespace().any(|option| option == word);
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if is_one_of(VALUED, word) {
            words.next();
        } else if !word.starts_with('-') || is_one_of(WITHOUT_FILES, word) {
            return true;
        }
    }
    false
}

/// The value of a flag that passes; `None` for other flags. The spelling must be exactly eslint's own.
pub(super) fn takes(flag: &str, fixes: bool) -> Option<FlagValue> {
    if fixes && flag == "--fix-type" {
        return Some(FlagValue::Kinds);
    }
    PASSED.iter().find(|(name, _)| *name == flag).map(|(_, takes)| *takes)
}

impl FlagValue {
    /// Whether this is a value for the flag.
    pub(super) fn fits(self, value: &str) -> bool {
        let each = |fits: fn(&str) -> bool| value.split(',').all(fits);
        match self {
            Self::Nothing => false,
            Self::Number => (1..=9).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit()),
            Self::Extensions => each(|part| {
                let mut names = part.strip_prefix('.').unwrap_or(part).split('.');
                names.all(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            }),
            Self::Kinds => each(|part| KINDS.contains(&part)),
        }
    }

    /// The expected value, for messages.
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Self::Nothing => "takes no value",
            Self::Number => "takes a whole number",
            Self::Extensions => "takes file extensions, separated by commas: .ts,.tsx",
            Self::Kinds => "takes problem, suggestion, layout or directive, separated by commas",
        }
    }
}

/// Why a flag does not pass, as eslint would read it: `--fix=true`, `--no-fix` and `--fixx` are all about fixing.
pub(super) fn refused(word: &str) -> (&'static str, &'static str) {
    let name: String = word
        .trim_start_matches('-')
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .filter(|letter| *letter != '-')
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let name = name.strip_prefix("no").unwrap_or(&name);
    let short = word.starts_with('-') && !word.starts_with("--");
    let about = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
    if about(&["fix"]) {
        ("changes files", "call the tool `fix`, which a person must say yes to")
    } else if (short && about(&["c"]))
        || about(&["config", "rulesdir", "plugin", "parser", "resolve", "flag"])
    {
        ("loads other code than the project's configuration does", ALLOWED)
    } else if (short && about(&["f", "o"])) || about(&["format", "output", "stats", "color", "debug"]) {
        ("changes the report, which is read here as JSON", ALLOWED)
    } else if about(&["cache"]) {
        ("writes a cache file", ALLOWED)
    } else if about(&["rule", "global", "env", "eslintrc", "ignore", "suppress", "prune", "pass", "error"]) {
        ("changes what counts as a problem", ALLOWED)
    } else if about(&["init", "mcp", "inspect"]) {
        ("downloads and starts another program", ALLOWED)
    } else {
        ("is no option that a call may pass to eslint", ALLOWED)
    }
}
