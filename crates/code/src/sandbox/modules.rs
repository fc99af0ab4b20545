//! The names of the modules that a program can import.

use crate::model::visible;

/// The package that tools are imported from; the module of a server is below it.
pub(super) const PACKAGE: &str = "toolscript";

/// Why a module cannot be imported, and what to use in its place.
pub(super) fn refusal(specifier: &str) -> String {
    let shown = visible(specifier);
    let shown: String = shown.chars().take(100).collect();
    let about = if let Some(server) = specifier.strip_prefix("toolscript/") {
        let server = visible(server);
        return format!("there is no server `{}`", server.chars().take(100).collect::<String>());
    } else if let Some(instead) = instead_of(specifier) {
        instead.to_owned()
    } else {
        "only `toolscript` and `toolscript/SERVER` can be imported".to_owned()
    };
    format!("`{shown}` cannot be imported: {about}")
}

/// The replacement for a well-known module.
fn instead_of(specifier: &str) -> Option<&'static str> {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    Some(match name {
        "fs" | "fs/promises" | "path" | "os" => {
            "a program has no files; call a tool that reads or writes them"
        }
        "http" | "https" | "net" | "axios" | "node-fetch" | "undici" => {
            "a program has no network; call a tool that fetches"
        }
        "child_process" => "a program starts no processes; call a tool that runs what you need",
        "crypto" => "use the global `crypto`, which has randomUUID and getRandomValues",
        "timers" | "timers/promises" => "use the global `setTimeout`",
        "url" => "use the globals `URL` and `URLSearchParams`",
        "util" => "use the globals `TextEncoder`, `TextDecoder` and `structuredClone`",
        "buffer" => "use `Uint8Array`, `TextEncoder`, `atob` and `btoa`",
        "process" => "a program has no process; return a result, or throw an error",
        _ => return None,
    })
}
