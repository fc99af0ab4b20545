//! The signs in a recipe that only make understands.

/// Signs that make replaces, and text for a shell. `$<` and `$|` would be redirections and pipes.
const MAKES_OWN: [(&str, &str); 7] = [
    ("$(MAKE)", "make"),
    ("${MAKE}", "make"),
    ("$(RM)", "rm -f"),
    ("${RM}", "rm -f"),
    ("$$", "$"),
    ("$<", "$_"),
    ("$|", "$_"),
];

/// A text without the signs that only make understands. The number of its lines stays the same.
pub(super) fn without_make(text: &str) -> String {
    let mut is_continued = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        lines.push(if is_continued { line } else { bare.trim_start_matches(['@', '-', '+', ' ', '\t']) });
        is_continued = line.ends_with('\\');
    }
    let mut text = lines.join("\n");
    for (make, shell) in MAKES_OWN {
        if text.contains(make) {
            text = text.replace(make, shell);
        }
    }
    text
}
