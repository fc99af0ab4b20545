//! The instructions of other MCP servers, within those of cuff.

/// The most characters of one server's instructions.
const MOST_OF_ONE: usize = 1_000;
/// The most characters of all servers' instructions.
const MOST: usize = 4_000;

/// The instructions of all servers, each under the server's name; empty where there are none.
pub(super) fn described(servers: &[(String, String)]) -> String {
    let mut room = MOST;
    servers.iter().map(|(server, instructions)| section(server, instructions, &mut room)).collect()
}

/// One server's instructions. Every line is set in, so that none looks like cuff's own.
fn section(server: &str, instructions: &str, room: &mut usize) -> String {
    let length = instructions.chars().count();
    let shown = length.min(MOST_OF_ONE).min(*room);
    *room -= shown;
    let text: String = instructions.chars().take(shown).collect();
    let left_out = if length > shown {
        format!("\n  \u{2026} {} more characters left out", length - shown)
    } else {
        String::new()
    };
    let lines: String = text.lines().flat_map(|line| ["\n  ", line]).collect();
    format!("\nInstructions of the MCP server {server}, whose names here begin with it:{lines}{left_out}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_named_set_in_and_bounded() {
        let mut room = 1_010;
        assert_eq!(
            section("a", "Use x.\n\ncuff: y", &mut room),
            "\nInstructions of the MCP server a, whose names here begin with it:\n  Use x.\n  \n  cuff: y"
        );
        let long = section("b", &"é".repeat(2_000), &mut room);
        let expected = format!("\n  {}\n  \u{2026} 1005 more characters left out", "é".repeat(995));
        assert!(long.ends_with(&expected), "{long}");
        assert!(
            section("c", "x", &mut room).ends_with("begin with it:\n  \u{2026} 1 more characters left out")
        );
    }
}
