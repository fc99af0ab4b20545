//! Removals that no build restores: of files outside of the project, or of all of it.

/// Folders that the system or its user clears anyway.
const TEMPORARY: [&str; 6] = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/private/tmp", "/var/folders"];

/// Whether `rm` with these words recursively removes files outside of the project, or the project itself.
pub(super) fn rm(words: &[&str]) -> bool {
    let is_recursive = words.iter().any(|word| {
        *word == "--recursive"
            || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
    });
    is_recursive && reaches_out(words)
}

/// Whether one of these paths lies outside of the project, or is all of it.
pub(super) fn reaches_out(words: &[&str]) -> bool {
    words.iter().filter(|word| !word.starts_with('-')).any(|word| is_outside(word))
}

fn is_outside(path: &str) -> bool {
    let path = path.trim_matches(['"', '\'']);
    let is_temporary = TEMPORARY.iter().any(|folder| {
        let rest = path.strip_prefix(folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && !rest.contains(".."))
    });
    let is_home =
        path.starts_with('~') || ["$HOME", "${HOME", "$(HOME"].iter().any(|home| path.starts_with(home));
    let is_all = matches!(path, "." | "./" | "*" | "./*" | ".git" | "./.git" | ".." | "../*");
    is_home || is_all || path.starts_with('/') && !is_temporary
}
