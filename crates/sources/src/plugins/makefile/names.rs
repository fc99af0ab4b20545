//! The names of the tools that targets become, and of files that hold no targets.

/// Endings of files that a compiler writes while make runs: they hold prerequisites alone.
pub(super) const GENERATED: [&str; 8] = [".d", ".dep", ".deps", ".P", ".Po", ".Plo", ".depend", ".dd"];

/// The name of a target's tool: `test-unit.fast` is `make_test_unit_fast`, `test:unit` is `make_test__unit`.
pub(super) fn tool_name(target: &str) -> String {
    let mut name = String::with_capacity("make_".len() + target.len());
    name.push_str("make_");
    for c in target.chars() {
        match c {
            ':' => name.push_str("__"),
            c => name.push(if c.is_ascii_alphanumeric() { c } else { '_' }),
        }
    }
    name
}
