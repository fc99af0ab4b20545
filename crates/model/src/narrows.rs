//! Changes of settings that only narrow the permissions of agents.

use serde_json::json;

use super::{Field, Values, plain_commands};

/// The way in which a change of one key narrows the permissions of agents. A change of a key without one
/// waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrows {
    /// The key decides which tools there are, and nothing else: offering fewer tools is narrower.
    Selection,
    /// More entries of the list are narrower; `*` matches everything.
    More,
    /// Fewer entries of the list are narrower; `*` matches everything.
    Fewer,
    /// The smaller number is narrower.
    Less,
    /// False is narrower.
    Off,
    /// This word is narrower than any other.
    To(&'static str),
    /// Fewer commands of those that settings declare are narrower, and more that require confirmation.
    PlainCommands,
}

impl Narrows {
    /// Whether a key of the current values is at least as narrow as in the approved ones. A selection is: the tools of
    /// both decide about it.
    pub fn is_narrower(self, field: &Field, approved: &Values, current: &Values) -> bool {
        let (before, now) = (approved.texts(field), current.texts(field));
        match self {
            Self::Selection => true,
            Self::More => has_all(&now, &before),
            Self::Fewer => has_all(&before, &now),
            Self::Less => current.integer(field) <= approved.integer(field),
            Self::Off => !current.flag(field) || approved.flag(field),
            Self::To(word) => current.text(field) == word || current.text(field) == approved.text(field),
            Self::PlainCommands => plain_commands::are_narrower(field, approved, current),
        }
    }

    /// The approved values with the narrower of both under this key. A selection stays as it was approved.
    pub fn narrowed(self, field: &Field, approved: Values, current: &Values) -> Values {
        if self == Self::Selection || self.is_narrower(field, current, &approved) {
            return approved;
        }
        let (before, now) = (approved.texts(field), current.texts(field));
        let value = match self {
            Self::More => {
                let more = now.iter().filter(|entry| !before.contains(entry));
                json!(before.iter().chain(more).collect::<Vec<_>>())
            }
            Self::Fewer if before.contains(&ALL) => json!(now),
            Self::Fewer => json!(before.iter().filter(|entry| now.contains(entry)).collect::<Vec<_>>()),
            Self::Less => json!(current.integer(field)),
            Self::Off => json!(false),
            Self::To(word) if current.text(field) == word => json!(word),
            Self::PlainCommands => plain_commands::common(field, &approved, current),
            Self::Selection | Self::To(_) => return approved,
        };
        approved.with(field, value)
    }
}

/// The pattern of all names.
const ALL: &str = "*";

/// Whether a list has every entry of another one.
fn has_all(list: &[&str], entries: &[&str]) -> bool {
    list.contains(&ALL) || entries.iter().all(|entry| list.contains(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CONFIRM, DEFAULT_TIMEOUT, EXPOSE_LIST_SCRIPTS, TRUST};

    #[test]
    fn the_narrower_of_two_values_holds() {
        use Narrows::{Fewer, Less, More, Off, Selection, To};
        let list = |text: &str| json!(text.split_whitespace().collect::<Vec<_>>());
        for (narrows, field, approved, current, is_narrower, narrowed) in [
            (More, &CONFIRM, list("a"), list("a b"), true, list("a b")),
            (More, &CONFIRM, list("a b"), list("b"), false, list("a b")),
            (More, &CONFIRM, list("a"), list("b"), false, list("a b")),
            (More, &CONFIRM, list("a"), list("*"), true, list("a *")),
            (More, &CONFIRM, list("*"), list("a"), false, list("*")),
            (Fewer, &CONFIRM, list("a b"), list("b"), true, list("b")),
            (Fewer, &CONFIRM, list("a b"), list("b c"), false, list("b")),
            (Fewer, &CONFIRM, list("*"), list("b"), true, list("b")),
            (Fewer, &CONFIRM, list("b"), list("*"), false, list("b")),
            (Less, &DEFAULT_TIMEOUT, json!(9), json!(5), true, json!(5)),
            (Less, &DEFAULT_TIMEOUT, json!(5), json!(9), false, json!(5)),
            (Off, &EXPOSE_LIST_SCRIPTS, json!(true), json!(false), true, json!(false)),
            (Off, &EXPOSE_LIST_SCRIPTS, json!(false), json!(true), false, json!(false)),
            (To("pinned"), &TRUST, json!("names"), json!("pinned"), true, json!("pinned")),
            (To("pinned"), &TRUST, json!("pinned"), json!("names"), false, json!("pinned")),
            (Selection, &CONFIRM, list("a"), list("b"), true, list("a")),
        ] {
            let (before, now) = (Values::of([(field, approved)]), Values::of([(field, current)]));
            let found =
                (narrows.is_narrower(field, &before, &now), narrows.narrowed(field, before.clone(), &now));
            assert_eq!(
                found,
                (is_narrower, Values::of([(field, narrowed)])),
                "{narrows:?} {before:?} {now:?}"
            );
        }
    }

    #[test]
    fn a_default_counts_as_its_value() {
        let (nothing, short) = (Values::default(), Values::of([(&DEFAULT_TIMEOUT, json!(60))]));
        assert!(Narrows::Less.is_narrower(&DEFAULT_TIMEOUT, &nothing, &short));
        assert_eq!(Narrows::Less.narrowed(&DEFAULT_TIMEOUT, nothing.clone(), &short), short);
        assert!(!Narrows::Less.is_narrower(&DEFAULT_TIMEOUT, &short, &nothing));
        assert_eq!(Narrows::Less.narrowed(&DEFAULT_TIMEOUT, short.clone(), &nothing), short);
        assert_eq!(Narrows::More.narrowed(&CONFIRM, nothing.clone(), &nothing), nothing);
    }
}
