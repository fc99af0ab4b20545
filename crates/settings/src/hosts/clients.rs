//! The table of clients: the files that each reads, and the entry that each needs.

use std::path::{Path, PathBuf};

/// Every client that cuff can be written into.
///
/// Each path was read in the client's own documentation, unless the entry says otherwise.
pub const CLIENTS: &[AgentClient] = &[
    // code.claude.com/docs/en/mcp: `.mcp.json` of the project, `~/.claude.json` of the user; variables are
    // expanded, and CLAUDE_PROJECT_DIR is set for the servers that it starts.
    AgentClient {
        id: "claude-code",
        name: "Claude Code",
        format: ClientFormat::Json,
        table: "mcpServers",
        user: Some(ClientPath(BaseFolder::Variable("CLAUDE_CONFIG_DIR", ""), ".claude.json")),
        project: Some((ClientPath(BaseFolder::Project, ".mcp.json"), Some("${CLAUDE_PROJECT_DIR:-.}"))),
        installed: ClientPath(BaseFolder::Variable("CLAUDE_CONFIG_DIR", ".claude"), ""),
        is_typed: true,
        rejects_dots: false,
        timeout: None,
    },
    // modelcontextprotocol.io/docs/develop/connect-local-servers for macOS; on Linux it has no documentation of its own,
    // and the builds there read `~/.config/Claude`. It refuses names outside `^[a-zA-Z0-9_-]{1,64}$`.
    AgentClient {
        id: "claude-desktop",
        name: "Claude Desktop",
        format: ClientFormat::Json,
        table: "mcpServers",
        user: Some(ClientPath(BaseFolder::Application, "Claude/claude_desktop_config.json")),
        project: None,
        installed: ClientPath(BaseFolder::Application, "Claude"),
        is_typed: false,
        rejects_dots: true,
        timeout: None,
    },
    // cursor.com/docs/context/mcp. It drops tools whose names have more than letters, digits and `_`.
    AgentClient {
        id: "cursor",
        name: "Cursor",
        format: ClientFormat::Json,
        table: "mcpServers",
        user: Some(ClientPath(BaseFolder::Variable("", ".cursor"), "mcp.json")),
        project: Some((ClientPath(BaseFolder::Project, ".cursor/mcp.json"), Some("${workspaceFolder}"))),
        installed: ClientPath(BaseFolder::Variable("", ".cursor"), ""),
        is_typed: false,
        rejects_dots: true,
        timeout: None,
    },
    // code.visualstudio.com/docs/copilot/reference/mcp-configuration names the files; where the user's lies is as for
    // its settings.json. Models behind it refuse dots.
    AgentClient {
        id: "vscode",
        name: "VS Code",
        format: ClientFormat::Json,
        table: "servers",
        user: Some(ClientPath(BaseFolder::Application, "Code/User/mcp.json")),
        project: Some((ClientPath(BaseFolder::Project, ".vscode/mcp.json"), Some("${workspaceFolder}"))),
        installed: ClientPath(BaseFolder::Application, "Code/User"),
        is_typed: true,
        rejects_dots: true,
        timeout: None,
    },
    // developers.openai.com/codex/mcp: `.codex/config.toml` of a trusted project as well. A call ends after
    // 60 seconds unless `tool_timeout_sec` says otherwise. The folder in which it starts a project's servers
    // is not documented.
    AgentClient {
        id: "codex",
        name: "Codex",
        format: ClientFormat::Toml,
        table: "mcp_servers",
        user: Some(ClientPath(BaseFolder::Variable("CODEX_HOME", ".codex"), "config.toml")),
        project: Some((ClientPath(BaseFolder::Project, ".codex/config.toml"), None)),
        installed: ClientPath(BaseFolder::Variable("CODEX_HOME", ".codex"), ""),
        is_typed: false,
        rejects_dots: true,
        timeout: Some(("tool_timeout_sec", 3600)),
    },
    // geminicli.com/docs/tools/mcp-server. Its standard timeout is ten minutes, in milliseconds; it takes dots.
    AgentClient {
        id: "gemini",
        name: "Gemini CLI",
        format: ClientFormat::Json,
        table: "mcpServers",
        user: Some(ClientPath(BaseFolder::Variable("", ".gemini"), "settings.json")),
        project: Some((ClientPath(BaseFolder::Project, ".gemini/settings.json"), None)),
        installed: ClientPath(BaseFolder::Variable("", ".gemini"), ""),
        is_typed: false,
        rejects_dots: false,
        timeout: Some(("timeout", 3_600_000)),
    },
    // zed.dev/docs/ai/mcp and zed.dev/docs/configuring-zed. A call ends after 60 seconds; ten minutes are the most that
    // it takes. Servers in a project's own settings are not documented.
    AgentClient {
        id: "zed",
        name: "Zed",
        format: ClientFormat::Json,
        table: "context_servers",
        user: Some(ClientPath(BaseFolder::Config, "zed/settings.json")),
        project: None,
        installed: ClientPath(BaseFolder::Config, "zed"),
        is_typed: false,
        rejects_dots: true,
        timeout: Some(("timeout", 600)),
    },
    // docs.windsurf.com/windsurf/cascade/mcp. Whether it takes dots is not documented.
    AgentClient {
        id: "windsurf",
        name: "Windsurf",
        format: ClientFormat::Json,
        table: "mcpServers",
        user: Some(ClientPath(BaseFolder::Variable("", ".codeium"), "windsurf/mcp_config.json")),
        project: None,
        installed: ClientPath(BaseFolder::Variable("", ".codeium"), "windsurf"),
        is_typed: false,
        rejects_dots: true,
        timeout: None,
    },
];

/// A program that starts MCP servers for an agent.
#[derive(Debug)]
pub struct AgentClient {
    /// Its name for `--client`.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How its file is written.
    pub format: ClientFormat,
    /// The key that its servers stand under.
    pub table: &'static str,
    /// The user's own file.
    pub user: Option<ClientPath>,
    /// The project's file, and the client's word for the project's folder in it. Without one the client starts servers
    /// there, as far as is known.
    pub project: Option<(ClientPath, Option<&'static str>)>,
    /// A folder that is there once the client has run.
    pub installed: ClientPath,
    /// Whether an entry says its transport.
    pub is_typed: bool,
    /// Whether a dot in a tool's name is refused, or may be.
    pub rejects_dots: bool,
    /// The key and value that let a call take as long as the client allows.
    pub timeout: Option<(&'static str, u64)>,
}

/// How a client's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientFormat {
    /// JSON, with comments and trailing commas where people left some.
    Json,
    /// TOML.
    Toml,
}

/// A path below one of the [`ClientFolders`].
#[derive(Debug, Clone, Copy)]
pub struct ClientPath(pub BaseFolder, pub &'static str);

/// The folder that a path is relative to.
#[derive(Debug, Clone, Copy)]
pub enum BaseFolder {
    /// The folder that a variable names, else this one of the home folder. The variable may be none.
    Variable(&'static str, &'static str),
    /// `$XDG_CONFIG_HOME`, else `~/.config`.
    Config,
    /// The data folder of desktop programs: `~/Library/Application Support` on macOS, else as
    /// [`BaseFolder::Config`].
    Application,
    /// The project's root.
    Project,
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientScope {
    /// The project's, which others may share.
    Project,
    /// The user's own.
    User,
}

/// The folders that files of clients lie in.
pub struct ClientFolders<'a> {
    /// A variable that holds an absolute path.
    pub variable: &'a dyn Fn(&str) -> Option<PathBuf>,
    /// The project's root.
    pub project: &'a Path,
    /// Whether this is macOS.
    pub is_macos: bool,
}

impl AgentClient {
    /// The client of this id.
    pub fn of(id: &str) -> Option<&'static Self> {
        CLIENTS.iter().find(|client| client.id == id)
    }

    /// The file of a scope; `None` where the client has none, or the environment does not say where.
    pub fn file(&self, scope: ClientScope, folders: &ClientFolders) -> Option<PathBuf> {
        self.place(scope)?.within(folders)
    }

    /// The folder that its file of a scope lies below, and that is there for others too.
    pub fn base(&self, scope: ClientScope, folders: &ClientFolders) -> Option<PathBuf> {
        self.place(scope)?.base(folders)
    }

    fn place(&self, scope: ClientScope) -> Option<ClientPath> {
        match scope {
            ClientScope::User => self.user,
            ClientScope::Project => self.project.map(|(place, _)| place),
        }
    }

    /// The default scope: tools belong to a project.
    pub fn usual_scope(&self) -> ClientScope {
        if self.project.is_some() { ClientScope::Project } else { ClientScope::User }
    }

    /// Whether the client has a file of this scope.
    pub fn has(&self, scope: ClientScope) -> bool {
        self.place(scope).is_some()
    }
}

impl ClientPath {
    /// The path; `None` where no variable says.
    pub fn within(self, folders: &ClientFolders) -> Option<PathBuf> {
        let Self(base, path) = self;
        let above = self.base(folders)?;
        let above = match base {
            BaseFolder::Variable(name, below) if named(folders, name).is_none() => above.join(below),
            _ => above,
        };
        Some(if path.is_empty() { above } else { above.join(path) })
    }

    /// The folder that it counts from; the home folder where no variable names the client's own.
    fn base(self, folders: &ClientFolders) -> Option<PathBuf> {
        let home = || named(folders, "HOME");
        match self.0 {
            BaseFolder::Variable(name, _) => named(folders, name).or_else(home),
            BaseFolder::Application if folders.is_macos => Some(home()?.join("Library/Application Support")),
            BaseFolder::Config | BaseFolder::Application => {
                named(folders, "XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
            }
            BaseFolder::Project => Some(folders.project.to_owned()),
        }
    }
}

/// The folder that a variable names.
fn named(folders: &ClientFolders, variable: &str) -> Option<PathBuf> {
    (folders.variable)(variable).filter(|path| path.is_absolute())
}
