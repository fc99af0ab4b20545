//! The prefixes that runners of several jobs write before each line: `packages/a test: `, `web:build: `, `[0] `.
//!
//! A prefix is known once its job has been announced: by pnpm's `packages/a test$ vitest run`, turbo's `web:build: cache
//! miss`, or the banner of npm and yarn behind it, `[0] > a@1.0.0 build`.

/// A line that announces a job has one of these.
pub(super) const SIGNS: [&str; 4] = ["$ ", "> ", ": cache miss", ": cache hit"];

/// The longest prefix, in bytes.
const LONGEST: usize = 120;

/// The prefix of the job that a line announces, and the folder that it runs in, where the line says.
pub(super) fn announced(text: &str) -> Option<(String, Option<String>)> {
    let fits = |prefix: &&str| !prefix.trim().is_empty() && prefix.len() <= LONGEST;
    by_pnpm(text).or_else(|| {
        let found = by_turbo(text).or_else(|| by_banner(text));
        found.filter(fits).map(|prefix| (prefix.to_owned(), None))
    })
}

/// `packages/a test$ vitest run`: the lines of the job begin with `packages/a test: `.
fn by_pnpm(text: &str) -> Option<(String, Option<String>)> {
    let (job, _) = text.split_once("$ ")?;
    let (folder, script) = job.split_once(' ')?;
    let is_word = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '$');
    let fits = is_word(folder) && is_word(script) && job.len() < LONGEST;
    fits.then(|| (format!("{job}: "), Some(folder.to_owned())))
}

/// `web:build: cache miss, executing 0123`.
fn by_turbo(text: &str) -> Option<&str> {
    let at = text.find(": cache miss").or_else(|| text.find(": cache hit"))?;
    let job = &text[..at];
    (job.contains([':', '#']) && !job.contains(char::is_whitespace)).then(|| &text[..at + 2])
}

/// `[0] > name@1.0.0 script`.
fn by_banner(text: &str) -> Option<&str> {
    let (prefix, banner) = text.split_once("> ")?;
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
            assert_eq!(announced(text).map(|(prefix, _)| prefix).as_deref(), prefix, "{text}");
        }
    }
}
