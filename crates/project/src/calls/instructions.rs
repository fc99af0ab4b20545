//! The instructions of other MCP servers.

use crate::project::Project;

/// The instructions of each server that has some, without secrets, in the order of the settings.
pub fn server_instructions(project: &Project) -> Vec<(String, String)> {
    let of = |server: &str| {
        let text = project.source(server)?.instructions()?;
        let text = project.secrets_of_server(server).redact(text.trim()).into_owned();
        (!text.is_empty()).then(|| (server.to_owned(), text))
    };
    project.settings.servers().filter_map(of).collect()
}
