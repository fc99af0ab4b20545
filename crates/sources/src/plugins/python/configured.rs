//! The tools that Python projects configure.

/// A tool that projects configure, and the command that they type.
pub(super) struct ConfiguredTool {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) words: &'static [&'static str],
    pub(super) description: &'static str,
    /// The table of pyproject.toml that configures it.
    pub(super) table: &'static [&'static str],
    /// The files that configure it.
    pub(super) files: &'static [&'static str],
    /// The line of setup.cfg or tox.ini that begins its part.
    pub(super) section: &'static str,
}

pub(super) const CONFIGURED: &[ConfiguredTool] = &[
    ConfiguredTool {
        name: "pytest",
        aliases: &["test"],
        words: &["pytest"],
        description: "Run the tests",
        table: &["tool", "pytest"],
        files: &["pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py", "tests/conftest.py"],
        section: "[tool:pytest]",
    },
    ConfiguredTool {
        name: "ruff",
        aliases: &["lint"],
        words: &["ruff", "check"],
        description: "Find problems with ruff",
        table: &["tool", "ruff"],
        files: &["ruff.toml", ".ruff.toml"],
        section: "",
    },
    ConfiguredTool {
        name: "black",
        aliases: &["format"],
        words: &["black", "."],
        description: "Format the code with black",
        table: &["tool", "black"],
        files: &[],
        section: "",
    },
    ConfiguredTool {
        name: "mypy",
        aliases: &["typecheck"],
        words: &["mypy"],
        description: "Check the types with mypy",
        table: &["tool", "mypy"],
        files: &["mypy.ini", ".mypy.ini"],
        section: "[mypy]",
    },
    ConfiguredTool {
        name: "pyright",
        aliases: &[],
        words: &["pyright"],
        description: "Check the types with pyright",
        table: &["tool", "pyright"],
        files: &["pyrightconfig.json"],
        section: "",
    },
];
