//! The history that git shows: messages of commits, and lines with their authors, look like the output that somebody pasted there.

/// The words of the line that begins the head of a commit.
pub(super) const TRIGGER: &str = "Author: ";

/// Where a log of git is.
#[derive(Debug, Default)]
pub(super) struct GitLog {
    /// The message of a commit is read.
    is_open: bool,
}

impl GitLog {
    /// Whether each line matters, since it may end the message.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether a line is the history's own. `before` gives the line before.
    pub(super) fn has(&mut self, text: &str, before: impl FnOnce() -> String) -> bool {
        if text.starts_with(TRIGGER) {
            let before = before();
            self.is_open = is_commit(&before) || before.starts_with("Merge: ");
        } else if self.is_open {
            let heads = ["Date: ", "AuthorDate: ", "Commit: ", "CommitDate: "];
            let is_head = heads.iter().any(|head| text.starts_with(head));
            self.is_open = text.is_empty() || text.starts_with("    ") || is_head || is_commit(text);
        }
        self.is_open || is_blamed(text)
    }
}

/// `commit 0123456789abcdef0123456789abcdef01234567 (HEAD -> main)`
fn is_commit(text: &str) -> bool {
    let hash = text.strip_prefix("commit ").and_then(|rest| rest.get(..40));
    hash.is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// `0123abcd src/a.ts (Ada 2026-03-01 10:12:13 +0100 3) the line`
fn is_blamed(text: &str) -> bool {
    let hash = text.trim_start_matches('^');
    if !hash.as_bytes().first().is_some_and(u8::is_ascii_hexdigit) {
        return false;
    }
    let length = hash.bytes().take_while(u8::is_ascii_hexdigit).count();
    let head = hash.split_once(") ").map_or("", |(head, _)| head);
    let (Some((_, who)), true) = (head.split_once(" ("), (7..=40).contains(&length)) else { return false };
    let mut words = who.rsplit(' ').filter(|word| !word.is_empty());
    let (line, zone, time) = (words.next(), words.next(), words.next());
    let is_zone = |zone: &str| zone.len() == 5 && zone.starts_with(['+', '-']);
    line.is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit()))
        && zone.is_some_and(is_zone)
        && time.is_some_and(|time| time.len() == 8 && time.matches(':').count() == 2)
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Reader;
    use crate::dialect::trial::lines;
    use crate::model::{Chunk, Stream};

    fn read(log: &str) -> Vec<String> {
        let mut reader = Reader::of(&crate::dialect::ALL);
        reader.push(Chunk::new(Stream::Both, log.as_bytes()));
        lines(&reader.finish())
    }

    /// As git 2.39 prints it.
    #[test]
    fn the_message_of_a_commit_is_no_output() {
        let log = "commit d33bc06f16c67d3b1feb2c1c98ac5d1d61a30d77 (HEAD -> main)\nAuthor: Ada <ada@example.org>\n\
                   Date:   Fri Nov 27 22:00:00 2026 +0000\n\n    Mend the tide\n    \n    src/a.ts(3,4): error TS2322: No.\n\
                   \x20   thread 'main' panicked at src/main.rs:3:5:\n\n";
        assert!(read(log).is_empty(), "{:?}", read(log));
        let real = "src/b.ts(3,4): error TS2322: No.\n";
        assert_eq!(read(&format!("{log}{real}{}", real.replace('b', "c"))).len(), 2);
        assert_eq!(read(&format!("Author: Ada\n    {real}")).len(), 1);
    }

    /// As git 2.39 prints it.
    #[test]
    fn a_line_with_its_author_is_no_output() {
        for line in [
            "^d33bc06 (Ada L 2026-11-27 22:00:00 +0000 1) src/a.ts(3,4): error TS2322: No.",
            "d33bc06f log.txt (Ada 2026-11-27 22:00:00 +0000 12) a.py:1:1: F401 `os` imported but unused",
        ] {
            assert!(read(&format!("{line}\n")).is_empty(), "{line}: {:?}", read(line));
        }
        assert_eq!(read("deadbeef (x).ts(3,4): error TS2322: No.\n").len(), 1);
    }
}
