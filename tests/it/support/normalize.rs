//! Replaces the parts of an output that differ between machines and moments by constant words: the one place
//! for that.

use regex::{Captures, Regex};

use crate::support::project::{Project, Run};

/// The picture of a run: what people see, errors behind `! `, and the exit code at the end.
pub(crate) fn picture(project: &Project, run: &Run) -> String {
    // For `doctor`: the kernel and the way in which cuff was installed, and with them the count of warnings.
    let machine = r"(?m)^....  (?:runs of agents are |this cuff was |there are \d+ cuffs).*\n(?:      .*\n)*";
    let output = replaced(machine, &stable(project, &run.stdout), |_| String::new());
    let counts = r"(?m)^\d+ failures?, \d+ warnings?\b";
    let errors = replaced(counts, &stable(project, &run.stderr), |_| "N failures, N warnings".to_owned());
    let errors: String =
        errors.lines().map(|line| format!("! {line}").trim_end().to_owned() + "\n").collect();
    format!("{output}{errors}= {}\n", run.code)
}

/// The pictures of these lines, typed one after another: blanks part the words, but for those in `'…'`.
pub(crate) fn typed(project: &Project, lines: &[&str]) -> String {
    let word = Regex::new(r"'[^']*'|\S+").expect("a pattern of ours");
    let picture = |line: &&str| {
        let words = word.find_iter(line).map(|word| word.as_str().trim_matches('\''));
        format!("$ cuff {line}\n{}", picture(project, &project.cuff(words)))
    };
    lines.iter().map(picture).collect()
}

/// A text of a project with stable words for folders, times, ids and other things of this machine.
pub(crate) fn stable(project: &Project, text: &str) -> String {
    let outside = project.outside().display().to_string();
    let text =
        text.replace(&format!("{outside}/home"), "~").replace(&format!("{outside}/project"), "~/project");
    let mut text = text.replace(&outside, "~").replace('\r', "");
    for (pattern, word) in [
        (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "RUN"),
        (r"\b01[0-9a-f]{6}(-[0-9a-f]{1,4})+", "RUN"),
        (r"\b[0-9a-f]{64}\b", "HASH"),
        (r"\b\d+\.\d+ s\b", "0.1 s"),
        (r"\b[\d.]+ (?:bytes?|[KMG]iB) in ", "0.1 MiB in "),
        (r"(cuff runs \w+ )[0-9a-f]{8}\b", "$1RUN"),
        (r"(?m)^( *)[0-9a-f]{8}  ", "$1RUN  "),
        (r"((?:run|call) +)[0-9a-f]{8}( \(|:| )", "$1RUN$2"),
        (r"\b\d+ s ago", "1 s ago"),
        (r"PATH=\S+", "PATH=…"),
        (r"\S*/(node|npm|make|python3|sh|bash)\b(/| |\n|`)", "/usr/bin/$1$2"),
        (r"WARN  a client that a desktop starts would not find .*\n.*\n", ""),
    ] {
        text = replaced(pattern, &text, |found| {
            let mut word = word.to_owned();
            for number in 1..found.len() {
                word = word.replace(&format!("${number}"), &found[number]);
            }
            word
        });
    }
    // Ids of questions look like words.
    replaced(r"(cuff (?:approve|deny)) (settings|\w{26})\b", &text, |found| match &found[2] {
        "settings" => found[0].to_owned(),
        _ => format!("{} ID", &found[1]),
    })
}

fn replaced(pattern: &str, text: &str, word: impl Fn(&Captures<'_>) -> String) -> String {
    Regex::new(pattern).expect("a pattern of ours").replace_all(text, word).into_owned()
}
