//! The options that load code, start programs or write elsewhere, as the manuals of the programs name them.

use super::options::Rule;

mod javascript;
mod languages;
mod systems;

/// The rules. Several may be for one program.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    [systems::RULES, javascript::RULES, languages::RULES].into_iter().flatten()
}
