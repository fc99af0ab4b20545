//! The names of signals.

use nix::sys::signal::Signal;

/// `SIGKILL` for 9; `None` for those without a name, such as the real-time ones.
pub fn name(signal: i32) -> Option<&'static str> {
    Signal::try_from(signal).ok().map(Signal::as_str)
}

/// A signal by number and name: `signal 9 (SIGKILL)`.
pub fn described(signal: i32) -> String {
    let name = name(signal).map_or_else(String::new, |name| format!(" ({name})"));
    format!("signal {signal}{name}")
}
