//! Schemas of any kind, and tools of any name. The types of them end, and nothing in them gets out of a
//! comment, a text or a pair of brackets. Whether they compile is for a test with the real compiler.
#![no_main]

use cuff::sandbox::types::{declarations, tool_types};
use cuff::sandbox::{Catalog, ResultShape, ToolDescription, ToolServer};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// How much longer the types may be than the schema: each of its parts is indented, and a name may be met often.
const LONGEST: usize = 4 << 20;

fuzz_target!(|input: &[u8]| {
    // A name, a description, and a schema: a line each, the last one as long as it likes.
    let text = String::from_utf8_lossy(input);
    let mut parts = text.splitn(3, '\n');
    let (name, about) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let schema = parts.next().unwrap_or_default();
    let schema: Value = serde_json::from_str(schema).unwrap_or_else(|_| Value::from(schema));
    let tool = |name: &str, output: ResultShape| ToolDescription {
        name: name.to_owned(),
        description: Some(about.to_owned()),
        input: schema.clone(),
        output,
    };
    let tools = vec![
        tool(name, ResultShape::Declared(schema.clone())),
        tool(&format!("{name}_output"), ResultShape::Observed(schema.clone())),
        tool(about, ResultShape::Unknown),
    ];
    let servers = [name, about].map(|name| ToolServer {
        name: name.to_owned(),
        tools: tools.clone(),
        ..ToolServer::default()
    });
    let catalog = Catalog::new(servers.into());
    let written = declarations(&catalog);
    assert!(written.len() < LONGEST, "{} bytes", written.len());
    balanced(&written);
    for tool in catalog.servers().iter().flat_map(|server| &server.tools) {
        balanced(&tool_types(tool));
    }
});

/// Panics where brackets do not match, or where a text or a comment does not end.
fn balanced(written: &str) {
    let mut open = Vec::new();
    let mut rest = written.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => loop {
                match rest.next().expect("a text ends") {
                    '"' => break,
                    '\\' => _ = rest.next(),
                    '\n' | '\r' | '\u{2028}' | '\u{2029}' => panic!("a text ends in its line: {written}"),
                    _ => {}
                }
            },
            '/' if rest.peek() == Some(&'*') => {
                rest.next();
                let mut last = ' ';
                while !(last == '*' && rest.peek() == Some(&'/')) {
                    last = rest.next().expect("a comment ends");
                }
                rest.next();
            }
            '/' | '`' | '\'' | '#' | '@' | '\\' => panic!("{letter} outside of a text: {written}"),
            '{' | '[' | '(' => open.push(letter),
            '}' | ']' | ')' => {
                let pair = [open.pop(), Some(letter)];
                let is_one = [['{', '}'], ['[', ']'], ['(', ')']].iter().any(|one| one.map(Some) == pair);
                assert!(is_one, "{pair:?}: {written}");
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}: {written}");
}
