//! The instances that the settings could have, from the surveys of the plugins.

mod name;

use std::collections::BTreeSet;

use crate::model::{About, Pathname, Pick, Problem, Suggestion, shown};

/// The survey of one plugin.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The plugin.
    pub about: About,
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
    pub about: About,
    /// The suggestion to write.
    pub suggestion: Suggestion,
    /// The folder of the package, where it is one of a workspace.
    pub folder: Option<Pathname>,
    /// The package's own name, if it has one: `@shop/ui`.
    pub package: Option<String>,
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
    /// Whether a name is one of its own: as an instance, and for a package of a workspace also its own name
    /// and its folder.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }

    /// All that it is called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [Some(self.name.as_str()), self.package.as_deref(), self.folder.as_deref()].into_iter().flatten()
    }

    /// Which package of a workspace it is: its folder, and its own name where the instance has another.
    pub fn member(&self) -> Option<String> {
        let folder = self.folder.as_deref()?;
        let own = self.package.as_deref().filter(|own| *own != self.name);
        Some(own.map_or_else(|| folder.to_owned(), |own| format!("{} in {folder}", shown(own))))
    }

    /// The tools that can be chosen one by one.
    pub fn picks(&self) -> &[Pick] {
        self.suggestion.picking.as_ref().map_or(&[], |picking| &picking.picks)
    }
}

/// The offers of the surveys, an instance each: a plugin's own, then the packages of its workspace. Names are
/// unique, and none but a plugin's own is one of `taken`.
pub(crate) fn offers(surveys: &[Survey], abouts: &[About], taken: &BTreeSet<String>) -> Vec<Offer> {
    let mut taken = taken.clone();
    taken.extend(abouts.iter().map(|about| about.id.to_owned()));
    let mut offers = Vec::new();
    for Survey { about, suggestion, .. } in surveys {
        let Some(suggestion) = suggestion else { continue };
        let own = Suggestion { members: Vec::new(), ..suggestion.clone() };
        offers.push(Offer {
            name: about.id.to_owned(),
            about: *about,
            suggestion: own,
            folder: None,
            package: None,
            stands: false,
        });
        let names = name::of_members(&suggestion.members, &taken);
        taken.extend(names.iter().cloned());
        offers.extend(names.into_iter().zip(&suggestion.members).map(|(name, member)| Offer {
            name,
            about: *about,
            suggestion: member.suggestion.clone(),
            folder: Some(member.folder.clone()),
            package: member.name.clone(),
            stands: false,
        }));
    }
    offers
}
