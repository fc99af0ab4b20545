//! MCP servers put into the text of a settings file, and taken out again, with every other line as it was.
//!
//! The result is read again. It must say what the old text said, but for these servers; else the text stays as it is.

use serde_json::{Map, Value, json};

use super::compose::{self, Indent, ServerEntry};
use super::insertion::{self, New};
use super::keys::LARGEST;
use super::merge::{Old, PLUGINS, TOO_LARGE};
use super::not_merged::NotMerged;
use super::read::read_expanded;
use super::upstream::Upstream;
use super::{parse, syntax};
use crate::model::{PluginInfo, Severity};

/// The text with these servers in it.
///
/// # Errors
/// When the text cannot be used as a whole, has one of the names already, or has no place for them.
pub fn add_servers(
    bytes: &[u8],
    servers: &[ServerEntry],
    abouts: &[PluginInfo],
) -> Result<String, NotMerged> {
    let old = Old::read(bytes, abouts)?;
    let mut expected = without_null(old.root.value());
    for server in servers {
        let plugins = expected.get_mut(PLUGINS).and_then(Value::as_object_mut);
        let plugins = plugins.ok_or_else(|| NotMerged::because("`plugins` is no mapping"))?;
        if plugins.insert(server.name.clone(), compose::server_value(server)).is_some() {
            let why = format!("it has an entry `{}` already", server.name);
            return Err(NotMerged::broken(why, Some("choose another name, or remove that entry first")));
        }
    }
    let places = insertion::places(old.text, &old.root, PLUGINS)?;
    let texts: Vec<String> =
        places.iter().map(|place| place.filled(old.text, &New::Servers(servers))).collect();
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    let found = texts.iter().find(|text| says(text, &expected) && is_whole(text, &names, &old, abouts));
    with_mark(bytes, &old, found.ok_or_else(|| no_place(&names, &texts, &expected, abouts))?)
}

/// The text without this server.
///
/// # Errors
/// When the text cannot be used as a whole, has no such server, or has it in a way that cannot be cut out.
pub fn remove_server(bytes: &[u8], name: &str, abouts: &[PluginInfo]) -> Result<String, NotMerged> {
    let old = Old::read(bytes, abouts)?;
    let entry = old.plugins().and_then(|plugins| plugins.get(name));
    let entry = entry.ok_or_else(|| NotMerged::because(format!("it has no entry `{name}`")))?;
    let mut expected = without_null(old.root.value());
    let removed = expected.get_mut(PLUGINS).and_then(Value::as_object_mut).and_then(|all| all.remove(name));
    if removed.and_then(|removed| removed.get("type").cloned()) != Some(json!(super::keys::MCP)) {
        return Err(NotMerged::because(format!("`{name}` is a plugin, and no MCP server")));
    }
    let not_found = || NotMerged::because("its parts cannot be found in the text");
    let start = parse::offset(old.text, entry.number).ok_or_else(not_found)?;
    let text = cut(old.text, start);
    if !says(&text, &expected) {
        return Err(NotMerged::because(format!("`{name}` cannot be cut out as lines of its own")));
    }
    with_mark(bytes, &old, &text)
}

/// The text of a new file with these servers alone. `schema` is what the first line points an editor to.
///
/// # Errors
/// When it would not be read as what it is to say.
pub fn new_file(servers: &[ServerEntry], schema: &str, abouts: &[PluginInfo]) -> Result<String, NotMerged> {
    let empty = compose::compose(&[], schema).replace("plugins: {}\n", "plugins:\n");
    add_servers(empty.as_bytes(), servers, abouts)
}

/// Servers as lines to paste below `plugins:`.
pub fn lines_to_paste(servers: &[ServerEntry]) -> String {
    compose::servers(servers, Indent { key: 2, level: 2 })
}

/// The servers of a text as they are written, without the values of variables.
pub fn written_servers(bytes: &[u8], abouts: &[PluginInfo]) -> Vec<Upstream> {
    syntax::decode(bytes).map_or_else(|_| Vec::new(), |text| read_expanded("", text, abouts, None).upstreams)
}

/// The value of a text, with an empty mapping where `plugins` has nothing.
fn without_null(mut root: Value) -> Value {
    if let Some(root) = root.as_object_mut() {
        let plugins = root.entry(PLUGINS).or_insert(Value::Null);
        if plugins.is_null() {
            *plugins = Value::Object(Map::new());
        }
    }
    root
}

fn says(text: &str, expected: &Value) -> bool {
    parse::parse(text).is_ok_and(|(root, _)| without_null(root.value()) == *expected)
}

/// Whether these servers have no error, and nothing else has one that it had not.
fn is_whole(text: &str, names: &[&str], old: &Old<'_>, abouts: &[PluginInfo]) -> bool {
    let read = read_expanded("", text, abouts, None);
    let errors = read.problems.iter().filter(|one| one.severity == Severity::Error).count();
    errors == old.errors && names.iter().all(|name| read.upstreams.iter().any(|one| one.name == **name))
}

/// Why none of these texts will do: what is wrong with a server, or that there is no place for it.
fn no_place(names: &[&str], texts: &[String], expected: &Value, abouts: &[PluginInfo]) -> NotMerged {
    let wrong = texts.iter().find(|text| says(text, expected)).and_then(|text| {
        let problems = read_expanded("", text, abouts, None).problems;
        let is_ours = |whose: &str| names.contains(&whose);
        problems
            .into_iter()
            .find(|one| one.severity == Severity::Error && one.instance.as_deref().is_some_and(is_ours))
    });
    match wrong {
        Some(problem) => {
            let help = problem.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
            NotMerged::broken(format!("{problem}{help}"), Some("correct that and try again"))
        }
        None => NotMerged::because("put into this file as text, they would change what it says"),
    }
}

/// The text without the entry whose key begins here: its lines, and an empty one before them.
fn cut(text: &str, start: usize) -> String {
    let line = text[..start].rfind('\n').map_or(0, |feed| feed + 1);
    let key = start - line;
    let (mut end, mut at) = (line, line);
    for one in text[line..].split_inclusive('\n') {
        let indent = one.len() - one.trim_start_matches(' ').len();
        let is_blank = one.trim().is_empty();
        if at > line && !is_blank && indent <= key {
            break;
        }
        at += one.len();
        // Empty lines at the end are not of the entry.
        if !is_blank {
            end = at;
        }
    }
    let before = &text[..line];
    let trimmed = before.strip_suffix("\r\n\r\n").map(|_| before.len() - 2);
    let trimmed = trimmed.or_else(|| before.strip_suffix("\n\n").map(|_| before.len() - 1));
    format!("{}{}", &text[..trimmed.unwrap_or(line)], &text[end..])
}

/// The text with the byte order mark that the old one had.
fn with_mark(bytes: &[u8], old: &Old<'_>, text: &str) -> Result<String, NotMerged> {
    let mark = str::from_utf8(&bytes[..bytes.len() - old.text.len()]).unwrap_or_default();
    if (mark.len() + text.len()) as u64 > LARGEST {
        return Err(NotMerged::because(TOO_LARGE));
    }
    Ok(format!("{mark}{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(name: &str, keys: &Value) -> ServerEntry {
        ServerEntry { name: name.to_owned(), keys: keys.as_object().unwrap().clone() }
    }

    fn add(text: &str, name: &str, keys: &Value) -> Result<String, String> {
        add_servers(text.as_bytes(), &[server(name, keys)], &[]).map_err(|why| why.to_string())
    }

    #[test]
    fn a_server_comes_behind_what_is_there_and_goes_without_a_trace() {
        let keys = || json!({"command": "npx", "args": ["-y", "a b", "#c"], "env": {"T": "${T}"}});
        for text in [
            "version: '1'\nplugins:\n  # ours\n  a:\n    type: mcp\n    command: x   # why\n",
            "version: '1'\r\nplugins:\r\n    a: {type: mcp, command: x}\r\n# the end\r\n",
            "version: '1'\nplugins:\n  a: {type: mcp, command: x}\n\nplugin_settings: {a: 1}\n",
            "\u{feff}version: '1'\nplugins:\n  a:\n    type: mcp\n    command: x\n",
        ] {
            let added = add(text, "b", &keys()).unwrap();
            let found = written_servers(added.as_bytes(), &[]);
            assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["a", "b"], "{added}");
            let removed = remove_server(added.as_bytes(), "b", &[]).unwrap();
            assert_eq!(removed, text, "{added}");
        }
        insta::assert_snapshot!(new_file(&[server("b", &keys())], "s", &[]).unwrap(), @r##"
        # yaml-language-server: $schema=s
        # Tools for people and coding agents. Keys left out have their defaults;
        # `cuff schema` describes every key. `type` and `module` say which plugin it is.
        version: "1"

        plugins:
          b:
            type: mcp
            command: npx
            args:
            - -y
            - a b
            - '#c'
            env:
              T: ${T}
        "##);
    }

    #[test]
    fn a_server_is_read_as_it_is_written() {
        let text = "version: '1'\nplugins:\n  a: {type: mcp, command: '${C}', config: {default_timeout: '${T}', open_to_agents: '${O}'}}\n";
        let [one] = &written_servers(text.as_bytes(), &[])[..] else { panic!("one server") };
        assert!(
            matches!(&one.transport, super::super::ServerTransport::Stdio { command, .. } if command == "${C}")
        );
        assert!(!one.config.has(&crate::model::DEFAULT_TIMEOUT));
        assert_eq!(add(text, "b", &json!({"command": "x"})).map(|text| text.contains("${T}")), Ok(true));
    }

    #[test]
    fn a_server_in_braces_is_added_there_and_removed_by_hand() {
        let text = "{version: '1', plugins: {a: {type: mcp, command: x}}}\n";
        let added = add(text, "b", &json!({"url": "http://x"})).unwrap();
        assert_eq!(
            added,
            "{version: '1', plugins: {a: {type: mcp, command: x}, b: {type: \"mcp\", url: \"http://x\"}}}\n"
        );
        let refused = remove_server(added.as_bytes(), "b", &[]).unwrap_err();
        assert_eq!(refused.to_string(), "`b` cannot be cut out as lines of its own");
    }

    #[test]
    fn impossible_changes_are_reported_and_change_nothing() {
        let text = "version: '1'\nplugins:\n  a: {type: mcp, command: x}\n  s: {module: s}\n";
        let keys = || json!({"command": "x"});
        for (text, name, keys, said) in [
            (text, "a", keys(), "it has an entry `a` already"),
            (
                text,
                "run",
                keys(),
                "no instance can be called `run`: it is a command of cuff; choose another name",
            ),
            (
                text,
                "b",
                json!({"command": "x", "url": "http://x"}),
                "the MCP server has both `command` and `url`",
            ),
            (text, "b", json!({"url": "x"}), "`url` must be an address"),
            ("version: '1'\nplugins: [a]\n", "b", keys(), "`plugins` must be a mapping"),
            ("plugins: {", "b", keys(), "line 1, column 11"),
        ] {
            let refused = add(text, name, &keys).unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
        for (name, said) in [("c", "it has no entry `c`"), ("s", "`s` is a plugin, and no MCP server")] {
            assert_eq!(remove_server(text.as_bytes(), name, &[]).unwrap_err().to_string(), said);
        }
        let last =
            remove_server(b"version: '1'\nplugins:\n  a: {type: mcp, command: x}\n", "a", &[]).unwrap();
        assert_eq!(last, "version: '1'\nplugins:\n");
    }
}
