//! The server as it introduces itself to a client: its name, its capabilities and its instructions.

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};

use super::instructions::{explain, instructions};
use super::offered::OfferedTools;
use super::{prompts, server_instructions};
use crate::calls;
use crate::model::visible_lines;
use crate::project::Live;

/// The introduction of a server whose tools are offered in this way.
pub(super) fn introduction(source: &Live, offered: OfferedTools) -> ServerConfig {
    let mut capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
    let instructions = match source.project() {
        Ok(project) => {
            if project.settings.servers().next().is_some() {
                prompts::add_capabilities(&mut capabilities);
            }
            let text = instructions(offered, &project.agent_problems());
            let of_servers = server_instructions::described(&calls::server_instructions(&project));
            visible_lines(&(text + &of_servers)).into_owned()
        }
        Err(why) => explain(&why.into()),
    };
    let mut config = ServerConfig::new(capabilities).with_instructions(instructions);
    config.server_info = Implementation::new("cuff", env!("CARGO_PKG_VERSION"));
    config
}
