//! The interpreter in a script's first line, read as the kernel and `env` read it.

/// The first line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shebang {
    /// The interpreter and its words; empty when the line names none that can be used.
    pub(super) words: Vec<String>,
    /// An oddity of the line, and the way to correct it.
    pub(super) oddity: Option<(&'static str, &'static str)>,
}

/// The longest line that Linux reads.
const LONGEST: usize = 255;

/// Reads the first line of a text file.
pub(super) fn read(head: &[u8]) -> Shebang {
    if head.starts_with(b"\xEF\xBB\xBF#!") {
        return none(
            "a byte order mark stands before `#!`",
            "save the file as UTF-8 without a byte order mark",
        );
    }
    let Some(rest) = head.strip_prefix(b"#!") else { return Shebang::default() };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    if line.len() + 2 > LONGEST {
        return none("the first line is longer than the 255 bytes that Linux reads", "shorten it");
    }
    let Ok(line) = str::from_utf8(line) else {
        return none("the first line is not UTF-8", "write the interpreter's path in UTF-8");
    };
    let (line, carriage) = line.strip_suffix('\r').map_or((line, false), |line| (line, true));
    let mut shebang = interpreter(line.trim_matches([' ', '\t']));
    if carriage && shebang.oddity.is_none() {
        shebang.oddity = Some((
            "the file has CRLF line endings, which the system and shells take for part of a word",
            "convert it to LF line endings",
        ));
    }
    shebang
}

/// The kernel takes the first word as the interpreter and all the rest as one argument.
fn interpreter(line: &str) -> Shebang {
    let (program, argument) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let argument = argument.trim_matches([' ', '\t']);
    if program.is_empty() {
        return Shebang::default();
    }
    if !program.starts_with('/') {
        return none(
            "the first line names its interpreter by a relative path, which depends on the working directory",
            "write its absolute path, or `#!/usr/bin/env NAME`",
        );
    }
    if program.ends_with("/env") {
        return env(program, argument);
    }
    words([program, argument])
}

/// `env NAME` looks for the program on the search path, as cuff does itself; `-S` makes words of its argument.
fn env(program: &str, argument: &str) -> Shebang {
    let split = argument.strip_prefix("-S").or_else(|| argument.strip_prefix("--split-string="));
    match split {
        // Variables and escapes are `env`'s own business.
        Some(text) if text.contains(['$', '\\']) => words([program, argument]),
        Some(text) => match shlex::split(text) {
            Some(parts) if parts.is_empty() => nameless(),
            Some(parts) if !parts[0].starts_with('-') && !parts[0].contains('=') => words(parts),
            _ => words([program, argument]),
        },
        None if argument.starts_with('-') => words([program, argument]),
        // `env` would set the variable, start the script again, and so on without end.
        None if argument.is_empty() || argument.contains('=') => nameless(),
        None if argument.contains([' ', '\t']) => Shebang {
            oddity: Some((
                "Linux hands everything after `env` over as one word, so no such program will be found",
                "write `#!/usr/bin/env -S` before the words",
            )),
            ..words([program, argument])
        },
        None => words([argument]),
    }
}

fn nameless() -> Shebang {
    none("`env` in the first line is given no interpreter", "write `#!/usr/bin/env NAME`")
}

fn none(message: &'static str, help: &'static str) -> Shebang {
    Shebang { words: Vec::new(), oddity: Some((message, help)) }
}

fn words<Text: Into<String>>(words: impl IntoIterator<Item = Text>) -> Shebang {
    let words = words.into_iter().map(Into::into).filter(|word: &String| !word.is_empty()).collect();
    Shebang { words, oddity: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_kernel_and_env_read_it() {
        for (head, expected) in [
            ("#!/bin/bash\nx", &["/bin/bash"][..]),
            ("#!/bin/bash", &["/bin/bash"]),
            ("#! /bin/sh\n", &["/bin/sh"]),
            ("#!\t/bin/sh \t -e \n", &["/bin/sh", "-e"]),
            ("#!/usr/bin/perl -w -T\n", &["/usr/bin/perl", "-w -T"]),
            ("#!/usr/bin/env python3\n", &["python3"]),
            ("#!/bin/env  node \n", &["node"]),
            ("#!/usr/bin/env -S python3 -u\n", &["python3", "-u"]),
            ("#!/usr/bin/env -Spython3\n", &["python3"]),
            ("#!/usr/bin/env --split-string=node --test 'a b'\n", &["node", "--test", "a b"]),
            ("#!/usr/bin/env -S ${PYTHON} -u\n", &["/usr/bin/env", "-S ${PYTHON} -u"]),
            ("#!/usr/bin/env -S -i sh\n", &["/usr/bin/env", "-S -i sh"]),
            ("#!/usr/bin/env -S A=1 sh\n", &["/usr/bin/env", "-S A=1 sh"]),
            ("#!/usr/bin/env -S 'open\n", &["/usr/bin/env", "-S 'open"]),
            ("#!/usr/bin/env -u\n", &["/usr/bin/env", "-u"]),
            ("#!/opt/envy/env2 x\n", &["/opt/envy/env2", "x"]),
            ("#!\n/bin/sh", &[]),
            ("#! \t\n", &[]),
            ("# !/bin/sh\n", &[]),
            (" #!/bin/sh\n", &[]),
            ("", &[]),
        ] {
            let shebang = read(head.as_bytes());
            assert_eq!(shebang.words, expected, "{head:?}");
            assert_eq!(shebang.oddity, None, "{head:?}");
        }
    }

    #[test]
    fn odd_first_lines_are_reported() {
        let long = format!("#!/{}\n", "x".repeat(253));
        for (head, words, oddity) in [
            (&b"#!/bin/bash\r\nx"[..], &["/bin/bash"][..], "the file has CRLF"),
            (b"#!/usr/bin/env python3\r\n", &["python3"], "the file has CRLF"),
            (b"#!/bin/sh -e\r", &["/bin/sh", "-e"], "the file has CRLF"),
            (b"#!/usr/bin/env python3 -u\n", &["/usr/bin/env", "python3 -u"], "Linux hands"),
            (b"#!/usr/bin/env\n", &[], "`env` in the first line"),
            (b"#!/usr/bin/env -S\n", &[], "`env` in the first line"),
            (b"#!/usr/bin/env A=1 sh\n", &[], "`env` in the first line"),
            (b"#!python3\n", &[], "the first line names its interpreter by a relative"),
            (b"#!../x/sh\n", &[], "the first line names its interpreter by a relative"),
            (b"#!/bin/\xff\n", &[], "the first line is not UTF-8"),
            (b"\xEF\xBB\xBF#!/bin/sh\n", &[], "a byte order mark"),
            (long.as_bytes(), &[], "the first line is longer"),
        ] {
            let shebang = read(head);
            assert_eq!(shebang.words, words, "{oddity}");
            let (message, _) = shebang.oddity.unwrap();
            assert!(message.starts_with(oddity), "{message}");
        }
        assert_eq!(read(&long.as_bytes()[..255]).words.len(), 1);
    }
}
