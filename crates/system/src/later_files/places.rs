//! The names of the files, as the manuals of the programs have them that obey them.

/// Files in the root of a project or a repository, and in the folder of a run.
pub(super) const FILES: &[&str] = &[
    // Git: filters and drivers by path, other repositories.
    ".git",
    ".gitattributes",
    ".gitmodules",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    // Shells that enter the folder.
    ".envrc",
    ".mise.toml",
    "mise.toml",
    // Editors.
    ".vscode/tasks.json",
    ".vscode/launch.json",
    ".vscode/settings.json",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    // Agents and cuff.
    ".mcp.json",
    ".toolscript.json",
    "settings.yml",
    ".cuff/settings.yml",
    // Package managers and compilers: they choose shells, wrappers and programs.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "bunfig.toml",
    ".cargo/config",
    ".cargo/config.toml",
];

/// Folders, each with how deep it is looked at.
pub(super) const FOLDERS: &[(&str, usize)] = &[
    (".husky", 2),
    (".idea/runConfigurations", 1),
    (".run", 1),
    (".claude", 3),
    (".cursor", 3),
    (".codex", 3),
    (".gemini", 3),
];

/// Folders of programs, which installs fill.
pub(super) const COUNTED: [&str; 3] = ["node_modules/.bin", ".venv/bin", "venv/bin"];
