//! The suggestion of `cuff init` for a Makefile.

use std::sync::Arc;

use serde_json::{Value, json};

use super::found::{FoundMakefile, look};
use super::project::MakefileProject;
use super::targets::FALLBACK;
use super::tools::offer;
use super::{config, unsettled};
use crate::model::{CACHE_TTL, DEFAULT_TIMEOUT, Field, Files, Problem, Suggestion, Undecided, Values, path};
use crate::plugins::tasks::draft;

/// The Makefile that make would take, when there is one that can be read.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    // `discover` reports an unreadable file.
    let usual = look(&Values::default(), files).ok()?;
    let open = unsettled::summary(&usual.makefile);
    // Reading it by make can run commands: where that would be done, a person says so first.
    let (config, read) = match &open {
        Some(_) => {
            let config = Values::default().with(&config::TRUST_MAKEFILE, json!(false));
            let read = look(&config, files).ok()?;
            (config, read)
        }
        None => (Values::default(), usual),
    };
    let read = Arc::new(read);
    let found = offer(&read, &config);
    // Open questions about targets are asked separately.
    let mut reported = Vec::new();
    unsettled::report(&read.makefile, read.remedy, &mut reported);
    let reported: Vec<String> = reported.iter().map(Problem::sentence).collect();
    let mut draft = draft(found, path::split(&read.project.file).1, "target", &config::TARGETS);
    draft.warnings.retain(|warning| !reported.contains(warning));
    draft.notes.extend(any(&read));
    Some(Suggestion {
        config: settings(&read.project, config.flag(&config::TRUST_MAKEFILE)),
        undecided: open.as_deref().map(trust).into_iter().collect(),
        ..draft
    })
}

/// The note on a Makefile that makes any target.
fn any(read: &FoundMakefile) -> Option<String> {
    let rule = read.makefile.patterns.iter().find(|pattern| matches!(&*pattern.name, FALLBACK | "%"))?;
    let at = &rule.source;
    Some(format!(
        "{at}: the rule for `{}` makes other targets too; name those that you want: `targets: '*, NAME'`",
        rule.name
    ))
}

/// The question whether make may be asked about open targets.
fn trust(open: &str) -> Undecided {
    let words = |text: &str| text.to_owned();
    Undecided {
        field: &config::TRUST_MAKEFILE,
        question: "Let make read the Makefile?",
        because: vec![
            format!("the text alone leaves targets open: {open}"),
            words("make knows them all, but reading a Makefile can run commands in it: $(shell …), !="),
        ],
        answers: vec![
            (words("no: offer what the text says"), json!(false)),
            (words("yes: I trust this repository"), json!(true)),
        ],
    }
}

fn settings(project: &MakefileProject, trusted: bool) -> Vec<(&'static Field, Value)> {
    let written: [&'static Field; 8] = [
        &config::TARGETS,
        &config::EXCLUDE_TARGETS,
        &config::EXTRACTOR,
        &config::TRUST_MAKEFILE,
        &CACHE_TTL,
        &config::WORKING_DIRECTORY,
        &DEFAULT_TIMEOUT,
        &config::EXPOSE_LIST_TARGETS,
    ];
    let own = (&config::MAKEFILE_PATH, json!(format!("./{}", project.file)));
    let value = |key: &'static Field| {
        if *key == config::TRUST_MAKEFILE { Some(json!(trusted)) } else { key.default_value() }
    };
    let rest = written.into_iter().filter_map(|key| Some((key, value(key)?)));
    std::iter::once(own).chain(rest).collect()
}
