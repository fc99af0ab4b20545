//! The prefixes that runners of several jobs write before each line: `packages/a test: `, `web:build: `,
//! `[0] `.
//!
//! A prefix is known once its job has been announced, in one of these forms:
//!
//! - pnpm's `packages/a test$ vitest run`;
//! - turbo's `web:build: cache miss`;
//! - the banner of npm and yarn behind it, `[0] > a@1.0.0 build`;
//! - docker's `#8 [4/5] RUN npm ci`, whose lines are `#8 0.988 npm error`, and those of its summary
//!   `0.988 npm error`.

/// A line that announces a job has one of these.
pub(super) const TRIGGERS: [&str; 6] =
    ["$ ", "> ", ": cache miss", ": cache hit", ": cache bypass", "] RUN "];

/// The longest prefix, in bytes.
const LONGEST: usize = 120;

/// The prefix of each line of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefix {
    text: String,
    /// Behind the text stands how many seconds have gone by.
    timed: bool,
}

impl Prefix {
    /// Whether nothing but a time stands before a line.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The job's own part of a line; `None` for a line of another job.
    pub(super) fn strip<'a>(&self, line: &'a str) -> Option<&'a str> {
        let Some(rest) = line.strip_prefix(&self.text) else {
            // Before a blank line programs leave out the last blanks.
            return (!self.timed && line == self.text.trim_end()).then_some("");
        };
        if !self.timed {
            return Some(rest);
        }
        // Of a step docker itself says something as well, without a time.
        untimed(rest).or_else(|| (!self.text.is_empty()).then_some(rest))
    }
}

/// How sure it is that the text before a line is a prefix, by its shape alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrefixCertainty {
    /// `[web] `, `web-1  | `, `@acme/web: `, `packages/web check: `, `#10 3.871 `.
    Runner,
    /// `web: `, `web:check: `, as many messages begin.
    Words,
}

/// A text that looks like a prefix, though no job was announced.
#[derive(Debug)]
pub(super) struct Shaped<'a> {
    pub(super) prefix: Prefix,
    pub(super) shape: PrefixCertainty,
    /// The folder of the job, or what stands for it.
    pub(super) folder: Option<String>,
    /// The line behind it.
    pub(super) rest: &'a str,
}

/// The prefix that a line may have.
pub(super) fn shaped(text: &str) -> Option<Shaped<'_>> {
    let found = |prefix: &str, shape, folder| {
        let (text, timed) = (prefix.to_owned(), false);
        Shaped { prefix: Prefix { text, timed }, shape, folder, rest: "" }
    };
    let (length, mut shaped) = match text.as_bytes().first()? {
        b'[' => {
            let (job, behind) = text[1..].split_once(']')?;
            let end = ["] ", "]: "].into_iter().find(|end| text[job.len() + 1..].starts_with(end));
            let length = job.len() + 1 + end.map_or(1, str::len);
            is_job(job).then_some(())?;
            (end.is_some() || behind.is_empty()).then_some(())?;
            // Vite begins messages of its own so.
            (end != Some("]: ") || job != "vite").then_some(())?;
            (length, found(&text[..length], PrefixCertainty::Runner, Some(task_folder(job))))
        }
        b'#' => {
            let step = text.split(' ').next()?;
            untimed(text.get(step.len() + 1..)?)?;
            is_number(&step[1..]).then_some(())?;
            let length = step.len() + 1;
            let prefix = Prefix { text: text[..length].to_owned(), timed: true };
            (length, Shaped { prefix, shape: PrefixCertainty::Runner, folder: None, rest: "" })
        }
        // All others begin with a name. Most lines that are no text of a person are told by this byte.
        first if !first.is_ascii() || first.is_ascii_alphabetic() || *first == b'@' => {
            let (length, shape, folder) = piped(text).or_else(|| with_colon(text))?;
            (length, found(&text[..length], shape, Some(folder)))
        }
        _ => return None,
    };
    shaped.rest = shaped.prefix.strip(text).unwrap_or(&text[length..]);
    (length <= LONGEST).then_some(shaped)
}

/// The prefix of a line of which the first word is the name of a job.
pub(super) fn named(text: &str) -> Option<Shaped<'_>> {
    if let Some((name, _)) = text.split_once(']').filter(|(name, _)| !name.contains([' ', '['])) {
        let rest = text[name.len() + 1..].strip_prefix(' ')?;
        let prefix = Prefix { text: text[..name.len() + 2].to_owned(), timed: false };
        return Some(Shaped {
            prefix,
            shape: PrefixCertainty::Runner,
            folder: Some(task_folder(name)),
            rest,
        });
    }
    let name = word(text);
    let rest = text[name.len()..].strip_prefix(' ').filter(|_| !name.is_empty())?;
    let prefix = Prefix { text: text[..=name.len()].to_owned(), timed: false };
    Some(Shaped { prefix, shape: PrefixCertainty::Runner, folder: Some(task_folder(name)), rest })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Words before a message that say how bad something is, and the tag of a loader's messages.
const NO_NAMES: [&str; 18] = [
    "debug", "err", "error", "fatal", "fail", "failed", "hint", "help", "info", "log", "note", "notice",
    "success", "trace", "tsl", "usage", "warn", "warning",
];
/// Programs that begin their messages with their names and a colon.
const PROGRAMS: [&str; 27] = [
    "make",
    "npm",
    "gcc",
    "cc",
    "ld",
    "collect2",
    "sh",
    "bash",
    "node",
    "python",
    "python3",
    "cargo",
    "go",
    "cmake",
    "cuff",
    "dash",
    "zsh",
    "ksh",
    "ash",
    "directory",
    "docker",
    "git",
    "awk",
    "jq",
    "psql",
    "mawk",
    "gawk",
];

/// Whether a name in brackets may be a job's. A severity such as `[error] ` is none, nor a plugin of vite, `[vite:css] `.
fn is_job(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | ' ' | '@' | '/');
    let is_share = name.split_once('/').is_some_and(|(one, all)| is_number(one.trim()) && is_number(all));
    let begins = |c: char| c.is_alphanumeric() || c == '@';
    // So bundlers write the code of an error.
    let is_code = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    name.len() < 60
        && !is_code
        && name.starts_with(begins)
        && name.chars().all(fits)
        && !is_share
        && !name.starts_with("vite:")
        && (is_number(name) || name.chars().any(char::is_alphabetic))
        && !NO_NAMES.contains(&name.to_lowercase().as_str())
}

/// `web-1  | text`, as compose, foreman, overmind and moon print it: how long that is, and the folder.
fn piped(text: &str) -> Option<(usize, PrefixCertainty, String)> {
    let name = word(text);
    let rest = text[name.len()..].trim_start_matches(' ');
    let blanks = text.len() - name.len() - rest.len();
    let fits = !name.is_empty() && blanks > 0 && (rest == "|" || rest.starts_with("| "));
    let length = text.len() - rest.len() + rest.len().min(2);
    fits.then(|| (length, PrefixCertainty::Runner, task_folder(name)))
}

/// The word of a name that a text begins with.
fn word(text: &str) -> &str {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '/' | ':');
    let end = text.find(|c| !fits(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_alphabetic() || c == '@') { &text[..end] } else { "" }
}

/// `@acme/web: `, `packages/web check: `, `web:check: `, `web: `: how long that is, and the folder.
fn with_colon(text: &str) -> Option<(usize, PrefixCertainty, String)> {
    let first = word(text);
    let (job, folder) = if let Some(job) = first.strip_suffix(':') {
        (job, None)
    } else {
        let script = word(text.get(first.len() + 1..)?).strip_suffix(':')?;
        (!script.is_empty() && text[first.len()..].starts_with(' ')).then_some(())?;
        let folder = (first.contains('/') && !first.starts_with('@')).then(|| first.to_owned());
        (&text[..=first.len() + script.len()], folder)
    };
    let length = job.len() + 1;
    let rest = &text[length..];
    let is_word = |part: &str| {
        let part = part.to_lowercase();
        NO_NAMES.contains(&part.as_str()) || PROGRAMS.contains(&part.as_str())
    };
    let is_named =
        |job: &str| job.split([':', ' ']).all(|part| !part.is_empty() && !is_number(part) && !is_word(part));
    ((rest.is_empty() || rest.starts_with(' ')) && is_named(job)).then_some(())?;
    let is_scoped = job.starts_with('@') && job.contains('/');
    // A file's name or an address is no job, and a letter is a compiler's severity.
    if !is_scoped && folder.is_none() && (job.contains(['.', '/']) || job.len() == 1) {
        return None;
    }
    let shape = if is_scoped || folder.is_some() { PrefixCertainty::Runner } else { PrefixCertainty::Words };
    let length = length + usize::from(rest.starts_with(' '));
    Some((length, shape, folder.unwrap_or_else(|| task_folder(job))))
}

/// `0.988 npm error` without the time.
fn untimed(text: &str) -> Option<&str> {
    let (seconds, rest) = text.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_time = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
    let rest = &rest[digits..];
    let rest = rest.strip_prefix(' ').or_else(|| rest.is_empty().then_some(rest))?;
    (is_time && (1..=3).contains(&digits)).then_some(rest)
}

/// The prefix of the job that a line announces, and the folder that it runs in, where the line says.
pub(super) fn announced(text: &str) -> Option<(Prefix, Option<String>)> {
    let fits = |prefix: &&str| !prefix.trim().is_empty() && prefix.len() <= LONGEST;
    let plain = |text: String| Prefix { text, timed: false };
    if let Some((prefix, folder)) = by_pnpm(text) {
        return Some((plain(prefix), folder));
    }
    if let Some(step) = by_docker(text) {
        return Some((Prefix { text: step.to_owned(), timed: true }, None));
    }
    if let Some(prefix) = by_turbo(text).filter(fits) {
        let task = prefix.trim_end_matches([':', ' ']);
        return Some((plain(prefix.to_owned()), Some(task_folder(task))));
    }
    let (prefix, package) = by_banner(text).filter(|(prefix, _)| fits(prefix))?;
    Some((plain(prefix.to_owned()), Some(task_folder(package))))
}

/// The bar before what a job of pnpm prints on a terminal, below its announcement.
pub(super) fn boxed() -> Prefix {
    Prefix { text: "│ ".to_owned(), timed: false }
}

/// Stands for the folder of a task of turbo, which only its end says: no name in a log begins so.
pub(super) fn task_folder(task: &str) -> String {
    format!("\0{}\0", task.replace('#', ":"))
}

/// The command of docker's `#8 [4/5] RUN npm ci`, or of ` > [4/5] RUN npm ci:` above its repeated output.
fn by_docker(text: &str) -> Option<&str> {
    let (step, command) = text.split_once('[')?;
    let (stage, _) = command.split_once("] RUN ")?;
    let number = stage.rsplit(' ').next()?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_numbered = number.split_once('/').is_some_and(|(at, of)| digits(at) && digits(of));
    let is_step = step.strip_prefix('#').and_then(|step| step.strip_suffix(' ')).is_some_and(digits);
    match step {
        _ if !is_numbered || step.len() > LONGEST => None,
        " > " => Some(""),
        _ => Some(step).filter(|_| is_step),
    }
}

/// `packages/a test$ vitest run`: the lines of the job begin with `packages/a test: `.
fn by_pnpm(text: &str) -> Option<(String, Option<String>)> {
    let (job, _) = text.split_once("$ ")?;
    let (folder, script) = job.rsplit_once(' ')?;
    let is_word = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '$');
    // Blanks stand in the names of folders within others.
    let is_folder = is_word(folder) || folder.contains('/') && folder.split(' ').all(is_word);
    let fits = is_folder && is_word(script) && job.len() < LONGEST;
    fits.then(|| (format!("{job}: "), Some(folder.to_owned())))
}

/// `web:build: cache miss, executing 0123`.
fn by_turbo(text: &str) -> Option<&str> {
    let at = text.find(": cache ")?;
    let state = &text[at + ": cache ".len()..];
    ["miss", "hit", "bypass"].iter().any(|known| state.starts_with(known)).then_some(())?;
    let job = &text[..at];
    (job.contains([':', '#']) && !job.contains(char::is_whitespace)).then(|| &text[..at + 2])
}

/// The sign for the folder of the package that npm announces, `> name@1.0.0 script`.
pub(super) fn package_folder(text: &str) -> Option<String> {
    by_banner(text).map(|(_, package)| task_folder(package))
}

/// Whether a folder is that of a job that is known by its number alone.
pub(super) fn is_numbered(folder: Option<&str>) -> bool {
    folder.is_some_and(|folder| is_number(folder.trim_matches('\0').split(' ').next().unwrap_or_default()))
}

/// The prefix of `[0] > name@1.0.0 script`, and the name.
fn by_banner(text: &str) -> Option<(&str, &str)> {
    let (prefix, banner) = text.split_once("> ")?;
    let (package, script) = banner.split_once(' ')?;
    let (name, version) = package.rsplit_once('@')?;
    let numbered = version.starts_with(|c: char| c.is_ascii_digit());
    (numbered && !name.is_empty() && !script.is_empty()).then_some((prefix, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_announced() {
        for (text, prefix) in [
            ("packages/a test$ vitest run", Some("packages/a test: ")),
            ("packages/my app test$ vitest run", Some("packages/my app test: ")),
            ("web:build: cache miss, executing 5f1a", Some("web:build: ")),
            ("web#build: cache hit, replaying logs 5f1a", Some("web#build: ")),
            ("[0] > a@1.0.0 build", Some("[0] ")),
            ("web:build: > @scope/web@0.1.0 build /x", Some("web:build: ")),
            ("> a@1.0.0 build", None),
            ("$ vitest run", None),
            ("it costs 5$ a day", None),
            ("a > b", None),
            ("the cache miss, no job: cache miss", None),
        ] {
            assert_eq!(announced(text).map(|(prefix, _)| prefix.text).as_deref(), prefix, "{text}");
        }
    }

    #[test]
    fn steps_of_docker_say_when() {
        let step = announced("#12 [web build 6/6] RUN npm run build").unwrap().0;
        let summary = announced(" > [4/5] RUN npm ci:").unwrap().0;
        for (line, of_step, of_summary) in [
            ("#12 5.103 a.ts(1,2): error", Some("a.ts(1,2): error"), None),
            ("#12 10.5", Some(""), None),
            ("#12 ERROR: process", Some("ERROR: process"), None),
            ("#13 5.103 x", None, None),
            ("5.103 x", None, Some("x")),
            ("1.2.3 x", None, None),
            ("ERROR: x", None, None),
        ] {
            assert_eq!((step.strip(line), summary.strip(line)), (of_step, of_summary), "{line}");
        }
        for text in
            ["#12 [internal] load build definition", "#x [1/2] RUN a", "# [1/2] RUN a", "see [1] RUN x"]
        {
            assert_eq!(announced(text), None, "{text}");
        }
    }
}
