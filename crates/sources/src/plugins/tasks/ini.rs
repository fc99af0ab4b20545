//! The format INI, as tox reads it.

/// Section, key and value of each entry of a text in the format INI; a section begins with an entry without a key.
pub(in crate::plugins) fn ini_entries(text: &str) -> Vec<(String, String, String)> {
    let mut found: Vec<(String, String, String)> = Vec::new();
    let mut section = String::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        if line.starts_with('[') {
            line.trim_end().clone_into(&mut section);
            found.push((section.clone(), String::new(), String::new()));
        } else if line.starts_with([' ', '\t']) {
            if let Some((.., value)) = found.last_mut() {
                value.push('\n');
                value.push_str(line.trim());
            }
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            found.push((section.clone(), key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}
