//! The output of `uname`, known without running it: this program was built for one system.

use super::scan::is_space;

/// The output of a shell command that asks `uname` for the name of the system or the machine, in one of the
/// ways of Makefiles. `None` for every other command, and if another system or machine could answer.
pub(super) fn printed(command: &str) -> Option<&'static str> {
    let command = command.trim_matches(is_space);
    let inner = command.strip_prefix("sh -c '").and_then(|rest| rest.strip_suffix('\''));
    let command = inner.unwrap_or(command);
    // For MSYS alone, where it makes no difference to which system this is.
    let command = command.strip_prefix("MSYSTEM=\"MSYS\" ").unwrap_or(command);
    let question = without_fallback(command)?.trim_matches(is_space).strip_prefix("uname")?;
    match question.trim_matches(is_space) {
        "" | "-s" => system(),
        "-m" => machine(),
        _ => None,
    }
}

/// The command without `2>/dev/null` and `|| echo WORD`, which only count where there is no `uname`.
fn without_fallback(command: &str) -> Option<&str> {
    let (command, fallback) = match command.split_once("||") {
        Some((command, fallback)) => (command, Some(fallback.trim_matches(is_space).strip_prefix("echo ")?)),
        None => (command, None),
    };
    let is_plain = fallback.is_none_or(|word| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    let command = command.trim_end_matches(is_space);
    let silent = command.strip_suffix("/dev/null").map(|rest| rest.trim_end_matches(is_space));
    let command = match silent {
        Some(rest) => rest.strip_suffix("2>")?,
        None => command,
    };
    is_plain.then_some(command)
}

const fn system() -> Option<&'static str> {
    if cfg!(target_os = "linux") {
        Some("Linux")
    } else if cfg!(target_os = "macos") {
        Some("Darwin")
    } else {
        None
    }
}

/// The name of the machine. A program of 32 bits may run on a machine of 64, so only 64 bits are certain.
const fn machine() -> Option<&'static str> {
    if cfg!(target_arch = "x86_64") && cfg!(any(target_os = "linux", target_os = "macos")) {
        Some("x86_64")
    } else if cfg!(all(target_arch = "aarch64", target_os = "linux")) {
        Some("aarch64")
    } else if cfg!(all(target_arch = "aarch64", target_os = "macos")) {
        Some("arm64")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uname_is_known_in_the_ways_that_makefiles_ask_it() {
        for command in [
            "uname",
            " uname -s ",
            "uname 2>/dev/null",
            "uname -s 2> /dev/null",
            "sh -c 'uname -s 2>/dev/null || echo not'",
            "sh -c 'MSYSTEM=\"MSYS\" uname'",
            "uname || echo Unknown",
        ] {
            assert_eq!(printed(command), system(), "{command}");
        }
        assert_eq!(printed("sh -c 'uname -m 2>/dev/null || echo not'"), machine());
        for command in [
            "",
            "uname -r",
            "uname -sm",
            "uname; ls",
            "uname | tr A-Z a-z",
            "uname || ls",
            "uname >/dev/null",
            "uname && id",
            "/tmp/uname",
            "unames",
            "uname $(id)",
            "uname || echo `id`",
        ] {
            assert_eq!(printed(command), None, "{command}");
        }
    }
}
