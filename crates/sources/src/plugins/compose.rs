//! Containers of a compose file. They are for people: an agent's call needs a yes, and containment keeps it from docker's socket.

use std::collections::HashSet;

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::{ErrorCode, Location, Problem, Profile, path, shown};

pub(super) const COMPOSE: SourceSpec = SourceSpec {
    id: "compose",
    codes: "COMPOSE",
    summary: "Containers of a compose file: up, down, logs and ps",
    files: &["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"],
    read,
    programs: &[("docker", "install Docker: https://docs.docker.com/get-docker")],
    runners: &["docker-compose"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    if look.manifest(&source).is_none() {
        return Vec::new();
    }
    check_cycles(look, &source);
    let compose = look.program(&["docker", "compose"]);
    let for_people = |name: &str, own: &[&str], description: &str| {
        compose.usual(name, own, description).profile(Profile::Serve).mutating()
    };
    vec![
        for_people("up", &["up", "--detach"], "Build, create and start the containers"),
        for_people("down", &["down"], "Stop and remove the containers"),
        for_people("logs", &["logs"], "Show what the containers print; `--follow` goes on"),
        for_people("ps", &["ps"], "List the containers"),
    ]
}

/// The most files and services that are followed.
const MOST: usize = 1000;

/// Reports files that include themselves and services that extend themselves, which compose refuses.
fn check_cycles(look: &mut SourceLook<'_>, source: &str) {
    let problem = |look: &mut SourceLook<'_>, what: String, file: &str| {
        let problem = Problem::error(ErrorCode::SourceInvalid, what).at(Location::file(look.place(file)));
        look.problem(problem.help("correct it: compose refuses all services until then"));
    };
    let mut waiting = vec![(source.to_owned(), Vec::new())];
    let mut files: Vec<String> = Vec::new();
    while let Some((file, above)) = waiting.pop() {
        if above.contains(&file) {
            problem(look, format!("{} is in a cycle of includes: it includes itself", shown(&file)), &file);
        }
        if files.contains(&file) || files.len() > MOST {
            continue;
        }
        files.push(file.clone());
        let Some(manifest) = look.manifest(&file) else { continue };
        let above = [above, vec![file.clone()]].concat();
        let included = list(manifest.get(&["include"])).into_iter();
        let paths = included.flat_map(|one| list(Some(one.get("path").unwrap_or(one))));
        waiting.extend(paths.filter_map(|own| Some((beside(&file, own.as_str()?)?, above.clone()))));
    }
    // The services whose chain was followed to its end.
    let mut known: HashSet<(String, String)> = HashSet::new();
    for file in files {
        let Some(manifest) = look.manifest(&file) else { continue };
        for (name, _) in manifest.entries(&["services"]) {
            let (mut chain, mut next) = (Vec::new(), Some((file.clone(), name.to_owned())));
            while let Some(own) = next.take().filter(|own| !known.contains(own) && chain.len() < MOST) {
                if chain.contains(&own) {
                    let what = format!("the service {} is in a cycle of `extends`", shown(&own.1));
                    problem(look, what, &own.0);
                    break;
                }
                next = extended(look, &own);
                chain.push(own);
            }
            known.extend(chain);
        }
    }
}

/// The service that a service extends, with its file.
fn extended(look: &mut SourceLook<'_>, (file, service): &(String, String)) -> Option<(String, String)> {
    let manifest = look.manifest(file)?;
    let own = manifest.get(&["services", service, "extends"])?;
    let text = |key: &str| own.get(key).and_then(Value::as_str);
    let other = text("file").map_or_else(|| Some(file.clone()), |own| beside(file, own))?;
    Some((other, own.as_str().or_else(|| text("service"))?.to_owned()))
}

/// A file that another one names, where it is one of the project.
fn beside(file: &str, named: &str) -> Option<String> {
    let is_plain = !named.contains(['$', ':']) && !named.starts_with(['/', '~']);
    is_plain.then(|| path::join(path::split(file).0, named)).filter(|own| !own.starts_with(".."))
}

/// The entries of a list, or the one value that stands for it.
fn list(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(list)) => list.iter().collect(),
        one => one.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn cycles_are_said_and_end() {
        insta::assert_snapshot!(listed(&COMPOSE, &[
            ("compose.yaml", "include: [more/a.yaml, {path: [b.yaml]}]\nservices: {x: {extends: y}, y: {extends: {service: x}}, z: {extends: x}}\n"),
            ("more/a.yaml", "include: [../compose.yaml]\nservices: {p: {extends: {file: ../b.yaml, service: q}}}\n"),
            ("b.yaml", "services: {q: {extends: {file: more/a.yaml, service: p}}, r: {extends: q}}\n"),
        ]), @"
        up [docker compose up --detach …]  Build, create and start the containers
        down [docker compose down …]  Stop and remove the containers
        logs [docker compose logs …]  Show what the containers print; `--follow` goes on
        ps [docker compose ps …]  List the containers
        error: compose.yaml: compose.yaml is in a cycle of includes: it includes itself (correct it: compose refuses all services until then)
        error: compose.yaml: the service x is in a cycle of `extends` (correct it: compose refuses all services until then)
        error: b.yaml: the service q is in a cycle of `extends` (correct it: compose refuses all services until then)
        ");
        insta::assert_snapshot!(listed(&COMPOSE, &[
            ("compose.yaml", "include: a.yaml\nservices: {x: {extends: {file: a.yaml, service: y}}}\n"),
            ("a.yaml", "services: {y: {extends: z}, z: {}}\n"),
        ]), @"
        up [docker compose up --detach …]  Build, create and start the containers
        down [docker compose down …]  Stop and remove the containers
        logs [docker compose logs …]  Show what the containers print; `--follow` goes on
        ps [docker compose ps …]  List the containers
        ");
    }
}
