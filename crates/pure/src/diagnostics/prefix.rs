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

use super::word_search::begins;
use crate::model::text::{find, split_once};

/// A line that announces a job has one of these.
pub(super) const TRIGGERS: [&str; 5] = ["$ ", "> ", ": cache miss", ": cache hit", "] RUN "];

/// The longest prefix, in bytes.
const LONGEST: usize = 120;

/// The prefix of each line of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefix {
    text: String,
    /// The first eight bytes of the text, and which of these it has.
    begins: (u64, u64),
    /// Behind the text stands how many seconds have gone by.
    timed: bool,
}

impl Prefix {
    fn new(text: String, timed: bool) -> Self {
        Self { begins: begins(text.as_bytes()), text, timed }
    }

    /// The job's own part of a line; `None` for a line of another job.
    pub(super) fn strip<'a>(&self, line: &'a str) -> Option<&'a str> {
        // Most lines of other jobs are told from it by eight bytes at once.
        let (value, mask) = self.begins;
        if line.as_bytes().first_chunk().is_some_and(|eight| u64::from_le_bytes(*eight) & mask != value) {
            return None;
        }
        let rest = line.strip_prefix(&self.text)?;
        if !self.timed {
            return Some(rest);
        }
        // Of a step docker itself says something as well, without a time.
        untimed(rest).or_else(|| (!self.text.is_empty()).then_some(rest))
    }
}

/// A prefix in brackets without an announcement, `[1] ` or `[web] ` as concurrently writes them; whether it
/// is a number, and the line behind it. A severity such as `[error] ` is no job.
pub(super) fn bracketed(text: &str) -> Option<(Prefix, bool, &str)> {
    const LEVELS: [&str; 14] = [
        "debug", "err", "error", "fatal", "fail", "hint", "info", "log", "note", "notice", "success",
        "trace", "warn", "warning",
    ];
    let (job, rest) = text.strip_prefix('[')?.split_once("] ")?;
    let is_number = !job.is_empty() && job.len() < 4 && job.bytes().all(|byte| byte.is_ascii_digit());
    let is_name =
        job.len() < LONGEST && job.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    let is_job = is_number || (is_name && !LEVELS.contains(&job.to_lowercase().as_str()));
    let prefix = Prefix::new(format!("[{job}] "), false);
    (is_job && !rest.starts_with([' ', '['])).then_some((prefix, is_number, rest))
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
    let plain = |text: String| Prefix::new(text, false);
    if let Some((prefix, folder)) = by_pnpm(text) {
        return Some((plain(prefix), folder));
    }
    if let Some(step) = by_docker(text) {
        return Some((Prefix::new(step.to_owned(), true), None));
    }
    if let Some(prefix) = by_turbo(text).filter(fits) {
        let task = prefix.trim_end_matches([':', ' ']);
        return Some((plain(prefix.to_owned()), Some(task_folder(task))));
    }
    by_banner(text).filter(fits).map(|prefix| (plain(prefix.to_owned()), None))
}

/// Stands for the folder of a task of turbo, which only its end says: no name in a log begins so.
pub(super) fn task_folder(task: &str) -> String {
    format!("\0{}\0", task.replace('#', ":"))
}

/// The command of docker's `#8 [4/5] RUN npm ci`, or of ` > [4/5] RUN npm ci:` above its repeated output.
fn by_docker(text: &str) -> Option<&str> {
    let (step, command) = text.split_once('[')?;
    let (stage, _) = split_once(command, "] RUN ")?;
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
    let (job, _) = split_once(text, "$ ")?;
    let (folder, script) = job.split_once(' ')?;
    let is_word = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '$');
    let fits = is_word(folder) && is_word(script) && job.len() < LONGEST;
    fits.then(|| (format!("{job}: "), Some(folder.to_owned())))
}

/// `web:build: cache miss, executing 0123`.
fn by_turbo(text: &str) -> Option<&str> {
    let at = find(text, ": cache miss").or_else(|| find(text, ": cache hit"))?;
    let job = &text[..at];
    (job.contains([':', '#']) && !job.contains(char::is_whitespace)).then(|| &text[..at + 2])
}

/// `[0] > name@1.0.0 script`.
fn by_banner(text: &str) -> Option<&str> {
    let (prefix, banner) = split_once(text, "> ")?;
    let (package, script) = banner.split_once(' ')?;
    let (name, version) = package.rsplit_once('@')?;
    let numbered = version.starts_with(|c: char| c.is_ascii_digit());
    (numbered && !name.is_empty() && !script.is_empty()).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_announced() {
        for (text, prefix) in [
            ("packages/a test$ vitest run", Some("packages/a test: ")),
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
