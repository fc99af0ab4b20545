//! The names of a workspace's packages as instances.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Member, RESERVED_INSTANCES, is_instance_name};

/// The longest name that is made of a package's.
const LONGEST: usize = 32;

/// A name for each package, in their order. The first unused one counts: its own without scope, its own with
/// scope, its folder's path, the path with a number. If two packages want the same name, neither gets it, so
/// that their order matters as little as possible.
pub(crate) fn of_members(members: &[Member], taken: &BTreeSet<String>) -> Vec<String> {
    let reserved = RESERVED_INSTANCES.iter().map(|name| name.to_ascii_lowercase());
    let mut taken: BTreeSet<String> =
        taken.iter().map(|name| name.to_ascii_lowercase()).chain(reserved).collect();
    let mut names: Vec<Option<String>> = vec![None; members.len()];
    for form in [unscoped, scoped, folder] {
        let mut wishes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, member) in members.iter().enumerate().filter(|(at, _)| names[*at].is_none()) {
            if let Some(wish) = form(member) {
                wishes.entry(wish).or_default().push(at);
            }
        }
        let fitting = |wish: &String, taken: &BTreeSet<String>| {
            is_instance_name(wish) && !taken.contains(&wish.to_ascii_lowercase())
        };
        for (wish, wanted_by) in wishes {
            if let ([at], true) = (wanted_by.as_slice(), fitting(&wish, &taken)) {
                names[*at] = Some(wish.clone());
            }
            taken.insert(wish.to_ascii_lowercase());
        }
    }
    let numbered = |member: &Member, taken: &mut BTreeSet<String>| {
        let stem = folder(member).unwrap_or_default();
        // One of so many is free, since fewer are taken.
        let numbers = 2..taken.len() + 3;
        let mut names = numbers.map(|number| with_number(&stem, number));
        let name = names.find(|name| !taken.contains(&name.to_ascii_lowercase())).unwrap_or(stem);
        taken.insert(name.to_ascii_lowercase());
        name
    };
    let mut pairs: Vec<(Option<String>, &Member)> = names.into_iter().zip(members).collect();
    pairs
        .iter_mut()
        .map(|(name, member)| name.take().unwrap_or_else(|| numbered(member, &mut taken)))
        .collect()
}

/// `@shop/ui-kit` is `ui-kit`.
fn unscoped(member: &Member) -> Option<String> {
    let name = member.name.as_deref()?;
    safe(name.rsplit('/').next().unwrap_or(name))
}

/// `@shop/ui-kit` is `shop-ui-kit`.
fn scoped(member: &Member) -> Option<String> {
    safe(member.name.as_deref()?)
}

/// `packages/ui-kit` is `packages-ui-kit`.
fn folder(member: &Member) -> Option<String> {
    safe(&member.folder).or_else(|| Some("package".to_owned()))
}

/// The letters and digits of a name, with `-` for other characters; `None` if there are none.
fn safe(name: &str) -> Option<String> {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let kept: String = name.chars().map(keep).collect();
    let joined = kept.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let fitting = match joined.chars().next()? {
        first if first.is_ascii_alphabetic() => joined,
        _ => format!("p-{joined}"),
    };
    let cut: String = fitting.chars().take(LONGEST).collect();
    Some(cut.trim_end_matches('-').to_owned())
}

fn with_number(stem: &str, number: usize) -> String {
    let tail = format!("-{number}");
    let kept: String = stem.chars().take(LONGEST - tail.len()).collect();
    kept.trim_end_matches('-').to_owned() + &tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Values;

    fn named(packages: &[(&str, &str)], taken: &[&str]) -> String {
        let member = |(name, folder): &(&str, &str)| Member {
            name: Some((*name).to_owned()).filter(|name| !name.is_empty()),
            folder: (*folder).to_owned(),
            config: Values::default(),
        };
        let members: Vec<Member> = packages.iter().map(member).collect();
        let taken = taken.iter().map(|name| (*name).to_owned()).collect();
        let names = of_members(&members, &taken);
        assert!(names.iter().all(|name| is_instance_name(name)), "{names:?}");
        names.join(" ")
    }

    #[test]
    fn a_package_is_called_by_the_shortest_name_that_is_its_alone() {
        for (packages, taken, expected) in [
            (&[("@shop/ui", "packages/ui"), ("web", "apps/web")][..], &[][..], "ui web"),
            (&[("@a/ui", "a/ui"), ("@b/ui", "b/ui")], &[], "a-ui b-ui"),
            (&[("ui", "a/ui"), ("@b/ui", "b/ui")], &[], "a-ui b-ui"),
            (&[("x", "a"), ("x", "b")], &[], "a b"),
            (&[("", "packages/ui"), ("", "3d/view")], &[], "packages-ui p-3d-view"),
            (&[("@me/npm", "packages/npm"), ("run", "run")], &["npm"], "me-npm run-2"),
            (&[("ui", "ui")], &["UI"], "ui-2"),
            (&[("ü/é", "a/é"), ("…", "a/ü")], &[], "a-2 a-3"),
            (&[("@s/../x\u{1b}[2J", "x")], &[], "x-2J"),
            (
                &[
                    ("a-very-long-name-of-a-package-number-one", "p/1"),
                    ("a-very-long-name-of-a-package-number-two", "p/2"),
                ],
                &[],
                "p-1 p-2",
            ),
        ] {
            assert_eq!(named(packages, taken), expected, "{packages:?}");
        }
    }
}
