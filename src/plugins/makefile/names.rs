//! The names of the tools that targets become.

/// The name of a target's tool: `test-unit.fast` is `make_test_unit_fast`, `test:unit` is `make_test__unit`.
pub(super) fn tool_name(target: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = target.replace(':', "__").chars().map(safe).collect();
    format!("make_{name}")
}
