//! Whether the package manager runs `pre…` and `post…` scripts along with one: its version and its configuration decide.

use super::manager::PNPM;
use crate::model::{Files, Seen, Want, path};
use crate::plugins::managers::PackageManager;

/// The configuration of npm and pnpm.
const NPMRC: &str = ".npmrc";

/// The files of yarn 2 and later.
const OF_YARN_2: [&str; 2] = [".yarnrc.yml", ".pnp.cjs"];

/// The files that decide it, for a package with such scripts in this folder.
pub(super) fn wants(manager: PackageManager, folder: &str) -> Vec<Want> {
    let names: &[&str] = match manager {
        PackageManager::Npm => &[NPMRC],
        PackageManager::Pnpm => &[PNPM, NPMRC],
        PackageManager::Yarn => &OF_YARN_2,
        PackageManager::Bun => &[],
    };
    let folders = path::upwards(folder);
    let all = folders.iter().flat_map(|folder| names.iter().map(|name| path::join(folder, name)));
    all.map(Want::File).collect()
}

/// A remark for a list of what runs along with a script, if it is not certain; `None`: nothing runs along. `asked` is the
/// field of package.json that names the manager.
pub(super) fn remark(
    manager: PackageManager,
    asked: Option<&str>,
    folder: &str,
    seen: &Files,
) -> Option<&'static str> {
    match manager {
        PackageManager::Bun => Some(""),
        PackageManager::Npm => {
            (setting(folder, seen, &[(NPMRC, "ignore-scripts=")]) != Some(true)).then_some("")
        }
        PackageManager::Pnpm => {
            let keys = [(PNPM, "enablePrePostScripts:"), (NPMRC, "enable-pre-post-scripts=")];
            match setting(folder, seen, &keys) {
                Some(false) => None,
                Some(true) => Some(""),
                None => Some(" (by pnpm 9 and later)"),
            }
        }
        PackageManager::Yarn => {
            let folders = path::upwards(folder);
            let mut files = folders.iter().flat_map(|folder| OF_YARN_2.map(|name| path::join(folder, name)));
            let version =
                asked.and_then(|asked| asked.split_once('@')).and_then(|(_, version)| major(version));
            let is_later = version.map_or_else(|| files.any(|file| seen.exists(&file)), |major| major > 1);
            (!is_later).then_some(" (by yarn 1)")
        }
    }
}

/// The value of a switch in the nearest folder whose files have it.
fn setting(folder: &str, seen: &Files, keys: &[(&str, &str)]) -> Option<bool> {
    let value = |folder: &str, (name, key): &(&str, &str)| {
        let Seen::File(file) = seen.files.get(&path::join(folder, name))? else { return None };
        let text = String::from_utf8_lossy(&file.bytes);
        let lines = text.lines().filter(|line| !line.starts_with([' ', '\t']));
        let mut values = lines.filter_map(|line| {
            let line: String = line.split_whitespace().collect();
            Some(line.strip_prefix(key)?.split('#').next()? == "true")
        });
        values.next_back()
    };
    path::upwards(folder).into_iter().find_map(|folder| keys.iter().find_map(|key| value(folder, key)))
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}
