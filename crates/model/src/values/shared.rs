//! The values of the fields that mean the same in every plugin.

use std::path::PathBuf;
use std::time::Duration;

use super::Values;
use crate::shared_fields::{CWD, DEFAULT_TIMEOUT, ENVIRONMENT, ENVIRONMENT_POLICY, PROBLEM_MATCHERS, TRUST};
use crate::{BadCall, Change, Command, EnvironmentPolicy, Matcher, Origin, Word, is_hidden, path, shown};

impl Values {
    /// The folder that [`CWD`] names below this one; this one where a call does not say.
    ///
    /// # Errors
    /// When it is absolute and not inside the project, or climbs with `..`.
    pub fn directory(&self, working_directory: &str) -> Result<PathBuf, BadCall> {
        let cwd = self.text(&CWD);
        if let Some(inside) = self.inside_project(cwd).filter(|inside| !inside.contains(is_hidden)) {
            return Ok(path::join("", inside).into());
        }
        let why = if cwd.starts_with('/') {
            "is absolute, and not inside the project"
        } else if cwd.split('/').any(|part| part == "..") {
            "climbs with `..`"
        } else if cwd.contains(is_hidden) {
            "holds characters that cannot be seen"
        } else {
            return Ok(path::join(working_directory, cwd).into());
        };
        Err(BadCall::refused(format!("cwd: \"{}\" {why}", shown(cwd)))
            .help("name a folder inside the project, relative to `working_directory` of the settings"))
    }

    /// The time that [`DEFAULT_TIMEOUT`] gives.
    pub fn default_timeout(&self) -> Duration {
        Duration::from_secs(self.integer(&DEFAULT_TIMEOUT))
    }

    /// The matchers of [`PROBLEM_MATCHERS`].
    pub fn problem_matchers(&self) -> Vec<Matcher> {
        let given = self.iter().find(|(name, _)| *name == PROBLEM_MATCHERS.name);
        given.map(|(_, value)| Matcher::read_all(value, &mut |_, _| {})).unwrap_or_default()
    }

    /// Whether [`TRUST`] asks for texts that a person has approved.
    pub fn pins_texts(&self) -> bool {
        self.text(&TRUST) == "pinned"
    }

    /// The value of [`ENVIRONMENT_POLICY`].
    pub fn environment_policy(&self) -> EnvironmentPolicy {
        let clean = self.text(&ENVIRONMENT_POLICY) == EnvironmentPolicy::Clean.name();
        if clean { EnvironmentPolicy::Clean } else { EnvironmentPolicy::Inherit }
    }

    /// The changes that [`ENVIRONMENT`] makes.
    pub fn environment(&self) -> Vec<Change> {
        let change = |(name, value)| Change::new(name, value, Origin::Settings);
        self.pairs(&ENVIRONMENT).into_iter().map(change).collect()
    }

    /// A command with the environment and the time that these settings give the tools of their instance.
    pub fn command(&self, program: Word) -> Command {
        Command::new(program)
            .environment(self.environment())
            .environment_policy(self.environment_policy())
            .timeout(self.default_timeout())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_works_below_the_working_directory() {
        let roots = ["/srv/app".to_owned()];
        let directory = |cwd: &str| Values::of([(&CWD, json!(cwd))]).rooted(&roots).directory("web");
        assert_eq!(Values::default().directory("web").unwrap(), Path::new("web"));
        for (cwd, expected) in [
            ("", "web"),
            (".", "web"),
            ("a/./b/", "web/a/b"),
            ("..a", "web/..a"),
            ("~", "web/~"),
            ("-x", "web/-x"),
            ("/srv/app", "."),
            ("/srv/app/web/a", "web/a"),
            ("/srv/app/api/", "api"),
        ] {
            assert_eq!(directory(cwd).unwrap(), Path::new(expected), "{cwd}");
        }
        for (cwd, expected) in [
            ("..", r#"cwd: ".." climbs with `..`"#),
            ("a/../b", r#"cwd: "a/../b" climbs with `..`"#),
            ("a/..", r#"cwd: "a/.." climbs with `..`"#),
            ("/", r#"cwd: "/" is absolute, and not inside the project"#),
            ("/web", r#"cwd: "/web" is absolute, and not inside the project"#),
            ("/srv/other", r#"cwd: "/srv/other" is absolute, and not inside the project"#),
            ("/srv/app/../x", r#"cwd: "/srv/app/../x" is absolute, and not inside the project"#),
            ("/srv/app/a\u{202e}b", r#"cwd: "/srv/app/a\u{202e}b" is absolute, and not inside the project"#),
            ("a\0", r#"cwd: "a\u{0}" holds characters that cannot be seen"#),
            ("a\u{202e}b", r#"cwd: "a\u{202e}b" holds characters that cannot be seen"#),
        ] {
            assert_eq!(directory(cwd).unwrap_err().message, expected);
        }
    }
}
