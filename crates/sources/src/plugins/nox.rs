//! Sessions of a noxfile.py, read as text.

use super::python::{self, DecoratedFunction, decorated};
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
    let text = look.text("noxfile.py").unwrap_or_default();
    let sessions = decorated(text, &["@nox.session", "@session", "@nox_uv.session"]).into_iter();
    let task = |session: DecoratedFunction| {
        let name = session.given_name().unwrap_or(session.function);
        let own = [nox.clone(), words(["-s", &name])].concat();
        SourceTask::own(name, own).described(session.description.as_deref()).at(&place, Some(session.line))
    };
    sessions.map(task).collect()
}
