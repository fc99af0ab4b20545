//! Programs that only start another one: `sudo`, `npx`, `env`.

/// A program that starts the one behind its own options.
struct StartingProgram {
    /// Its name, and the words that follow it.
    names: &'static [&'static str],
    /// The options that take the next word.
    valued: &'static str,
    /// How many further words are its own: the seconds of `timeout`.
    own: usize,
}

const fn starter(names: &'static [&'static str], valued: &'static str, own: usize) -> StartingProgram {
    StartingProgram { names, valued, own }
}

/// The programs, with the options that take a value, as their manuals say.
const STARTERS: &[StartingProgram] = &[
    starter(&["env"], "-u --unset -C --chdir", 0),
    starter(
        &[
            "cross-env",
            "nohup",
            "setsid",
            "command",
            "exec",
            "builtin",
            "noglob",
            "caffeinate",
            "chronic",
            "unbuffer",
        ],
        "",
        0,
    ),
    starter(&["dotenv", "dotenvx", "env-cmd"], "-e -c -v -p -f -r -o", 0),
    starter(&["sudo", "doas"], "-u --user -g --group -C -D -h -p -r -t -T -U", 0),
    starter(&["time", "gtime"], "-f --format -o --output", 0),
    starter(&["nice", "ionice", "chrt"], "-n --adjustment -c -p", 0),
    starter(&["timeout", "gtimeout"], "-k --kill-after -s --signal", 1),
    starter(&["stdbuf"], "-i -o -e", 0),
    starter(
        &["xargs", "gxargs"],
        "-n -P -I -L -d -E -s -a --max-args --max-procs --replace --max-lines --delimiter --arg-file",
        0,
    ),
    starter(&["npx", "bunx", "pnpx"], "-p --package", 0),
    starter(
        &["pnpm exec", "pnpm dlx", "npm exec", "npm x", "yarn exec", "yarn dlx", "yarn run -T", "bun x"],
        "-p --package -w --workspace -C --filter",
        0,
    ),
    starter(
        &[
            "poetry run",
            "pipenv run",
            "pdm run",
            "rye run",
            "hatch run",
            "bundle exec",
            "mise exec",
            "volta run",
        ],
        "",
        0,
    ),
    starter(
        &["uv run", "uvx", "pipx run"],
        "--with --python -p --extra --group --env-file --package --project --directory",
        0,
    ),
    starter(&["doppler run", "op run", "infisical run", "corepack"], "", 0),
    starter(
        &["nyc", "c8"],
        "-r --reporter -o --reports-dir --report-dir -x --exclude -n --include -t --temp-dir --temp-directory --require -i --src \
         --lines --branches --functions --statements --extension -e --cwd --config -c",
        0,
    ),
    starter(&["python -m", "python2 -m", "python3 -m"], "", 0),
];

/// The commands of managers that are no program of a package.
const MANAGERS_OWN: &str = "add audit bin build cache ci config create dedupe dev exec info init install i link list ls login \
                            npm outdated pack patch prune publish rebuild remove restart run run-script search set start stop t \
                            test tst unlink up update upgrade version versions view whoami why workspace workspaces store deploy \
                            import fetch root prefix ping pm x dlx node";

/// The words of the command that is started in the end.
pub(super) fn look_through(mut words: Vec<String>) -> Vec<String> {
    while let Some(at) = started(&words) {
        words.drain(..at);
    }
    words
}

/// The position of the command that these words start; `None` if they are the command themselves.
fn started(words: &[String]) -> Option<usize> {
    let program = words.first()?.rsplit('/').next()?;
    if is_assignment(&words[0]) && words.len() > 1 {
        return Some(1);
    }
    if let ("yarn" | "pnpm" | "bun", Some(second)) = (program, words.get(1))
        && !second.starts_with('-')
        && !second.contains(['.', '/', '$'])
        && !MANAGERS_OWN.split_ascii_whitespace().any(|own| own == second)
    {
        return Some(1);
    }
    let (starter, mut at) = starter_of(program, &words[1..])?;
    while let Some(word) = words.get(at) {
        if starter.valued.split(' ').any(|option| option == word) {
            at += 2;
        } else if word == "--" {
            at += 1;
            break;
        } else if is_assignment(word) || word.starts_with('-') && word.len() > 1 {
            at += 1;
        } else {
            break;
        }
    }
    at += starter.own;
    (at < words.len() && !words[at].starts_with('-')).then_some(at)
}

/// The entry of a program that is called with these words, and how many words name it.
fn starter_of(program: &str, rest: &[String]) -> Option<(&'static StartingProgram, usize)> {
    STARTERS.iter().find_map(|starter| {
        starter.names.iter().find_map(|name| {
            let mut parts = name.split(' ');
            let is_program = parts.next() == Some(program);
            let more: Vec<&str> = parts.collect();
            let is_it = is_program
                && rest.len() >= more.len()
                && more.iter().zip(rest).all(|(part, word)| part == word);
            is_it.then_some((starter, more.len() + 1))
        })
    })
}

/// Whether a word sets a variable: `NODE_ENV=test`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The texts that a command has a shell run, and the commands that `find` starts.
pub(super) fn inner_texts(words: &[String]) -> Vec<String> {
    let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    let behind = |is_it: fn(&str) -> bool| {
        let at = words.iter().skip(1).position(|word| is_it(word));
        at.and_then(|at| words.get(at + 2)).cloned().into_iter().collect()
    };
    match program {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "su" => {
            behind(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))
        }
        "npx" | "npm" | "pnpm" => behind(|word| word == "-c" || word == "--call"),
        "nodemon" => behind(|word| word == "-x" || word == "--exec"),
        // `shell` is make's own: `$(shell …)`.
        "eval" | "shell" => vec![words[1..].join(" ")],
        "concurrently" => words[1..].iter().filter(|word| word.contains(' ')).cloned().collect(),
        "find" | "gfind" => {
            let commands = words.split(|word| [";", "+"].contains(&word.as_str()));
            let behind = |part: &[String]| {
                let at = part
                    .iter()
                    .position(|word| ["-exec", "-execdir", "-ok", "-okdir"].contains(&word.as_str()))?;
                Some(part[at + 1..].iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
            };
            commands.filter_map(behind).filter(|text| !text.is_empty()).collect()
        }
        _ => Vec::new(),
    }
}

/// A word that a shell reads as one again.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), String::from)
}
