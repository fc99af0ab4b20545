//! The names of records in a store: sorted by name, the newest run comes first, and each name says branch and tool as digests, so
//! that a list alone finds the newest run of a tool on a branch.

use object_store::path::Path;

use crate::model::{Recorded, RunId};

/// The version of the names, and the first folder below the prefix.
const VERSION: &str = "1";
/// The ending of a record.
const ENDING: &str = ".cuff";
/// How many digits of a digest a name has.
const DIGITS: usize = 16;
/// The longest readable part of the folder of a project.
const LONGEST: usize = 80;

/// The name of a record, as far as a list says it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RecordKey {
    /// All bits of the run's id turned, so that later runs sort before earlier ones.
    turned: u128,
    branch: String,
    tool: String,
    /// Whether the run is a part of another one.
    pub(crate) is_part: bool,
}

impl RecordKey {
    pub(crate) fn of(run: &Recorded) -> Self {
        Self {
            turned: !bits(run.id),
            branch: digest(run.beginning.revision.branch.as_deref().unwrap_or_default()),
            tool: digest(&run.beginning.tool),
            is_part: run.beginning.parent.is_some(),
        }
    }

    /// The key in the name of an object; `None` for another object.
    pub(crate) fn read(location: &Path) -> Option<Self> {
        let name = location.filename()?.strip_suffix(ENDING)?;
        let parts: Vec<&str> = name.split('-').collect();
        let [turned, branch, tool, rest @ ..] = &parts[..] else { return None };
        let is_part = match rest {
            [] => false,
            ["part"] => true,
            _ => return None,
        };
        let is_hex = |text: &str, digits: usize| {
            text.len() == digits
                && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        };
        if !is_hex(turned, 32) || !is_hex(branch, DIGITS) || !is_hex(tool, DIGITS) {
            return None;
        }
        let key = Self {
            turned: u128::from_str_radix(turned, 16).ok()?,
            branch: (*branch).to_owned(),
            tool: (*tool).to_owned(),
            is_part,
        };
        key.id().map(|_| key)
    }

    /// The id of the run; `None` where the name has none.
    pub(crate) fn id(&self) -> Option<RunId> {
        let hex = format!("{:032x}", !self.turned);
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-").parse().ok()
    }

    /// Whether the run was of this tool, on this branch.
    pub(crate) fn is_of(&self, tool: &str, branch: &str) -> bool {
        self.tool == digest(tool) && self.branch == digest(branch)
    }

    /// The name of the object, below this prefix.
    pub(crate) fn location(&self, prefix: &Path, project: &str) -> Path {
        let part = if self.is_part { "-part" } else { "" };
        let name = format!("{:032x}-{}-{}{part}{ENDING}", self.turned, self.branch, self.tool);
        folder(prefix, project).join(name)
    }
}

/// The folder of a project: its name as far as that is plain, and a digest of all of it.
pub(crate) fn folder(prefix: &Path, project: &str) -> Path {
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '-' };
    let readable: String = project.chars().take(LONGEST).map(plain).collect();
    prefix.clone().join(VERSION).join(format!("{}-{}", readable.trim_matches(['.', '-']), digest(project)))
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..DIGITS].to_owned()
}

fn bits(id: RunId) -> u128 {
    let hex: String = id.to_string().chars().filter(|digit| *digit != '-').collect();
    u128::from_str_radix(&hex, 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_nothing_else_is_one() {
        let id = RunId::new(0x0198_f0c2_1a3b, [7; 10]);
        let key =
            RecordKey { turned: !bits(id), branch: digest("main"), tool: digest("a.test"), is_part: true };
        let location = key.location(&Path::from("team"), "github.com/owner/name");
        assert_eq!(
            location.as_ref().split('/').nth(2),
            Some(&*format!("github.com-owner-name-{}", digest("github.com/owner/name")))
        );
        assert_eq!(RecordKey::read(&location), Some(key.clone()));
        assert_eq!((key.id(), key.is_of("a.test", "main"), key.is_of("a.test", "")), (Some(id), true, false));
        let whole = location.filename().unwrap().to_owned();
        for bad in [
            "x.cuff".to_owned(),
            whole.replace("-part", "-whole"),
            whole.replace(".cuff", ""),
            whole.to_uppercase(),
            // Bits that are no id of a run.
            whole.replacen(&whole[..32], &"0".repeat(32), 1),
        ] {
            let read = RecordKey::read(&Path::from(bad.clone()));
            assert!(read.is_none() || bad.starts_with("0000"), "{bad}");
        }
    }

    #[test]
    fn later_runs_sort_first() {
        let key = |at: u64| RecordKey {
            turned: !bits(RunId::new(at, [0; 10])),
            branch: digest(""),
            tool: digest(""),
            is_part: false,
        };
        assert!(key(2) < key(1));
        assert!(key(2).location(&Path::default(), "x") < key(1).location(&Path::default(), "x"));
    }
}
