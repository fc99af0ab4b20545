//! The words of a runner's client around those of a permitted command.

use std::path::Path;

use super::contained_tool::{CONTAIN_ARGUMENT, ContainmentOrder};
use super::copy_script::CopyScript;
use crate::model::{Command, Containment, NotStarted, Quoting, Runner, RunnerFiles, Word};

/// Says on standard error that the tool begins and how it ended, between a control character and a line feed that cuff takes out
/// again. The exit code of the client is not that of the tool: ssh has 255 for its own errors, docker 125 to 127. The number of the
/// process group is for the words that end the tool. `trap :` has this shell outlive a signal to its group, and the tool not.
/// A shell that was killed leaves its files; a later one removes them after a day, once no process is in their group.
const SHIM: [&str; 4] = [
    r#"for group in /tmp/cuff-*-*-*-*-*; do
  case $group in *.*) continue ;; esac
  [ -f "$group" ] && [ -O "$group" ] && read id <"$group" || continue
  case $id in '' | *[!0-9]*) continue ;; esac
  kill -s 0 -- "-$id" || [ -z "$(find "$group" -prune -mtime +0)" ] || rm -rf "$group" "$group".*
done 2>/dev/null
id=$1
group=/tmp/cuff-$id
(umask 077; set -C; { ps -o pgid= -p $$ || echo $$; } >"$group") 2>/dev/null
trap : TERM INT HUP
"#,
    r#"cd -- "$2" || { rm -rf "$group" "$group".*; exit 125; }
shift 2
"#,
    RUN,
    r#"rm -f "$group"
printf '\036cuff %s ended %s\n' "$id" "$code" >&2
exit "$code""#,
];
/// The front of what is said, for `printf`; the id follows.
const MARK: &str = r"\036cuff %s";
/// Runs the tool.
const RUN: &str = r#"printf '\036cuff %s began\n' "$id" >&2
"$@"
code=$?
"#;
/// Sends a signal to the tool's process group. Only `KILL` ends the shell as well that would remove the file. No single quote is
/// in it, so that one can stand around it.
const KILL: &str = "read group </tmp/cuff-{id} && kill -s {signal} -- \"-$group\" && \
                    if [ {signal} = KILL ]; then rm -rf /tmp/cuff-{id} /tmp/cuff-{id}.*; fi";
/// Runs a program whose name `env` would take for a variable.
const EXECUTE: &str = r#"exec "$@""#;

/// The command that starts the client, which has the tool run there under this id. Words and values that begin with the
/// project's root begin with its folder there.
///
/// # Errors
/// Where a shell cannot be given the words.
pub(super) fn client(
    command: &Command,
    runner: &Runner,
    id: &str,
    root: &Path,
    containment: Option<&Containment>,
) -> Result<Command, NotStarted> {
    let places = WordPlaces::new(runner, id, root);
    let [begin, enter, run, end] = SHIM;
    let zero = || NotStarted::Other("a zero byte is in the words of its runner".into());
    let contained =
        containment.map(|rules| places.contained(runner, rules, root).ok_or_else(zero)).transpose()?;
    let run = contained.as_deref().unwrap_or(run);
    let shim = match &runner.files {
        RunnerFiles::Shared => [begin, enter, run, end].concat(),
        RunnerFiles::Copied { results, .. } => {
            let copy = CopyScript::of(&places.folder, runner.folder.is_some(), results).ok_or_else(zero)?;
            [begin, &copy.receive, enter, run, &copy.give_back, end].concat()
        }
    };
    let mut tool: Vec<String> = ["sh", "-c", &shim, "cuff", id].map(str::to_owned).to_vec();
    tool.push(places.there(
        &root.join(&command.directory).components().collect::<std::path::PathBuf>().to_string_lossy(),
    ));
    if !command.environment.is_empty() {
        tool.push("env".to_owned());
        let pair = |(name, value): (&str, &str)| format!("{name}={}", places.there(value));
        tool.extend(command.environment.iter().map(|change| pair((&change.name, &change.value))));
        if command.program.text.contains('=') {
            tool.extend(["sh", "-c", EXECUTE, "cuff"].map(str::to_owned));
        }
    }
    tool.extend(command.words().into_iter().map(|word| places.there(word)));
    if runner.quoting == Quoting::Shell {
        let line = shlex::try_join(tool.iter().map(String::as_str));
        tool = vec![line.map_err(|error| NotStarted::Other(error.to_string()))?];
    }
    let mut words = Vec::new();
    for word in &runner.via {
        if word == "{command}" { words.append(&mut tool) } else { words.push(places.fill(word, "")) }
    }
    let client = of_words(words).directory(&command.directory).timeout(command.timeout);
    Ok(match &command.script {
        Some(script) => client.script(script.clone()),
        None => client,
    })
}

/// The command that sends a signal, such as `TERM`, to the tool of this id.
pub(super) fn stop(runner: &Runner, id: &str, root: &Path, signal: &str) -> Command {
    let places = WordPlaces::new(runner, id, root);
    let words = runner.stop.iter().map(|word| places.fill(&word.replace("{kill}", KILL), signal)).collect();
    of_words(words)
}

/// The command that asks whether the engine is there; `None`: the runner has no words for that.
pub(super) fn check(runner: &Runner, root: &Path) -> Option<Command> {
    let places = WordPlaces::new(runner, "", root);
    let words: Vec<String> = runner.check.iter().map(|word| places.fill(word, "")).collect();
    (!words.is_empty()).then(|| of_words(words))
}

/// The command of these words: the first is its program.
fn of_words(words: Vec<String>) -> Command {
    let mut words = words.into_iter().map(Word::settings);
    let program = words.next().unwrap_or_else(|| Word::settings(""));
    Command::new(program).arguments(words)
}

/// The values of the places in a runner's words.
struct WordPlaces<'a> {
    id: &'a str,
    root: String,
    folder: String,
}

impl<'a> WordPlaces<'a> {
    fn new(runner: &Runner, id: &'a str, root: &Path) -> Self {
        let root = root.to_string_lossy().into_owned();
        let folder = runner.folder_of(id).unwrap_or_else(|| root.clone());
        Self { id, root, folder }
    }

    /// A word of the settings with its places filled, each once: a value is not looked at again.
    fn fill(&self, word: &str, signal: &str) -> String {
        let values =
            [("{id}", self.id), ("{root}", &self.root), ("{folder}", &self.folder), ("{signal}", signal)];
        let (mut filled, mut rest) = (String::new(), word);
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let (text, length) = values
                .iter()
                .find(|(place, _)| rest.starts_with(place))
                .map_or(("{", 1), |(place, value)| (*value, place.len()));
            filled.push_str(text);
            rest = &rest[length..];
        }
        filled + rest
    }

    /// The lines of the shell that have the cuff there contain the tool. Another version may understand the rules in another way, and
    /// a program of the project may be no cuff. Where there is none, the tool runs without rules unless they are required.
    ///
    /// `None`: a word of it has a zero byte.
    fn contained(&self, runner: &Runner, rules: &Containment, root: &Path) -> Option<String> {
        let there = |texts: &[String]| texts.iter().map(|text| self.there(text)).collect();
        let [write, mut hide, show, sockets]: [Vec<String>; 4] =
            [&rules.write, &rules.hide, &rules.show, &rules.sockets].map(|texts| there(texts));
        // A copy for one run has the temporary folder and the caches of the project that it is of, and no hidden file. Where one
        // is missing, a contained run makes nothing new beside it.
        let is_kept = runner.folder.is_some() || runner.files == RunnerFiles::Shared;
        let is_outside = |text: &String| text.starts_with(['/', '~']) && !text.starts_with(&self.folder);
        hide.retain(|text| is_kept || is_outside(text));
        let order = ContainmentOrder {
            rules: Containment { write, hide, show, sockets, ..rules.clone() },
            root: self.folder.clone().into(),
            place: if is_kept { self.folder.clone().into() } else { root.to_owned() },
        };
        let [order, folder] =
            [&order.encode(), &self.folder].map(|text| shlex::try_quote(text).ok().map(String::from));
        let (order, folder, version) = (order?, folder?, env!("CARGO_PKG_VERSION"));
        let without = if rules.is_required {
            format!("printf '{MARK} refused %s\\n' \"$id\" \"$lack\" >&2; code=125")
        } else {
            format!("printf '{MARK} contained no\\t%s\\n' \"$id\" \"$lack\" >&2\n{RUN}")
        };
        Some(format!(
            r#"cuff=$(command -v cuff)
case $cuff in {folder}/*) cuff= ;; /*) ;; *) cuff= ;; esac
lack=
if [ -z "$cuff" ]; then lack="no cuff is on the PATH of the runner"
elif [ "$("$cuff" --version 2>/dev/null </dev/null)" != "cuff {version}" ]; then lack="the cuff on the runner is not {version}"
fi
if [ -z "$lack" ]; then
"$cuff" {CONTAIN_ARGUMENT} "$id" {order} "$@"
code=$?
else
{without}
fi
"#
        ))
    }

    /// A path below the project's root as it is there; any other text stays.
    fn there(&self, text: &str) -> String {
        match text.strip_prefix(&self.root) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.folder),
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Change, Origin};

    fn runner(quoting: Quoting, folder: Option<&str>) -> Runner {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Runner {
            name: "box".into(),
            via: words(&["engine", "--at={folder}", "--of={root}", "{id}{id}", "{other}{", "{command}"]),
            stop: words(&["engine", "kill", "-{signal}", "{id}", "sh -c '{kill}'"]),
            check: Vec::new(),
            quoting,
            folder: folder.map(str::to_owned),
            files: RunnerFiles::Shared,
            is_open_to_agents: false,
        }
    }

    fn lines(command: &Command) -> Vec<String> {
        command.words().into_iter().map(|word| word.replace(&SHIM.concat(), "SHIM")).collect()
    }

    #[test]
    fn words_and_values_are_passed_on_whole_and_paths_are_those_of_the_runner() {
        let command = Command::new(Word::fixed("a=b"))
            .arguments(["/my project/x", "/my projects", "{id}", "it's\n$(x)"].map(Word::call))
            .directory("sub folder")
            .environment([Change::new("PATH", "/my project", Origin::Settings)]);
        let root = Path::new("/my project");
        let by_words = client(&command, &runner(Quoting::Words, Some("/work")), "7", root, None).unwrap();
        let there = [
            "sh",
            "-c",
            "SHIM",
            "cuff",
            "7",
            "/work/sub folder",
            "env",
            "PATH=/work",
            "sh",
            "-c",
            EXECUTE,
            "cuff",
            "a=b",
            "/work/x",
            "/my projects",
            "{id}",
            "it's\n$(x)",
        ];
        let own = ["engine", "--at=/work", "--of=/my project", "77", "{other}{"];
        assert_eq!(lines(&by_words), [&own[..], &there[..]].concat());
        // One line, which a shell reads as the very same words.
        let line = client(&command, &runner(Quoting::Shell, Some("/work")), "7", root, None).unwrap();
        let [.., last] = &line.words()[..] else { panic!("{line:?}") };
        let read: Vec<String> =
            shlex::split(last).unwrap().iter().map(|word| word.replace(&SHIM.concat(), "SHIM")).collect();
        assert_eq!(read, there);
        assert_eq!(line.words().len(), own.len() + 1);
        let here =
            client(&Command::new(Word::fixed("x")), &runner(Quoting::Words, None), "7", root, None).unwrap();
        assert_eq!(here.words()[here.words().len() - 2..], ["/my project", "x"]);
    }

    #[test]
    fn the_tool_is_ended_by_the_words_of_the_runner() {
        let stop = stop(&runner(Quoting::Words, None), "7", Path::new("/p"), "TERM");
        let kill = "sh -c 'read group </tmp/cuff-7 && kill -s TERM -- \"-$group\" && \
                    if [ TERM = KILL ]; then rm -rf /tmp/cuff-7 /tmp/cuff-7.*; fi'";
        assert_eq!(stop.words(), ["engine", "kill", "-TERM", "7", kill]);
    }
}
