//! The final names within one instance: clean, at most 64 characters with the namespace, and never shared.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::model::{Problem, Registered, Spelling, Tool, shown};

/// The longest qualified name, in either spelling (`instance.name`, `instance__name`).
const LONGEST: usize = 64;
/// `_` and eight hexadecimal digits.
const SUFFIX: usize = 9;
/// A suffixed name that is taken as well is suffixed anew; a ninth time means that hashes are broken.
const MOST_ROUNDS: u32 = 8;

/// Returns one name for each tool, in their order, and a problem for each name that several wanted.
///
/// If several want one name, each of them gets a suffix made from its own original name. So no edit elsewhere
/// in the source can make a name refer to another tool. A list tool keeps its name: it is reserved.
pub(super) fn settle(instance: &str, tools: &[Tool]) -> (Vec<String>, Vec<Problem>) {
    let room = LONGEST.saturating_sub(instance.len() + 2);
    let mut names: Vec<String> =
        tools.iter().map(|tool| cut(clean(&tool.name), room, &tool.original)).collect();
    let mut problems = Vec::new();
    for round in 0..MOST_ROUNDS {
        let shared = shared(&names);
        if shared.is_empty() {
            break;
        }
        for (name, places) in shared {
            for &at in places.iter().filter(|at| !tools[**at].role.is_list()) {
                names[at] = suffixed(&clean(&tools[at].name), room, &tools[at].original, round);
            }
            problems.push(collision(&name, &places, tools, &names));
        }
    }
    (names, problems)
}

/// Gives a suffix to tools of different instances whose qualified names are equal in the portable spelling
/// (`a__b` and `c`, `a` and `b__c`). Returns a problem for each such name and instance.
pub(super) fn settle_across(tools: &mut [Registered]) -> Vec<(String, Problem)> {
    let mut problems = Vec::new();
    for round in 0..MOST_ROUNDS {
        let names: Vec<String> = tools.iter().map(|tool| tool.name.spelled(Spelling::Portable)).collect();
        let shared = shared(&names);
        if shared.is_empty() {
            break;
        }
        for (name, places) in shared {
            let of = |at: &usize| {
                format!("`{}` of {}", shown(&tools[*at].tool.original), tools[*at].name.instance)
            };
            let whom = places.iter().map(of).collect::<Vec<_>>().join(" and ");
            for at in places {
                let found = &mut tools[at];
                if found.tool.role.is_list() {
                    continue;
                }
                let room = LONGEST.saturating_sub(found.name.instance.len() + 2);
                // Only the instance distinguishes tools with the same original name.
                let original = format!("{}.{}", found.name.instance, found.tool.original);
                found.name.local = suffixed(&clean(&found.tool.name), room, &original, round);
                let message = format!("{whom} would all be called `{name}`; offered as {}", found.name.local);
                let problem = Problem::warning(message).help("rename one of the instances");
                problems.push((found.name.instance.clone(), problem));
            }
        }
    }
    problems
}

/// The names that stand more than once, and where.
fn shared(names: &[String]) -> BTreeMap<String, Vec<usize>> {
    let mut seen = HashSet::with_capacity(names.len());
    if names.iter().all(|name| seen.insert(name.as_str())) {
        return BTreeMap::new();
    }
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        places.entry(name.clone()).or_default().push(at);
    }
    places.retain(|_, places| places.len() > 1);
    places
}

fn collision(name: &str, places: &[usize], tools: &[Tool], names: &[String]) -> Problem {
    let (reserved, others): (Vec<usize>, Vec<usize>) =
        places.iter().partition(|at| tools[**at].role.is_list());
    let quoted = |at: &usize| format!("`{}`", tools[*at].original);
    let whom: Vec<String> = others.iter().map(quoted).collect();
    let what = if reserved.is_empty() { "would all be called" } else { "would be called like the reserved" };
    let now: Vec<&str> = others.iter().map(|at| names[*at].as_str()).collect();
    let problem =
        Problem::warning(format!("{} {what} `{name}`; offered as {}", whom.join(" and "), now.join(" and ")));
    match others.first() {
        // The tools of a server have no file.
        Some(at) if tools[*at].source.file.is_empty() => problem,
        Some(at) => {
            problem.at(tools[*at].source.clone()).help("give them names that differ in letters or digits")
        }
        None => problem,
    }
}

/// Only letters, digits and `_`.
pub(super) fn clean(name: &str) -> Cow<'_, str> {
    let is_clean = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(is_clean) {
        return Cow::Borrowed(name);
    }
    name.chars().map(|c| if is_clean(c) { c } else { '_' }).collect()
}

/// The name itself when it fits, else its front and a suffix.
fn cut(name: Cow<'_, str>, room: usize, original: &str) -> String {
    if name.len() <= room { name.into_owned() } else { suffixed(&name, room, original, 0) }
}

fn suffixed(name: &str, room: usize, original: &str, round: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(original.as_bytes());
    if round > 0 {
        hasher.update(&round.to_le_bytes());
    }
    let hex = hasher.finalize().to_hex();
    let front = &name[..name.len().min(room.saturating_sub(SUFFIX))];
    format!("{front}_{}", &hex[..SUFFIX - 1])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::{Command, Location, Word};

    fn list(name: &str) -> Tool {
        Tool::listing(name, "", Location::file("package.json"), "scripts")
    }

    /// A tool that takes part in the naming; a list tool would keep its name.
    pub(in crate::registry) fn script(name: &str, original: &str) -> Tool {
        Tool::running(name, original, Location::file("package.json"), Command::new(Word::fixed("npm")))
    }

    #[test]
    fn all_who_share_a_name_get_a_suffix_of_their_own() {
        let tools = [script("npm_a_b", "a-b"), script("npm_c", "c"), script("npm_a_b", "a.b")];
        let (names, problems) = settle("packagejson", &tools);
        insta::assert_debug_snapshot!((&names, problems[0].to_string()), @r#"
        (
            [
                "npm_a_b_ab628bfc",
                "npm_c",
                "npm_a_b_08b91858",
            ],
            "package.json: `a-b` and `a.b` would all be called `npm_a_b`; offered as npm_a_b_ab628bfc and npm_a_b_08b91858",
        )
        "#);
        let (alone, _) = settle("packagejson", &[script("npm_a_b", "a-b")]);
        assert_eq!(alone, ["npm_a_b"]);
    }

    #[test]
    fn a_script_that_wears_the_suffixed_name_of_another_gets_one_as_well() {
        let mimic = settle("i", &[script("a_b", "a-b"), script("a_b", "a.b")]).0[0].clone();
        let tools = [script("a_b", "a-b"), script("a_b", "a.b"), script(&mimic, "mimic")];
        let (names, _) = settle("i", &tools);
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), 3, "{names:?}");
        assert!(names[2].starts_with(&mimic) && names[2] != mimic);
    }

    #[test]
    fn instances_whose_names_run_into_each_other_keep_their_tools_apart() {
        let registered = |instance: &str, local: &str| {
            let name = crate::model::ToolName { instance: instance.to_owned(), local: local.to_owned() };
            Registered::new(name, "p", script(local, local))
        };
        let mut tools =
            [registered("a", "b__c"), registered("a__b", "c"), registered("a", "c"), registered("b", "c")];
        let problems = settle_across(&mut tools);
        let names = tools.each_ref().map(|tool| tool.name.spelled(Spelling::Portable));
        assert_eq!(names, ["a__b__c_091ccb81", "a__b__c_c7bb13f2", "a__c", "b__c"]);
        let said = "`b__c` of a and `c` of a__b would all be called `a__b__c`; offered as b__c_091ccb81; rename one of the \
                    instances";
        assert_eq!((problems[0].0.as_str(), problems[0].1.in_one_line()), ("a", said.to_owned()));
        assert_eq!(problems.len(), 2, "one for each of the instances");
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), 4);
        assert!(settle_across(&mut tools).is_empty());
    }

    #[test]
    fn the_list_tool_keeps_its_name() {
        let tools = [list("npm_list_scripts"), script("npm_list_scripts", "list-scripts")];
        let (names, problems) = settle("packagejson", &tools);
        assert_eq!(names[0], "npm_list_scripts");
        assert!(names[1].starts_with("npm_list_scripts_"));
        assert!(problems[0].message.starts_with("`list-scripts` would be called like the reserved"));
    }

    #[test]
    fn names_stay_within_64_characters_and_plain_letters() {
        let long = format!("npm_{}", "x".repeat(300));
        let tools = [script(&long, &long), script("npm_🚀-é", "🚀-é"), script(&format!("{long}y"), "other")];
        let instance = "i".repeat(32);
        let (names, _) = settle(&instance, &tools);
        for name in &names {
            assert!(instance.len() + 2 + name.len() <= 64, "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        }
        assert_ne!(names[0], names[2]);
    }
}
