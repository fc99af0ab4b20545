//! The browser of the person at this machine.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;

use super::Environment;
use super::programs;

/// The program that opens an address as this person likes.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens an address. `false`: there is no screen here, or no program for it.
///
/// # Errors
/// The operating system's, when the program does not start.
#[expect(clippy::disallowed_methods, reason = "this is sys; a browser outlives cuff and is no run of it")]
pub fn open(environment: &Environment, address: &str) -> io::Result<bool> {
    let has_screen = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| environment.get(name).is_some());
    let search_path = programs::inherited_search_path(environment);
    let opener = programs::find(OPENER, search_path, environment.directory());
    let Some(opener) = opener.filter(|_| has_screen) else { return Ok(false) };
    let mut command = std::process::Command::new(opener);
    command.arg(address).env_clear().envs(environment.variables()).current_dir(environment.directory());
    // Ctrl-C at cuff ends the login, and not the browser.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(|_| true)
}
