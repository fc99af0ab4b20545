//! The names of the files, as the manuals of the programs have them that obey them.

/// Files in the root of a project or a repository, and in the folder of a run.
pub(super) const FILES: &[&str] = &[
    // Git: filters and drivers by path, other repositories.
    ".git",
    ".gitattributes",
    ".gitmodules",
    ".git/info/attributes",
    ".git/rebase-merge/git-rebase-todo",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    "lefthook-local.yml",
    "lefthook-local.yaml",
    // Shells that enter the folder.
    ".envrc",
    ".mise.toml",
    "mise.toml",
    "mise.local.toml",
    "mise.dev.toml",
    ".miserc.toml",
    ".config/mise.toml",
    ".config/mise/config.toml",
    ".tool-versions",
    // Editors.
    ".vscode/tasks.json",
    ".vscode/launch.json",
    ".vscode/settings.json",
    ".vscode/mcp.json",
    ".vscode/extensions.json",
    ".idea/workspace.xml",
    ".exrc",
    ".nvim.lua",
    ".nvimrc",
    ".gdbinit",
    ".Rprofile",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    // Agents and cuff.
    ".mcp.json",
    "opencode.json",
    "opencode.jsonc",
    "AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".windsurfrules",
    ".cursorrules",
    ".clinerules",
    ".aider.conf.yml",
    ".github/copilot-instructions.md",
    ".toolscript.json",
    "settings.yml",
    ".cuff/settings.yml",
    // Package managers and compilers: they choose shells, wrappers and programs.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
    "pnpm-workspace.yaml",
    "bunfig.toml",
    ".cargo/config",
    ".cargo/config.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    "gradlew",
    "mvnw",
    "gradle/wrapper/gradle-wrapper.properties",
    "gradle/wrapper/gradle-wrapper.jar",
    ".bazelrc",
    "tools/bazel",
    // Other systems of versions.
    ".hg/hgrc",
    ".jj/repo/config.toml",
];

/// Folders, each with how deep it is looked at.
pub(super) const FOLDERS: &[(&str, usize)] = &[
    (".husky", 4),
    // The usual folder where settings of the user, and not of the repository, name one.
    (".githooks", 2),
    (".git-hooks", 2),
    (".idea/runConfigurations", 1),
    (".run", 1),
    (".devcontainer", 2),
    (".mvn", 2),
    (".yarn/releases", 1),
    (".yarn/plugins", 2),
    (".claude", 5),
    (".cursor", 5),
    (".codex", 5),
    (".gemini", 5),
    (".kiro", 4),
    (".opencode", 4),
    (".roo", 4),
    (".zed", 2),
    (".windsurf", 4),
    (".clinerules", 3),
    (".github/instructions", 2),
];

/// Folders of programs, which installs fill.
pub(super) const COUNTED: [&str; 5] = ["node_modules/.bin", ".venv/bin", "venv/bin", "env/bin", "vendor/bin"];

/// The end of the names of an editor's files that open several folders, with tasks and settings of their own.
pub(super) const WORKSPACE: &str = ".code-workspace";
