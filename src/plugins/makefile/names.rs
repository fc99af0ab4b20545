//! The names of the tools that targets become.

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
