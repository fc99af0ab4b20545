//! Problems of settings and preferences, as the terminal reports them.

use std::sync::Arc;

use crate::calls;
use crate::doctor::Installation;
use crate::model::{ErrorCode, Problem};
use crate::project::{Context, OpenError, Project, ProjectSettings};
use crate::settings::SettingsProblem;
use crate::terminal::{Complaint, Failed, Ui, exit};

/// Says what is wrong with the settings; what is right still works.
pub(super) fn complain(ui: &Ui, project: &Project) {
    complain_of(ui, &project.settings, |_| true);
}

/// Says what is wrong with those parts of the settings that matter here, `None` being the file as a whole.
pub(super) fn complain_of(ui: &Ui, settings: &ProjectSettings, matters: impl Fn(Option<&str>) -> bool) {
    for complaint in settings.complaints.iter().filter(|complaint| matters(complaint.instance.as_deref())) {
        ui.complaint(&complaint.into());
    }
    if settings.fit_for_serving().is_err() {
        let file = settings.file().unwrap_or_default();
        let problem = Problem::warning(format!("{file} may be written by every user of this machine"));
        ui.problem(None, None, &problem.help(format!("run `chmod o-w {file}`")));
    }
}

/// Says what is wrong with the user's own preferences, to commands that ask for them; whether there is something.
pub(super) fn complain_of_preferences(ui: &Ui, context: &Context) -> bool {
    let complaints = calls::preference_problems(context);
    for complaint in &complaints {
        ui.problem(None, None, complaint);
    }
    !complaints.is_empty()
}

impl From<&SettingsProblem> for Complaint {
    fn from(problem: &SettingsProblem) -> Self {
        Self {
            instance: problem.instance.clone(),
            code: problem.code.clone(),
            problem: problem.into(),
            lines: Arc::new(problem.clone()),
        }
    }
}

impl From<OpenError> for Failed {
    fn from(error: OpenError) -> Self {
        let (code, fault) = match error {
            OpenError::NoSettings { .. } => (exit::FAILURE, ErrorCode::SourceNotFound),
            OpenError::NotConfigured { .. } | OpenError::Disabled { .. } => {
                (exit::FAILURE, ErrorCode::InvalidConfig)
            }
            OpenError::BadOption(_) => (exit::USAGE, ErrorCode::BadArgument),
            OpenError::NotKnown { .. } | OpenError::NoPins => (exit::FAILURE, ErrorCode::Unapproved),
            OpenError::NotThere(_) => (exit::BAD_SETTINGS, ErrorCode::SourceNotFound),
            OpenError::Unusable { .. } | OpenError::WorldWritable(_) => {
                (exit::BAD_SETTINGS, ErrorCode::InvalidConfig)
            }
        };
        let error_code = fault.code("CUFF");
        let (message, help) = (error.to_string(), error.help());
        let complaints = match &error {
            OpenError::Unusable { problems, .. } => problems.iter().map(Complaint::from).collect(),
            _ => Vec::new(),
        };
        Self { code, error_code, help, complaints, ..Self::usage(message) }
    }
}

/// Says that an entry names a binary which may be gone tomorrow.
pub(super) fn warn_of_cache(ui: &Ui, context: &Context) {
    let Installation { binary, by, is_temporary, .. } = Installation::of(context.supervisor.path());
    if is_temporary {
        let what = format!("{by} keeps this cuff in a cache, which may be emptied: {}", binary.display());
        let help = "install cuff to stay, and run this again with that one";
        ui.problem(None, None, &Problem::warning(what).help(help));
    }
}
