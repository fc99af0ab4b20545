//! The interpreter of a script: from the settings, its shebang, its extension, or the script itself, in this
//! order.

use std::borrow::Cow;

use crate::model::{ErrorCode, File, Problem, Values, Word};

use super::config::INTERPRETERS;
use super::shebang;

/// The interpreter by extension, for scripts that name none.
const DEFAULTS: &[(&str, &[&str])] = &[
    ("sh", &["/bin/sh"]),
    ("bash", &["/bin/bash"]),
    ("zsh", &["/bin/zsh"]),
    ("py", &["python3"]),
    ("rb", &["ruby"]),
    ("js", &["node"]),
    ("ts", &["npx", "ts-node"]),
    ("pl", &["perl"]),
    ("php", &["php"]),
];

/// The interpreters of the settings, by extension without its dot.
#[derive(Debug)]
pub(super) struct ConfiguredInterpreters<'a>(Vec<(&'a str, Option<Vec<String>>)>);

/// The interpreter of a script.
#[derive(Debug)]
pub(super) struct ScriptInterpreter {
    /// Program and words before the script's path; empty when the script runs directly.
    pub(super) words: Vec<Word>,
    /// An oddity of the shebang, and the way to correct it.
    pub(super) oddity: Option<(&'static str, &'static str)>,
}

/// No interpreter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// The settings name one that cannot be understood, which is a problem of its own.
    Misconfigured,
    /// No setting, shebang or extension names one, and the script is not executable.
    NotExecutable,
}

impl<'a> ConfiguredInterpreters<'a> {
    /// Reads the settings. A setting that cannot be parsed is a problem.
    pub(super) fn new(config: &'a Values) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut all = Vec::new();
        for (extension, line) in config.pairs(&INTERPRETERS) {
            let words = shlex::split(line).filter(|words| words.first().is_some_and(|word| !word.is_empty()));
            if words.is_none() {
                let message = format!("The interpreter for `{extension}` cannot be understood: {line:?}");
                problems.push(Problem::error(ErrorCode::InvalidProgram, message).help(
                    "write a program and its words under `interpreters`, such as `.py: python3 -u`; until \
                     then these scripts are not offered",
                ));
            }
            all.push((extension.strip_prefix('.').unwrap_or(extension), words));
        }
        (Self(all), problems)
    }

    /// The interpreter of this file.
    pub(super) fn interpreter(&self, extension: &str, file: &File) -> Result<ScriptInterpreter, Unknown> {
        if let Some((_, words)) = self.0.iter().find(|(configured, _)| *configured == extension) {
            let words = words.as_ref().ok_or(Unknown::Misconfigured)?;
            return Ok(ScriptInterpreter { words: words.iter().map(Word::settings).collect(), oddity: None });
        }
        let shebang = if is_binary(file) { shebang::Shebang::default() } else { shebang::read(&file.bytes) };
        let words = if shebang.words.is_empty() {
            let default = DEFAULTS.iter().find(|(known, _)| *known == extension);
            default.map(|(_, words)| words.iter().copied().map(Word::fixed).collect())
        } else {
            Some(shebang.words.into_iter().map(Word::fixed).collect())
        };
        match words {
            Some(words) => Ok(ScriptInterpreter { words, oddity: shebang.oddity }),
            None if file.executable => Ok(ScriptInterpreter { words: Vec::new(), oddity: shebang.oddity }),
            None => Err(Unknown::NotExecutable),
        }
    }
}

impl ScriptInterpreter {
    /// The words as the list tool shows them; `None` when the script runs directly.
    pub(super) fn line(&self) -> Option<String> {
        let words: Vec<_> = self.words.iter().map(|word| word.text.as_str()).collect();
        let line = shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "));
        (!words.is_empty()).then_some(line)
    }

    /// The instruction if the program is not installed.
    pub(super) fn advice(&self, extension: &str) -> Option<Cow<'static, str>> {
        let program = self.words.first()?.text.as_str();
        let install = match program.rsplit_once('/').map_or(program, |(_, name)| name) {
            "python3" | "python" => "install Python 3: https://www.python.org/downloads/".into(),
            "node" => "install Node.js: https://nodejs.org/".into(),
            "npx" => "install Node.js, which brings npx: https://nodejs.org/".into(),
            "ruby" => "install Ruby: https://www.ruby-lang.org/".into(),
            "php" => "install PHP: https://www.php.net/".into(),
            _ => format!("install {program}"),
        };
        let advice = match extension {
            "" => format!("{install}; or name another interpreter in the script's first line"),
            _ => format!(
                "{install}; or name another interpreter for `.{extension}` under `interpreters` in the settings"
            ),
        };
        Some(advice.into())
    }
}

/// Whether something usually runs scripts with this extension.
pub(super) fn is_usual(extension: &str) -> bool {
    DEFAULTS.iter().any(|(known, _)| *known == extension)
}

/// Whether a file is not text: a NUL byte among the first 8192.
pub(super) fn is_binary(file: &File) -> bool {
    file.bytes.contains(&0)
}
