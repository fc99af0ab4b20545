//! Maven: the lifecycle of a pom.xml.

mod xml;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::Profile;

use xml::xml_fault;

pub(super) const MAVEN: SourceSpec = SourceSpec {
    id: "maven",
    codes: "MAVEN",
    summary: "Maven: compile, test, package and verify",
    files: &["pom.xml"],
    read,
    programs: &[
        ("mvn", "install Maven: https://maven.apache.org/install.html"),
        ("./mvnw", "make it executable: chmod +x mvnw"),
    ],
    // Behind a phase they read further phases and goals.
    runners: &["mvn", "mvnw", "./mvnw"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let text = look.text_of_any_encoding("pom.xml").unwrap_or_default();
    if let Some((line, why)) = xml_fault(&text) {
        look.unparsed("pom.xml", Some(line), &why);
        return Vec::new();
    }
    let usual = if look.has_file("mvnw") { "./mvnw" } else { "mvn" };
    let maven = look.program(&[usual]);
    let build = |name: &str, description: &str| maven.usual(name, &[name], description).building();
    let mut tasks = vec![
        build("compile", "Compile the sources"),
        maven.usual("test", &["test"], "Run the unit tests").repeatable(),
        build("package", "Build the package, after the unit tests").aliases(["build"]),
        build("verify", "Run all checks, integration tests among them"),
        build("clean", "Remove what was built"),
    ];
    for (plugin, goal) in
        [("spring-boot-maven-plugin", "spring-boot:run"), ("quarkus-maven-plugin", "quarkus:dev")]
    {
        if text.contains(plugin) {
            let run = maven.usual(goal, &[goal], "Run the application").profile(Profile::Serve);
            tasks.push(run.aliases(["run"]));
        }
    }
    let what = "Download the dependencies that the other tasks need";
    tasks.push(maven.usual("fetch", &["dependency:go-offline"], what).fetching());
    tasks
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn another_encoding_is_no_fault() {
        let text = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<project>\n<!-- \xfcber -->\n</project>\n";
        assert_eq!(xml_fault(&String::from_utf8_lossy(text)), None);
    }

    #[test]
    fn a_broken_file_is_said_with_its_line() {
        insta::assert_snapshot!(listed(&MAVEN, &[("pom.xml", "<project>\n  <name>a\n</project>\n")]), @"error: pom.xml:3: pom.xml cannot be parsed: </project> closes no tag that is open there (correct it; tools of other sources still work)");
    }
}
