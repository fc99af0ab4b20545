//! The pager of the person at this terminal.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::process::Stdio;

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use super::Environment;
use super::programs;

/// The variables that name a pager, the most important first.
const VARIABLES: [&str; 2] = ["CUFF_PAGER", "PAGER"];
/// The pager of somebody who has named none.
const USUAL: &str = "less";
/// The options of `less` for somebody who has set none: leave at once where the text fits, show colours, and leave
/// the text on the screen.
const OPTIONS_OF_LESS: (&str, &str) = ("LESS", "FRX");

/// Shows a text through the pager, and waits until the person leaves it. `false`: there is no pager, or the person
/// wants none, and nothing was shown.
///
/// # Errors
/// The operating system's, when the text cannot be handed over or the pager cannot be waited for.
#[expect(clippy::disallowed_methods, reason = "this is sys; a pager is a part of the terminal and no run")]
pub fn show(environment: &Environment, text: &str) -> io::Result<bool> {
    let Some(words) = words(|name| environment.raw(name)) else { return Ok(false) };
    let Some((program, arguments)) = words.split_first() else { return Ok(false) };
    let search_path = programs::inherited_search_path(environment);
    let Some(program) = programs::find(program, search_path, environment.directory()) else {
        return Ok(false);
    };
    let mut command = std::process::Command::new(program);
    command.args(arguments).env_clear().envs(environment.variables()).current_dir(environment.directory());
    let (name, options) = OPTIONS_OF_LESS;
    if environment.raw(name).is_none() {
        command.env(name, options);
    }
    // The pager hears Ctrl-C, even if cuff was started to hear none.
    let _before = Restored { before: set(SigHandler::SigDfl) };
    // A pager that does not start is as good as none.
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return Ok(false) };
    // Ctrl-C is for the pager while it is there: cuff must not leave it behind on the terminal.
    set(SigHandler::SigIgn);
    if let Some(mut input) = pager.stdin.take() {
        match input.write_all(text.as_bytes()) {
            // The person has read enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
    }
    pager.wait().map(|_| true)
}

/// The words of the pager's command line; `None`: the person wants none.
fn words<'a>(variable: impl Fn(&str) -> Option<&'a OsStr>) -> Option<Vec<String>> {
    let named = VARIABLES.iter().find_map(|name| variable(name));
    let line = named.map_or(Some(USUAL), OsStr::to_str)?;
    let words = shlex::split(line).filter(|words| !words.is_empty())?;
    (words != ["cat"]).then_some(words)
}

/// The action for Ctrl-C before the pager, which is in force again when this is dropped.
#[derive(Debug)]
struct Restored {
    before: Option<SigAction>,
}

impl Drop for Restored {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            act(before);
        }
    }
}

/// Sets what Ctrl-C does, and returns the action before.
fn set(handler: SigHandler) -> Option<SigAction> {
    act(&SigAction::new(handler, SaFlags::empty(), SigSet::empty()))
}

fn act(action: &SigAction) -> Option<SigAction> {
    // SAFETY: the action is the default one, ignores the signal, or was in force before: its handler is still there.
    #[expect(unsafe_code, reason = "nothing else has a signal ignored for a while")]
    unsafe { sigaction(Signal::SIGINT, action) }.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_variable_goes_first_and_an_empty_one_means_no_pager() {
        for (own, everybodys, expected) in [
            (None, None, Some("less")),
            (None, Some("more -d"), Some("more -d")),
            (Some("less -S"), Some("more"), Some("less -S")),
            (Some(""), Some("more"), None),
            (None, Some("cat"), None),
            (None, Some("less 'unclosed"), None),
        ] {
            let variable = |name: &str| if name == "PAGER" { everybodys } else { own };
            let words = words(|name| variable(name).map(OsStr::new)).map(|words| words.join(" "));
            assert_eq!(words.as_deref(), expected, "{own:?} {everybodys:?}");
        }
    }
}
