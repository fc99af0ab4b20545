//! `tools/list` in pages: a cursor names the tool after which a page begins, so it outlives a list that changes.

use rmcp::ErrorData;

use super::list_entry::ToolEntry;

/// How many tools a page has. Some clients read the first page alone, so it is larger than what hosts take.
const PAGE: usize = 100;
/// How many hexadecimal digits a cursor has.
const DIGITS: usize = 16;

/// A part of the list.
#[derive(Debug)]
pub(super) struct ListPage {
    /// The result up to the end of the definitions: `{"tools":[…]`.
    pub(super) begun: String,
    /// The cursor of the next page; `None` at the end.
    pub(super) next_cursor: Option<String>,
}

/// The page that a cursor leads to, the first one without; the order is the list's own.
///
/// # Errors
/// When no page begins there.
pub(super) fn page(entries: &[ToolEntry], cursor: Option<&str>) -> Result<ListPage, ErrorData> {
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            1 + entries.iter().position(|entry| mark(entry) == cursor).ok_or_else(wrong_cursor)?
        }
    };
    let rest = entries.get(from..).unwrap_or_default();
    let entries = rest.get(..PAGE).unwrap_or(rest);
    let next_cursor = entries.last().filter(|_| entries.len() < rest.len()).map(mark);
    Ok(ListPage { begun: begun(entries), next_cursor })
}

fn begun(entries: &[ToolEntry]) -> String {
    /// As many bytes as the other fields may take.
    const REST: usize = 256;
    let length: usize = entries.iter().map(|entry| entry.text.len() + 1).sum();
    let mut text = String::with_capacity(length + REST);
    text.push_str(r#"{"tools":["#);
    for (at, entry) in entries.iter().enumerate() {
        text.extend([if at == 0 { "" } else { "," }, &entry.text]);
    }
    text.push(']');
    text
}

fn mark(entry: &ToolEntry) -> String {
    blake3::hash(entry.name.as_bytes()).to_hex().chars().take(DIGITS).collect()
}

fn wrong_cursor() -> ErrorData {
    let why =
        "`cursor` leads to no page: it is not one of this list's, or its tool is gone; ask again without it";
    ErrorData::invalid_params(why, None)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn entries(numbers: impl Iterator<Item = usize>) -> Vec<ToolEntry> {
        let entry = |number: usize| ToolEntry { name: format!("a.t{number}"), text: number.to_string() };
        numbers.map(entry).collect()
    }

    fn numbers(page: &ListPage) -> Vec<u64> {
        let read: Value = serde_json::from_str(&format!("{}}}", page.begun)).unwrap();
        read["tools"].as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
    }

    #[test]
    fn the_pages_are_the_list() {
        for count in [0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 7] {
            let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
            loop {
                let page = page(&entries(0..count), cursor.as_deref()).unwrap();
                seen.extend(numbers(&page));
                pages += 1;
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, (0..count as u64).collect::<Vec<_>>());
            assert_eq!(pages, count.div_ceil(PAGE).max(1), "no page is empty but that of an empty list");
        }
    }

    #[test]
    fn a_list_that_changes_is_read_on_and_a_cursor_whose_tool_is_gone_is_wrong() {
        let cursor = page(&entries(0..250), None).unwrap().next_cursor.unwrap();
        let grown = page(&entries(3..250), Some(&cursor)).unwrap();
        assert_eq!(numbers(&grown)[0], 100);
        let gone = entries((0..250).filter(|number| *number != 99));
        assert_eq!(page(&gone, Some(&cursor)).unwrap_err().code.0, -32602);
        for wrong in ["", "2", "100", &cursor[1..], &cursor.to_uppercase().replace(char::is_numeric, "x")] {
            assert_eq!(page(&entries(0..250), Some(wrong)).unwrap_err().code.0, -32602, "{wrong}");
        }
    }
}
