//! The format INI, as tox reads it.

/// The first line that tox takes for no part of the format, and the reason.
pub(in crate::plugins) fn ini_fault(text: &str) -> Option<(usize, &'static str)> {
    let mut has_section = false;
    // The margin of the entry that a line further in goes on with.
    let mut entry: Option<usize> = None;
    for (at, line) in text.lines().enumerate() {
        let own = line.trim();
        let margin = line.len() - line.trim_start().len();
        if own.is_empty() || own.starts_with(['#', ';']) || entry.is_some_and(|entry| margin > entry) {
            continue;
        }
        if own.strip_prefix('[').is_some_and(|rest| rest.find(']').is_some_and(|end| end > 0)) {
            (has_section, entry) = (true, None);
        } else if !has_section {
            return Some((at + 1, "it stands before the first section"));
        } else if own.find(['=', ':']).is_none_or(|end| end == 0) {
            return Some((at + 1, "it is neither a section nor a key with a value"));
        } else {
            entry = Some(margin);
        }
    }
    None
}

/// Section, key and value of each entry of a text in the format INI; a section begins with an entry without a key.
pub(in crate::plugins) fn ini_entries(text: &str) -> Vec<(String, String, String)> {
    let mut found: Vec<(String, String, String)> = Vec::new();
    let mut section = String::new();
    // The margin of the entry that a line further in goes on with.
    let mut entry: Option<usize> = None;
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        let margin = line.len() - line.trim_start().len();
        if entry.is_some_and(|entry| margin > entry) {
            if let Some((.., value)) = found.last_mut() {
                value.push('\n');
                value.push_str(line.trim());
            }
        } else if let Some(end) = line.find(']').filter(|_| line.trim_start().starts_with('[')) {
            line[margin..=end].clone_into(&mut section);
            entry = None;
            found.push((section.clone(), String::new(), String::new()));
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            entry = Some(margin);
            found.push((section.clone(), key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_may_stand_further_in_and_comments_behind_a_section() {
        let text =
            "[tox]\n  env_list = a\n    b\n  c: d\n[testenv:e] ; comment\n[testenv:f]# c\nx =\n\n  1\n";
        let found =
            ini_entries(text).into_iter().map(|(section, key, value)| format!("{section} {key} {value:?}"));
        insta::assert_snapshot!(found.collect::<Vec<_>>().join("\n"), @r#"
        [tox]  ""
        [tox] env_list "a\nb"
        [tox] c "d"
        [testenv:e]  ""
        [testenv:f]  ""
        [testenv:f] x "\n1"
        "#);
    }

    #[test]
    fn the_first_line_that_is_no_part_of_the_format_is_found() {
        for (text, expected) in [
            ("# a\n[tox]\n  indented = 1\nenv_list =\n  a\n\n  b\nkey: value\n[testenv:a]\n", None),
            ("[tox\nenv_list = a", Some((1, "it stands before the first section"))),
            ("[tox]\na = 1\nnonsense\n", Some((3, "it is neither a section nor a key with a value"))),
            ("[tox]\n= 1\n", Some((2, "it is neither a section nor a key with a value"))),
            ("[tox]\na = 1\n[]\n", Some((3, "it is neither a section nor a key with a value"))),
        ] {
            assert_eq!(ini_fault(text), expected, "{text}");
        }
    }
}
