//! Sessions of a noxfile.py, read as text.

use super::python;
use super::tasks::{SourceLook, SourceSpec, SourceTask, words};

pub(super) const NOX: SourceSpec = SourceSpec {
    id: "nox",
    codes: "NOX",
    summary: "Sessions of a noxfile.py",
    files: &["noxfile.py"],
    read,
    programs: python::PROGRAMS,
    separator: Some("--"),
    runners: &["nox"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let nox = python::tool(look, "nox");
    let place = look.place("noxfile.py");
    let task = |session: NoxSession| {
        let own = [nox.clone(), words(["-s", &session.name])].concat();
        SourceTask::own(session.name, own)
            .described(session.description.as_deref())
            .at(&place, Some(session.line))
    };
    sessions(look.text("noxfile.py").unwrap_or_default()).into_iter().map(task).collect()
}

struct NoxSession {
    name: String,
    description: Option<String>,
    line: usize,
}

/// The functions with decorators of sessions, of which each is a session.
fn sessions(text: &str) -> Vec<NoxSession> {
    const BEGINNINGS: [&str; 3] = ["@nox.session", "@session", "@nox_uv.session"];
    let mut found = Vec::new();
    let mut decorators: Vec<String> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) {
            decorators.push(String::new());
        }
        let Some(decorator) = decorators.last_mut() else { continue };
        let Some(rest) = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def ")) else {
            decorator.push_str(line);
            continue;
        };
        let function = rest.split('(').next().unwrap_or_default().trim();
        let body = lines[at..].iter().skip_while(|line| !line.trim_end().ends_with(':')).nth(1);
        let description = body.and_then(|line| docstring(line));
        found.extend(decorators.drain(..).map(|decorator| {
            let name = named(&decorator).unwrap_or_else(|| function.to_owned());
            NoxSession { name, description: description.clone(), line: at + 1 }
        }));
    }
    found
}

/// The name that a decorator gives its session.
fn named(decorator: &str) -> Option<String> {
    let plain: String = decorator.split_whitespace().collect();
    let (_, rest) = plain.split_once("(name=").or_else(|| plain.split_once(",name="))?;
    let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let (name, _) = rest[1..].split_once(quote)?;
    Some(name.to_owned())
}

/// The first line of the text that describes a function.
fn docstring(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches(['r', 'R']);
    let inside = line.strip_prefix("\"\"\"").or_else(|| line.strip_prefix("'''"))?;
    let text = inside.trim_end_matches("\"\"\"").trim_end_matches("'''").trim();
    (!text.is_empty()).then(|| text.to_owned())
}
