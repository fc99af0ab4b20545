//! Where the folder that a call chose really is, once links in it are followed.

use std::path::Path;

use super::run::Request;
use crate::engine::Engine;
use crate::engine::RunError;
use crate::model::{BadCall, CWD, Command, Identity, Role, shown};
use crate::registry::Registered;
use crate::sys::{files, folder};

impl Engine {
    /// The folder in which a call's command is to start, opened once: where it lies is judged by what was opened. `None`
    /// where there is none.
    ///
    /// # Errors
    /// When the call chose it, and it leads out of the project by now.
    pub(crate) fn folder(
        &self,
        found: &Registered,
        command: &Command,
        request: &Request,
    ) -> Result<Option<Identity>, RunError> {
        let Ok(opened) = folder::open(&self.root.join(&command.directory)) else { return Ok(None) };
        let base = match &found.tool.role {
            Role::Run { command, .. } if request.arguments.contains_key(CWD.name) => Some(&command.directory),
            _ => None,
        };
        let is_inside = base.is_none_or(|base| is_inside(&self.root, opened.path(), base));
        if is_inside {
            return Ok(Some(opened.identity()));
        }
        let outside = leads_out(&command.directory, opened.path());
        Err(RunError::bad_call(self.prefix(found), outside, request.caller))
    }
}

/// Refuses a folder that leads out of the project, and out of where the tool works otherwise (`base`): the settings may
/// have put that elsewhere. One that is not there leads nowhere, and starting the tool says so.
///
/// # Errors
/// When it leads elsewhere.
pub(crate) fn inside(root: &Path, directory: &Path, base: &Path) -> Result<(), BadCall> {
    let real = files::canonical(&root.join(directory));
    if is_inside(root, &real, base) { Ok(()) } else { Err(leads_out(directory, &real)) }
}

fn is_inside(root: &Path, real: &Path, base: &Path) -> bool {
    real.starts_with(files::canonical(root)) || real.starts_with(files::canonical(&root.join(base)))
}

fn leads_out(directory: &Path, real: &Path) -> BadCall {
    let [given, real] = [directory, real].map(|path| shown(&path.display().to_string()));
    BadCall::refused(format!("cwd: {given} leads out of the project, to {real}"))
        .help("name a folder inside the project; links in it are followed")
}

/// The project's root as absolute paths may begin with it.
pub(crate) fn roots(root: &Path) -> Vec<String> {
    let real = files::canonical(root);
    let mut roots: Vec<String> =
        [root, &real].into_iter().filter_map(Path::to_str).map(str::to_owned).collect();
    roots.retain(|root| root.starts_with('/') && root.len() > 1);
    roots.dedup();
    roots
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes the folders and links that are looked at")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        for name in ["root/web/deep", "rooted", "shared/deep"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        symlink("web", root.join("inner")).unwrap();
        symlink("../shared", root.join("outer")).unwrap();
        symlink("../../rooted", root.join("web/near")).unwrap();
        for (directory, base, passes) in [
            (".", ".", true),
            ("web/deep", "web", true),
            ("inner/deep", ".", true),
            ("not-there", ".", true),
            ("outer", ".", false),
            ("outer/deep", "web", false),
            ("web/near", "web", false),
            ("../shared/deep", "../shared", true),
            ("../shared/deep", "outer", true),
            ("../rooted", "../shared", false),
        ] {
            let verdict = inside(&root, Path::new(directory), Path::new(base));
            assert_eq!(verdict.is_ok(), passes, "{directory} below {base}: {verdict:?}");
        }
    }
}
