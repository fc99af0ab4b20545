//! Things that a contained run was refused: exactly, where a judge decided; probably, where its output names a path that the rules close.

use std::path::{Path, PathBuf};

use crate::model::{Denial, DeniedAct, Ending, Outcome};
use crate::sys::files;

/// What a program prints where the system refuses it a file. A line without one of these is not looked at; a line with one is no
/// denial unless it names a path that the rules close.
const REFUSALS: [&str; 10] = [
    "Permission denied",
    "permission denied",
    "PermissionDenied",
    "EACCES",
    "Operation not permitted",
    "operation not permitted",
    "EPERM",
    "Access is denied",
    "No such device or address",
    "ENXIO",
];
/// The same for files below hidden folders: root finds an empty folder in their place.
const ABSENCES: [&str; 2] = ["No such file or directory", "ENOENT"];
/// The words of programs that find no address for a name.
const NAMELESS: [&str; 9] = [
    "EAI_AGAIN",
    "ENOTFOUND",
    "Temporary failure in name resolution",
    "Temporary failure resolving",
    "Could not resolve host",
    "Name or service not known",
    "failed to lookup address information",
    "dial udp",
    "UnknownHostException",
];
/// The names that are meant, in words.
const OTHER_MACHINES: &str = "the names of other machines";
/// How many lines of the output are looked at, from the end, and how many paths are told.
const LINES: usize = 200;
const MOST: usize = 5;

/// All that a run was refused. Paths, and names of machines, are told of one that failed.
pub(super) fn all(outcome: &Outcome, folder: &Path, output: &str) -> Vec<Denial> {
    let mut all = outcome.denials.clone();
    let failed = !matches!(outcome.ending, Ending::Exited(0));
    let Some(fences) = outcome.fences.as_ref().filter(|_| failed) else { return all };
    let lines = || output.lines().rev().take(LINES);
    let has = |line: &str, texts: &[&str]| texts.iter().any(|text| line.contains(text));
    let refused = lines().filter_map(|line| {
        let is_refused = has(line, &REFUSALS);
        let is_told = |path: &PathBuf| is_refused || fences.hides(path);
        (is_refused || has(line, &ABSENCES)).then(|| paths(line, folder).filter(is_told).collect::<Vec<_>>())
    });
    let mut told: Vec<Denial> = Vec::new();
    for path in refused.flatten() {
        let act = if fences.keeps(&path) {
            DeniedAct::ReachOwn
        } else if fences.hides(&path) {
            DeniedAct::Read
        } else if fences.opens(&path) {
            continue;
        } else {
            DeniedAct::Write
        };
        let denial = Denial { act, subject: path.display().to_string() };
        let is_known = |known: &Denial| known.subject == denial.subject;
        if told.len() < MOST && !told.iter().any(is_known) && !all.iter().any(is_known) {
            told.push(denial);
        }
    }
    told.reverse();
    all.extend(told);
    let is_closed = outcome.network.as_ref().is_some_and(|network| !network.is_open());
    if is_closed && lines().any(|line| has(line, &NAMELESS)) {
        all.push(Denial { act: DeniedAct::LookUpName, subject: OTHER_MACHINES.to_owned() });
    }
    all
}

/// The paths that a line names, as absolute ones: words with a separator in them.
fn paths<'l>(line: &'l str, folder: &'l Path) -> impl Iterator<Item = PathBuf> + 'l {
    let is_around = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;=".contains(c);
    let words = line.split(is_around).map(|word| word.trim_end_matches([':', '.']));
    words
        .filter(|word| word.contains('/') && !word.contains("://"))
        .map(|word| files::without_dots(&folder.join(word)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{Fences, Network};

    #[test]
    fn a_path_is_told_where_the_rules_close_it_and_the_output_says_that_it_was_refused() {
        let fences = Fences {
            writable: vec!["/p".into(), "/tmp/own".into()],
            kept: vec!["/p/kept".into()],
            hidden: vec!["/home/a/.ssh".into()],
            shown: vec!["/home/a/.ssh/id.pub".into()],
            own: vec!["/home/a/.local/state/cuff".into()],
        };
        let told = |ending: Ending, output: &str| {
            let outcome = Outcome { fences: Some(fences.clone()), ..Outcome::new(ending, Duration::ZERO) };
            let all = all(&outcome, Path::new("/p/sub"), output);
            all.into_iter().map(|denial| (denial.act, denial.subject)).collect::<Vec<_>>()
        };
        let failed = || Ending::Exited(1);
        for (output, expected) in [
            ("cat: /home/a/.ssh/id: Permission denied", vec![(DeniedAct::Read, "/home/a/.ssh/id")]),
            (
                "cat: /home/a/.ssh/id.pub/x: Permission denied",
                vec![(DeniedAct::Write, "/home/a/.ssh/id.pub/x")],
            ),
            ("sh: 1: cannot create ../../outside: Permission denied", vec![(DeniedAct::Write, "/outside")]),
            ("Error: EACCES: permission denied, open '/etc/x'", vec![(DeniedAct::Write, "/etc/x")]),
            (
                "open /home/a/.local/state/cuff/pins: permission denied",
                vec![(DeniedAct::ReachOwn, "/home/a/.local/state/cuff/pins")],
            ),
            ("mkdir: '/p/kept/x': Permission denied", vec![(DeniedAct::Write, "/p/kept/x")]),
            ("cat: /home/a/.ssh/id: No such file or directory", vec![(DeniedAct::Read, "/home/a/.ssh/id")]),
            ("cat: /etc/x: No such file or directory", vec![]),
            // The rules do not close these, or no path is named, or nothing was refused.
            ("open /p/a: Permission denied", vec![]),
            ("EPERM", vec![]),
            ("see /etc/x", vec![]),
            ("fatal: https://a/b: Permission denied", vec![]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(act, path)| (act, path.to_owned())).collect();
            assert_eq!(told(failed(), output), expected, "{output}");
        }
        assert_eq!(told(Ending::Exited(0), "cat: /home/a/.ssh/id: Permission denied"), vec![]);
    }

    #[test]
    fn names_of_machines_are_told_of_a_failed_run_without_an_open_network() {
        let told = |ending: Ending, network: Option<Network>, output: &str| {
            let outcome =
                Outcome { fences: Some(Fences::default()), network, ..Outcome::new(ending, Duration::ZERO) };
            all(&outcome, Path::new("/p"), output).iter().map(Denial::sentence).collect::<Vec<_>>()
        };
        let npm = "npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org";
        let expected = ["the run probably could not look up the names of other machines"];
        assert_eq!(told(Ending::Exited(1), Some(Network::Closed), npm), expected);
        assert_eq!(told(Ending::Exited(1), Some(Network::Loopback(Vec::new())), npm), expected);
        assert_eq!(told(Ending::Exited(1), Some(Network::Open(Vec::new())), npm), [""; 0]);
        assert_eq!(told(Ending::Exited(1), None, npm), [""; 0]);
        assert_eq!(told(Ending::Exited(0), Some(Network::Closed), npm), [""; 0]);
        assert_eq!(told(Ending::Exited(1), Some(Network::Closed), "no such host"), [""; 0]);
    }
}
