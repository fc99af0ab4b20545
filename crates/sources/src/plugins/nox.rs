//! Sessions of a noxfile.py, read as text.

use super::python::{self, DecoratedFunction, decorated};
use super::tasks::{SourceLook, SourceSpec, SourceTask};

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
        let task = nox.own(&*name, &["-s", &name]).described(session.description.as_deref());
        task.at(&place, Some(session.line))
    };
    sessions.map(task).collect()
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn sessions_have_the_first_line_of_their_docstrings() {
        let text = r#"
import nox
@nox.session
def lint(session):
    """
    Run the linters.
    """
@nox.session
def single(session):
    'Single quotes.'
@nox.session
def raw(
    session,
) -> None:
    # A comment.

    r"""Raw doc.

    More."""
@nox.session
def none(session):
    """"""
    session.run("x")
@nox.session(name="last", python=["3.12"])
async def other(session):
    session.run("y")
"#;
        insta::assert_snapshot!(listed(&NOX, &[("noxfile.py", text)]), @r"
        lint [nox -s lint …]  Run the linters.
        single [nox -s single …]  Single quotes.
        raw [nox -s raw …]  Raw doc.
        none [nox -s none …]  nox -s none
        last [nox -s last …]  nox -s last
        ");
    }
}
