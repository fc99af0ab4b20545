//! Ports of this machine that a project's own files name: of databases and other servers that its tests speak to.

use std::collections::BTreeMap;
use std::path::Path;

use crate::model::{Seen, listed};
use crate::sys::read_file;

/// Files at the root that name ports: of containers, of variables, of tests in a browser.
const FILES: [&str; 14] = [
    "compose.yaml",
    "compose.yml",
    "docker-compose.yaml",
    "docker-compose.yml",
    ".env",
    ".env.example",
    ".env.local",
    ".env.development",
    ".env.test",
    "playwright.config.ts",
    "playwright.config.js",
    "cypress.config.ts",
    "cypress.config.js",
    "vitest.config.ts",
];
/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;
/// Words before a port: of an address of this machine, of an option, of a variable.
const BEFORE: [&str; 6] = ["localhost:", "127.0.0.1:", "[::1]:", "--port ", "--port=", "_PORT="];
/// How many ports are named.
const MOST: usize = 8;

/// The sentence about the ports that a project's files name, and the line of settings that opens them for agents' runs; `None` where
/// they name none.
pub fn named_ports(root: &Path) -> Option<String> {
    let mut found: BTreeMap<u16, &str> = BTreeMap::new();
    for name in FILES {
        let Seen::File(file) = read_file::file(&root.join(name), LARGEST) else { continue };
        let Ok(text) = std::str::from_utf8(&file.bytes) else { continue };
        for port in ports(name, text) {
            found.entry(port).or_insert(name);
        }
    }
    let named: Vec<String> = found.iter().take(MOST).map(|(port, file)| format!("{port} ({file})")).collect();
    let ports: Vec<String> = found.keys().take(MOST).map(u16::to_string).collect();
    (!ports.is_empty()).then(|| {
        format!(
            "The project names ports of this machine: {}. If programs outside listen there, agents' runs reach them with \
             `containment: {{network: {{loopback: [{}]}}}}` in the config of an instance",
            listed(&named, MOST),
            ports.join(", ")
        )
    })
}

/// The ports of a text. In a file of containers each published port counts: `"5432:5432"`.
fn ports(name: &str, text: &str) -> Vec<u16> {
    let is_of_containers = name.contains("compose");
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        for before in BEFORE {
            found.extend(line.match_indices(before).filter_map(|(at, _)| number(&line[at + before.len()..])));
        }
        let published = line.strip_prefix("- ").map(|item| item.trim_matches(['"', '\'', ' ']));
        let published = published.filter(|_| is_of_containers).and_then(|item| item.rsplit_once(':'));
        if let Some((outside, inside)) = published
            && inside.trim_end_matches("/tcp").bytes().all(|byte| byte.is_ascii_digit())
        {
            found.extend(number(outside.rsplit(':').next().unwrap_or_default()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The port that a text begins with.
fn number(text: &str) -> Option<u16> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok().filter(|port| *port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_found_where_files_name_them() {
        for (name, text, expected) in [
            (
                "compose.yml",
                "services:\n  db:\n    ports:\n      - \"5432:5432\"\n      - 127.0.0.1:6380:6379/tcp\n",
                vec![5432, 6380],
            ),
            ("compose.yml", "    volumes:\n      - ./data:/data\n", vec![]),
            (
                ".env",
                "DATABASE_URL=postgres://a@localhost:5433/x\nREDIS_PORT=6379\n# OLD_PORT=1\n",
                vec![5433, 6379],
            ),
            ("playwright.config.ts", "use: { baseURL: 'http://127.0.0.1:3000' }", vec![3000]),
            (".env", "NAME=localhost:\nOTHER_PORT=none\n", vec![]),
        ] {
            assert_eq!(ports(name, text), expected, "{name}: {text}");
        }
    }
}
