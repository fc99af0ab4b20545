//! The real folder of a plan, with its links followed.

use std::path::Path;

use super::Refusal;
use crate::model::{BadCall, Command, Identity, shown};
use crate::sys::{files, folder};

/// The folder in which a plan's process is to start, opened once. The opened folder is judged, not its name.
/// `None` if there is none; starting the tool reports that. `base` is the folder of the tool without the
/// call's choice; the settings may have put that outside of the project.
///
/// # Errors
/// When the call chose it, and it leads out of the project and of `base`.
pub(super) fn judge(
    root: &Path,
    command: &Command,
    base: Option<&Path>,
) -> Result<Option<Identity>, Refusal> {
    let directory = &command.directory;
    let opened = folder::open(&root.join(directory)).ok();
    let real = opened
        .as_ref()
        .map_or_else(|| files::canonical(&root.join(directory)), |opened| opened.path().to_owned());
    if base.is_some_and(|base| !is_inside(root, &real, base)) {
        return Err(leads_out(directory, &real));
    }
    Ok(opened.map(|opened| opened.identity()))
}

fn is_inside(root: &Path, real: &Path, base: &Path) -> bool {
    real.starts_with(files::canonical(root)) || real.starts_with(files::canonical(&root.join(base)))
}

fn leads_out(directory: &Path, real: &Path) -> Refusal {
    let [given, real] = [directory, real].map(|path| shown(&path.display().to_string()));
    BadCall::refused(format!("cwd: {given} leads out of the project, to {real}"))
        .help("name a folder inside the project; links in it are followed")
        .into()
}
#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes the folders and links that are looked at")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::model::Word;

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
            let command = Command::new(Word::fixed("sh")).directory(directory);
            let verdict = judge(&root, &command, Some(Path::new(base)));
            assert_eq!(verdict.is_ok(), passes, "{directory} below {base}: {verdict:?}");
        }
    }
}
