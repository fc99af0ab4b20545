//! Commands that runners of scripts print before they start them, and comments: a text in one that looks like an error is none.

/// Whether what stands before a place is no file but the beginning of a command: `> echo src/a.js`, `$ node -e 'src/a.js`.
pub(super) fn is_command(file: &str) -> bool {
    let has_word = |word: &str| file.split(' ').rev().skip(1).any(|part| part == word);
    let opens = |quote: char| {
        let begins = file.char_indices().any(|(at, c)| c == quote && file[..at].ends_with([' ', '(']));
        begins && file.matches(quote).count() % 2 == 1
    };
    ["> ", "$ ", "+ ", "# "].iter().any(|mark| file.starts_with(mark))
        || file.contains("$ ")
        || ['\'', '"'].into_iter().any(opens)
        || ["echo", "printf"].into_iter().any(has_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Reader;
    use crate::dialect::trial::lines;
    use crate::model::{Chunk, Stream};

    /// As npm 11.19.1, yarn 1.22.22, pnpm 12.21.0, make 4.3 and just 1.59.0 printed the same script here.
    #[test]
    fn an_echo_of_a_command_is_no_finding() {
        let gcc = "src/a.js:3:4: error: no wind";
        let tsc = "src/a.ts(3,4): error TS1005: no wind";
        let ruff = "src/a.py:3:4: E501 too long";
        for (before, behind) in [
            ("\n> boats@1.0.0 lint\n> ", "\n"),
            ("yarn run v1.22.22\nwarning package.json: No license field\n$ ", ""),
            ("$ ", ""),
            ("", ""),
            ("packages/web lint$ ", ""),
            ("+ ", ""),
        ] {
            for (error, told) in [
                (gcc, "error src/a.js:3:4 no wind"),
                (tsc, "error src/a.ts:3:4 TS1005 no wind"),
                (ruff, "error src/a.py:3:4 E501 too long"),
            ] {
                for echo in [format!("echo '{error}'; exit 1"), format!("echo {error}; false")] {
                    let log = format!("{before}{echo}\n{behind}{error}\n");
                    let mut reader = Reader::new("/boats".as_ref(), ".".as_ref(), Vec::new()).compiling(true);
                    reader.push(Chunk::new(Stream::Both, log.as_bytes()));
                    let found = reader.finish();
                    let all = lines(&found);
                    assert!(found.errors == 1 && all[0].starts_with(told), "{log}\n{all:?}");
                }
            }
        }
    }

    #[test]
    fn files_are_no_commands() {
        for file in [
            "src/a.js",
            "my file.c",
            "it's.c",
            "app/(tides)/page.tsx",
            "C:\\My Files\\a.cs",
            "/a \"b\".js",
            "echo.c",
            "src/echo/a.c",
        ] {
            assert!(!is_command(file), "{file}");
        }
    }
}
