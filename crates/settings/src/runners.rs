//! Runners: the entries under `runners:`, each the words of an engine's client.

mod table;

use crate::model::{Default, Field, Quoting, Runner, RunnerFiles, ValueKind, Values, Wildcard, shown};

use table::{ClientWords, ENGINES, MOUNT};

/// The engine whose words a runner has.
const TYPE: Field = Field {
    name: "type",
    kind: ValueKind::Choice(table::NAMES),
    default: Default::Absent,
    about: "The engine whose words cuff knows. Without it `via` has the words.",
};
const HOST: Field = Field {
    name: "host",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The machine, as ssh takes it: a name of your ssh configuration, or `user@host`.",
};
const IMAGE: Field = Field {
    name: "image",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The image of the container. It has a shell as `sh`.",
};
const OPTIONS: Field = Field {
    name: "options",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Further words for the client, such as `[--cpus, \"2\"]`.",
};
const FOLDER: Field = Field {
    name: "folder",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The absolute path of the project on the runner; without it the same as on this machine.",
};
const VIA: Field = Field {
    name: "via",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The client and its words. `{command}` is a word of its own and stands for the tool; `{id}`, `{folder}` and `{root}` \
            stand in any word.",
};
const STOP: Field = Field {
    name: "stop",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The words that send `{signal}` to the tool of the run `{id}`. `{kill}` is a line for a shell on the runner that does it.",
};
const CHECK: Field = Field {
    name: "check",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The words that succeed while the engine can be reached, for `cuff runners`.",
};
const QUOTING: Field = Field {
    name: "quoting",
    kind: ValueKind::Choice(&["words", SHELL]),
    default: Default::Absent,
    about: "How the engine takes the words of a tool: each as it is, or as one line that a shell reads there.",
};
const SHELL: &str = "shell";
const FILES: Field = Field {
    name: "files",
    kind: ValueKind::Choice(&["shared", COPIED]),
    default: Default::Absent,
    about: "Whether the runner sees the project's files, or each run gets a copy of those that git does not ignore. What the run \
            changes of them comes back.",
};
const COPIED: &str = "copied";
const RESULTS: Field = Field {
    name: "results",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "New files that come back from a copy too: paths below the project, in which `*` stands for any text, such as `coverage/*`.",
};
const AGENTS: Field = Field {
    name: "agents",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether agents may use it. A tool there is contained where the runner has this cuff.",
};

/// The keys of an entry.
pub(super) const KEYS: [&Field; 12] =
    [&TYPE, &HOST, &IMAGE, &OPTIONS, &FOLDER, &FILES, &RESULTS, &VIA, &STOP, &CHECK, &QUOTING, &AGENTS];
/// The front of the error codes of runners.
pub(super) const CODE_PREFIX: &str = "CUFF";

/// The reason why the keys of an entry make no runner: the key to point at, what is wrong, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoRunner {
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// The runner of checked values.
///
/// # Errors
/// Where a key is missing or its value makes no sense.
pub(super) fn runner(name: &str, values: &Values) -> Result<Runner, NoRunner> {
    let wrong = |field: &Field, message: String, help| Err(NoRunner { key: field.name, message, help });
    let engine = ENGINES.iter().find(|(known, _)| *known == values.text(&TYPE)).map(|(_, engine)| engine);
    let words = |field: &Field, of_engine: &[&str]| -> Vec<String> {
        let given = values.texts(field);
        if given.is_empty() {
            of_engine.iter().map(|word| (*word).to_owned()).collect()
        } else {
            owned(&given)
        }
    };
    let nothing = ClientWords { via: &[], stop: &[], check: &[], quoting: Quoting::Words };
    let engine = engine.unwrap_or(&nothing);
    let (via, stop) = (words(&VIA, engine.via), words(&STOP, engine.stop));
    if via.is_empty() {
        return wrong(
            &VIA,
            "it has neither `type` nor `via`".into(),
            "write `type: docker`, or the words in `via`",
        );
    }
    if via.iter().filter(|word| *word == COMMAND).count() != 1 || via[0] == COMMAND {
        let help = "write it behind the words of the client: `via: [nice, \"{command}\"]`";
        return wrong(&VIA, format!("`via` must have the word `{COMMAND}` once"), help);
    }
    if !stop.iter().any(|word| word.contains("{signal}") || word.contains("{kill}")) {
        let help = "cuff ends a tool with these words: the end of the client is not that of the tool";
        return wrong(
            &STOP,
            "`stop` must have words, and `{signal}` or `{kill}` in one of them".into(),
            help,
        );
    }
    let check = words(&CHECK, engine.check);
    for (words, (field, inside, alone, help)) in [&via, &stop, &check].into_iter().zip(PLACES) {
        for (word, place) in words.iter().flat_map(|word| places(word).map(move |place| (word, place))) {
            let shown = format!("`{{{place}}}`");
            if alone.contains(&place) && word.len() > place.len() + 2 {
                return wrong(field, format!("{shown} must be a word of its own"), help);
            }
            if !inside.contains(&place) && !alone.contains(&place) {
                return wrong(field, format!("{shown} is no place in `{}`", field.name), help);
            }
        }
    }
    for field in [&HOST, &IMAGE] {
        let place = format!("{{{}}}", field.name);
        let is_named = via.iter().any(|word| word.contains(&place));
        if !is_named && values.has(field) {
            let message = format!("nothing in this runner uses `{}`", field.name);
            return wrong(field, message, "leave it out, or choose the `type` that has it");
        }
        if is_named && (values.text(field).is_empty() || values.text(field).starts_with('-')) {
            let message = format!("`{}` is missing, or begins with a dash", field.name);
            return wrong(field, message, "the words of this runner need it");
        }
    }
    let folder = values.has(&FOLDER).then(|| values.text(&FOLDER).to_owned());
    if folder.as_ref().is_some_and(|folder| !folder.starts_with('/')) {
        return wrong(&FOLDER, "`folder` must be an absolute path".into(), "it is a path on the runner");
    }
    let results = owned(&values.texts(&RESULTS));
    let is_copied = values.text(&FILES) == COPIED;
    if !results.is_empty() && !is_copied {
        return wrong(
            &RESULTS,
            "`results` needs `files: copied`".into(),
            "a runner that sees the files changes them itself",
        );
    }
    let is_odd = |pattern: &&String| {
        pattern.starts_with('/')
            || pattern.split('/').any(|part| part == "..")
            || pattern.contains(['\n', '\'', '\\'])
            || Wildcard::of(pattern).is_none()
    };
    if let Some(odd) = results.iter().find(is_odd) {
        let help = "write a path below the project, in which `*` stands for any text: `coverage/*`";
        return wrong(&RESULTS, format!("`{}` is no pattern of `results`", shown(odd)), help);
    }
    let files = if is_copied {
        RunnerFiles::Copied { results, hide: Vec::new(), show: Vec::new() }
    } else {
        RunnerFiles::Shared
    };
    let quoting = match values.text(&QUOTING) {
        SHELL => Quoting::Shell,
        "" => engine.quoting,
        _ => Quoting::Words,
    };
    let filled = |words: Vec<String>| filled(words, values, is_copied);
    Ok(Runner {
        name: name.to_owned(),
        via: filled(via),
        stop: filled(stop),
        check: filled(check),
        quoting,
        folder,
        files,
        is_open_to_agents: values.flag(&AGENTS),
    })
}

/// A runner as problems and approvals name it, beside instances.
pub(super) fn runner_entry(name: &str) -> String {
    format!("runners.{name}")
}

/// The word that stands for the tool.
const COMMAND: &str = "{command}";

/// The words of a client: the places inside of one, those that are one, and the help where another name stands in braces.
const PLACES: [(&Field, &[&str], &[&str], &str); 3] = [
    (
        &VIA,
        &["id", "folder", "root"],
        &["command", "options", "host", "image", "mount"],
        "the places are `{command}` as a word, and `{id}`, `{folder}` and `{root}` in any word; `{ x}` and `{{x}}` are text",
    ),
    (
        &STOP,
        &["id", "folder", "root", "signal", "kill"],
        &["options", "host", "image"],
        "the places are `{signal}`, `{kill}`, `{id}`, `{folder}` and `{root}`; `{ x}` and `{{x}}` are text",
    ),
    (
        &CHECK,
        &["folder", "root"],
        &["options", "host", "image"],
        "the places are `{folder}` and `{root}`; `{ x}` and `{{x}}` are text",
    ),
];

/// The names in braces. A shell's `${x}`, a template's `{{x}}` and braces around anything else are text.
fn places(word: &str) -> impl Iterator<Item = &str> {
    word.match_indices('{').filter_map(|(at, _)| {
        let (name, _) = word[at + 1..].split_once('}')?;
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_name && !word[..at].ends_with(['$', '{'])).then_some(name)
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The words with the values of the entry's other keys.
fn filled(words: Vec<String>, values: &Values, is_copied: bool) -> Vec<String> {
    let one = |word: String| match word.as_str() {
        MOUNT if is_copied => Vec::new(),
        MOUNT => owned(&["--mount", "type=bind,source={root},target={folder}"]),
        "{options}" => owned(&values.texts(&OPTIONS)),
        "{host}" => vec![values.text(&HOST).to_owned()],
        "{image}" => vec![values.text(&IMAGE).to_owned()],
        _ => vec![word],
    };
    words.into_iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(keys: Value) -> Result<Runner, String> {
        let Value::Object(keys) = keys else { panic!("{keys}") };
        let (values, mistakes) = crate::model::check(&KEYS, &keys);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        runner("box", &values).map_err(|wrong| format!("{}: {}", wrong.key, wrong.message))
    }

    #[test]
    fn an_engine_has_its_words_and_the_values_of_the_entry() {
        let runner = read(json!({"type": "ssh", "host": "build", "options": ["-p", "22 22"]})).unwrap();
        assert_eq!(
            runner.via,
            ["ssh", "-T", "-o", "BatchMode=yes", "-p", "22 22", "--", "build", "{command}"]
        );
        assert_eq!((runner.quoting, runner.is_open_to_agents), (Quoting::Shell, false));
        let slurm = read(json!({"type": "slurm", "options": ["--mem=8G"]})).unwrap();
        let export = "--export=HOME,LANG,LOGNAME,PATH,SHELL,USER";
        let words = ["srun", "--job-name=cuff-{id}", "--ntasks=1", export, "--mem=8G", COMMAND];
        assert_eq!(slurm.via, words);
        assert!(
            slurm.stop[2].contains(export) && !slurm.stop[2].contains('\''.to_string().repeat(2).as_str())
        );
        let own = json!({"via": ["nice", "{command}"], "stop": ["pkill", "-{signal}", "x"], "agents": true});
        let runner = read(own).unwrap();
        assert_eq!((runner.quoting, runner.is_open_to_agents), (Quoting::Words, true));
        assert_eq!((runner.via, runner.check), (owned(&["nice", COMMAND]), vec![]));
        // Braces that are text to a shell, to awk, to find and to a template of Go.
        let texts =
            ["ps | awk '{ print $1 }'", "${x} {} {a,b} {1", "{{.State}} {{json}} {.status}", "{root}{id}x"];
        let via = [&["sh", "-c"][..], &texts, &[COMMAND]].concat();
        let runner =
            read(json!({"via": via, "stop": ["kill", "{kill} -{signal}"], "check": ["x", "{folder}/y"]}));
        assert_eq!(runner.unwrap().via, via);
    }

    #[test]
    fn a_copy_needs_no_mount_and_names_what_comes_back() {
        let docker = |more: Value| {
            let mut keys = json!({"type": "docker", "image": "x"});
            keys.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            read(keys)
        };
        let is_mounted = |runner: &Runner| runner.via.iter().any(|word| word.contains("source={root}"));
        let shared = docker(json!({})).unwrap();
        assert!(is_mounted(&shared) && shared.folder_of("7").is_none());
        let copied = docker(json!({"files": "copied", "results": ["coverage/*", "report.xml"]})).unwrap();
        assert!(!is_mounted(&copied) && !copied.via.iter().any(|word| word == MOUNT));
        assert_eq!(copied.folder_of("7").as_deref(), Some("/tmp/cuff-7.copy"));
        let results = owned(&["coverage/*", "report.xml"]);
        assert_eq!(copied.files, RunnerFiles::Copied { results, hide: vec![], show: vec![] });
        for (keys, expected) in [
            (json!({"results": ["x"]}), "results: `results` needs `files: copied`"),
            (json!({"files": "copied", "results": ["/x"]}), "results: `/x` is no pattern of `results`"),
            (json!({"files": "copied", "results": ["../x"]}), "results: `../x` is no pattern of `results`"),
            (json!({"host": "y"}), "host: nothing in this runner uses `host`"),
            (json!({"files": "copied", "results": ["a[b"]}), "results: `a[b` is no pattern of `results`"),
            (json!({"files": "copied", "results": ["it's"]}), "results: `it's` is no pattern of `results`"),
        ] {
            assert_eq!(docker(keys.clone()).unwrap_err(), expected, "{keys}");
        }
    }

    #[test]
    fn keys_that_make_no_runner_are_named() {
        for (keys, expected) in [
            (json!({}), "via: it has neither `type` nor `via`"),
            (json!({"type": "ssh"}), "host: `host` is missing, or begins with a dash"),
            (
                json!({"type": "ssh", "host": "-oProxyCommand=x"}),
                "host: `host` is missing, or begins with a dash",
            ),
            (
                json!({"type": "docker", "image": "x", "folder": "work"}),
                "folder: `folder` must be an absolute path",
            ),
            (json!({"via": ["nice"]}), "via: `via` must have the word `{command}` once"),
            (json!({"via": ["{command}"]}), "via: `via` must have the word `{command}` once"),
            (
                json!({"via": ["x", "{nosuch}", "{command}"], "stop": ["{kill}"]}),
                "via: `{nosuch}` is no place in `via`",
            ),
            (
                json!({"via": ["x", "-{signal}", "{command}"], "stop": ["{kill}"]}),
                "via: `{signal}` is no place in `via`",
            ),
            (
                json!({"via": ["x", "{command}"], "stop": ["-{signal}", "{Id}"]}),
                "stop: `{Id}` is no place in `stop`",
            ),
            (
                json!({"type": "ssh", "host": "y", "check": ["ssh", "u@{host}"]}),
                "check: `{host}` must be a word of its own",
            ),
            (
                json!({"via": ["nice", "{command}"]}),
                "stop: `stop` must have words, and `{signal}` or `{kill}` in one of them",
            ),
        ] {
            assert_eq!(read(keys.clone()).unwrap_err(), expected, "{keys}");
        }
    }
}
