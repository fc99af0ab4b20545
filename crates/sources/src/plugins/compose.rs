//! Containers of a compose file. They are for people: an agent's call needs a yes, and containment keeps it from docker's socket.

use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::{Profile, Word};

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
    let compose = look.command(&["docker", "compose"]);
    let command = |own: &[&str]| -> Vec<Word> { [compose.clone(), words(own.iter().copied())].concat() };
    let for_people = |name: &str, own: &[&str], description: &str| {
        SourceTask::usual(name, command(own), description).profile(Profile::Serve).mutating()
    };
    vec![
        for_people("up", &["up", "--detach"], "Build, create and start the containers"),
        for_people("down", &["down"], "Stop and remove the containers"),
        for_people("logs", &["logs"], "Show what the containers print; `--follow` goes on"),
        for_people("ps", &["ps"], "List the containers"),
    ]
}
