//! `tools/list` in pages: a cursor names the tool after which a page begins, so it outlives a list that changes.

use rmcp::ErrorData;
use rmcp::model::{ListToolsResult, Tool};

/// How many tools a page has. Some clients read the first page alone, so it is larger than what hosts take.
const PAGE: usize = 100;
/// How many hexadecimal digits a cursor has.
const DIGITS: usize = 16;

/// The page that a cursor leads to, the first one without; the order is the list's own.
///
/// # Errors
/// When no page begins there.
pub(super) fn page(tools: Vec<Tool>, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
    let from = match cursor {
        None => 0,
        Some(cursor) => 1 + tools.iter().position(|tool| mark(tool) == cursor).ok_or_else(wrong_cursor)?,
    };
    let last =
        (from + PAGE).checked_sub(1).and_then(|at| tools.get(at)).filter(|_| from + PAGE < tools.len());
    let next = last.map(mark);
    let mut listed = ListToolsResult::with_all_items(tools.into_iter().skip(from).take(PAGE).collect());
    listed.next_cursor = next;
    Ok(listed)
}

fn mark(tool: &Tool) -> String {
    blake3::hash(tool.name.as_bytes()).to_hex().chars().take(DIGITS).collect()
}

fn wrong_cursor() -> ErrorData {
    let why =
        "`cursor` leads to no page: it is not one of this list's, or its tool is gone; ask again without it";
    ErrorData::invalid_params(why, None)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn tools(numbers: impl Iterator<Item = usize>) -> Vec<Tool> {
        numbers.map(|number| Tool::new(format!("a.t{number}"), "", Arc::default())).collect()
    }

    fn names(listed: &ListToolsResult) -> Vec<&str> {
        listed.tools.iter().map(|tool| &*tool.name).collect()
    }

    #[test]
    fn the_pages_are_the_list() {
        for count in [0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 7] {
            let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
            loop {
                let listed = page(tools(0..count), cursor.as_deref()).unwrap();
                seen.extend(names(&listed).into_iter().map(str::to_owned));
                pages += 1;
                cursor = listed.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, names(&ListToolsResult::with_all_items(tools(0..count))));
            assert_eq!(pages, count.div_ceil(PAGE).max(1), "no page is empty but that of an empty list");
        }
    }

    #[test]
    fn a_list_that_changes_is_read_on_and_a_cursor_whose_tool_is_gone_is_wrong() {
        let cursor = page(tools(0..250), None).unwrap().next_cursor.unwrap();
        let grown = page(tools(0..250).into_iter().skip(3).collect(), Some(&cursor)).unwrap();
        assert_eq!(names(&grown)[0], "a.t100");
        let gone = tools((0..250).filter(|number| *number != 99));
        assert_eq!(page(gone, Some(&cursor)).unwrap_err().code.0, -32602);
        for wrong in ["", "2", "100", &cursor[1..], &cursor.to_uppercase().replace(char::is_numeric, "x")] {
            assert_eq!(page(tools(0..250), Some(wrong)).unwrap_err().code.0, -32602, "{wrong}");
        }
    }
}
