//! The instances that the settings could have, from the surveys of the plugins.

use serde_json::{Value, json};

use crate::model::{
    Field, Member, PACKAGES, Pathname, Pick, PluginInfo, Problem, Suggestion, ValueKind, Values,
    package_choice, path,
};
use crate::project::packages::of_members;

/// The survey of one plugin.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The plugin.
    pub about: PluginInfo,
    /// The folder that it looked at, from the project's root.
    pub folder: Pathname,
    /// Its suggestion, if it applies.
    pub suggestion: Option<Suggestion>,
    /// Advice for a person if it suggests nothing.
    pub remark: Option<String>,
    /// The problems of the project's own files that keep the plugin from applying.
    pub problems: Vec<Problem>,
}

/// An instance that the settings could have.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Its key under `plugins:`.
    pub name: String,
    /// Its plugin.
    pub about: PluginInfo,
    /// The folder of its source, from the project's root.
    pub folder: Pathname,
    /// The suggestion to write.
    pub suggestion: Suggestion,
    /// Whether the settings have it already: then it is some of its tools that are new.
    pub stands: bool,
}

impl Survey {
    /// The same, without the messages about something new: the settings have it, and `cuff list` shows its
    /// problems.
    #[must_use]
    pub fn known(&self) -> Self {
        let known = |suggestion: &Suggestion| Suggestion {
            warnings: Vec::new(),
            notes: Vec::new(),
            undecided: Vec::new(),
            ..suggestion.clone()
        };
        Self { suggestion: self.suggestion.as_ref().map(known), ..self.clone() }
    }
}

impl Offer {
    /// Takes in only some packages of its workspace, now and later: the `exclude` of the settings names the others.
    pub fn leave_out(&mut self, is_left_out: impl Fn(&Member) -> bool) {
        let (left_out, kept): (Vec<Member>, Vec<Member>) =
            std::mem::take(&mut self.suggestion.members).into_iter().partition(is_left_out);
        self.suggestion.members = kept;
        let folders: Vec<String> = left_out.into_iter().map(|member| member.folder).collect();
        let all = self.suggestion.members.is_empty();
        self.choose_packages((!all).then(|| package_choice(&["*".to_owned()], &folders)));
    }

    /// Takes in these packages of its workspace alone.
    pub fn take_alone(&mut self, is_taken: impl Fn(&Member) -> bool) {
        self.suggestion.members.retain(is_taken);
        let folders: Vec<String> =
            self.suggestion.members.iter().map(|member| member.folder.clone()).collect();
        self.choose_packages((!folders.is_empty()).then(|| package_choice(&folders, &[])));
    }

    fn choose_packages(&mut self, choice: Option<Value>) {
        self.suggestion.config.retain(|(field, _)| *field != &PACKAGES);
        self.suggestion.config.extend(choice.map(|choice| (&PACKAGES, choice)));
    }

    /// The tools that can be chosen one by one.
    pub fn picks(&self) -> &[Pick] {
        self.suggestion.picking.as_ref().map_or(&[], |picking| &picking.picks)
    }
}

/// The offers of the surveys, an instance each.
pub(crate) fn offers(surveys: &[Survey]) -> Vec<Offer> {
    let names = names(surveys);
    let offer = |(survey, name): (&Survey, String)| {
        let mut suggestion = survey.suggestion.clone()?;
        if survey.folder != "." {
            rebase(&mut suggestion.config, &survey.folder);
        }
        Some(Offer { name, about: survey.about, folder: survey.folder.clone(), suggestion, stands: false })
    };
    surveys.iter().zip(names).filter_map(offer).collect()
}

/// The name of an instance for each survey: that of its plugin at the root, else that of the folder, with the plugin's where several
/// plugins apply there.
pub(super) fn names(surveys: &[Survey]) -> Vec<String> {
    let is_nested = |survey: &&Survey| survey.folder != ".";
    let member = |survey: &Survey| {
        let last = path::split(&survey.folder).1;
        let is_alone = surveys.iter().filter(|other| other.folder == survey.folder).count() == 1;
        let name = if is_alone { last.to_owned() } else { format!("{last}-{}", survey.about.id) };
        Member { name: Some(name), folder: survey.folder.clone(), config: Values::default() }
    };
    let members: Vec<Member> = surveys.iter().filter(is_nested).map(member).collect();
    let taken = surveys.iter().map(|survey| survey.about.id.to_owned()).collect();
    let mut nested = of_members(&members, &taken).into_iter();
    let own =
        |survey: &Survey| if is_nested(&survey) { nested.next() } else { Some(survey.about.id.to_owned()) };
    surveys.iter().map(own).map(Option::unwrap_or_default).collect()
}

/// Puts the way to the project, or to a folder in it, before every relative directory.
pub(crate) fn rebase(config: &mut [(&'static Field, Value)], way: &str) {
    for (field, value) in config {
        if field.kind == ValueKind::Directory
            && let Some(directory) = value.as_str()
        {
            *value = match directory {
                "." => json!(way),
                inner => json!(format!("{way}/{inner}")),
            };
        }
    }
}
