//! Test runners, linters and compilers whose flags are known: those that filter, select and report.
//!
//! A flag that loads code (configuration, plugins, reporters by path), writes where it says, or starts another program is
//! none of them. A flag stands with the values that it takes, where others would load code.

/// A program, or a command of one, and its flags.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KnownRunner {
    /// Its name, and the words that follow it.
    names: &'static [&'static str],
    flags: &'static str,
}

const RUNNERS: &[KnownRunner] = &[
    KnownRunner {
        names: &["jest"],
        flags: "-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --runTestsByPath \
                --findRelatedTests -o --onlyChanged -f --onlyFailures --changedSince --lastCommit --listTests --selectProjects \
                --ignoreProjects --shard -b --bail -i --runInBand -w --maxWorkers -u --updateSnapshot --ci --coverage \
                --collectCoverage --collectCoverageFrom --no-coverage --verbose --silent --json --passWithNoTests --watch \
                --watchAll --no-watchman --color --colors --no-color --expand -e --errorOnDeprecated --detectOpenHandles \
                --forceExit --logHeapUsage --testTimeout --randomize --seed --showSeed --no-cache --noStackTrace \
                --testLocationInResults --showConfig --reporters=default|summary|github-actions",
    },
    KnownRunner {
        names: &["vitest", "vitest run", "vitest watch", "vitest related", "vitest list"],
        flags: "-t --testNamePattern --run -w --watch --changed --shard --project --exclude --bail --retry --silent \
                --hideSkippedTests -u --update --passWithNoTests --allowOnly --logHeapUsage --isolate --no-isolate --maxWorkers \
                --minWorkers --no-file-parallelism --fileParallelism --testTimeout --hookTimeout --teardownTimeout \
                --sequence.shuffle --sequence.seed --coverage --coverage.enabled --no-coverage --color --no-color --standalone \
                --expand --typecheck --dom --reporter=default|verbose|dot|json|tap|tap-flat|junit|basic|github-actions|tree",
    },
    KnownRunner {
        names: &["mocha"],
        flags: "-g --grep -f --fgrep -i --invert -b --bail -t --timeout -s --slow -C --no-color -c --color --forbid-only \
                --forbid-pending --full-trace --diff --no-diff --inline-diffs -A --async-only --check-leaks --recursive --exclude \
                --ignore -S --sort --retries -j --jobs -p --parallel --no-parallel --dry-run --fail-zero --list-reporters \
                --list-interfaces -w --watch --exit --no-exit -R=spec|dot|tap|list|min|json|nyan \
                --reporter=spec|dot|tap|list|min|json|json-stream|nyan|landing|progress|doc|markdown|xunit",
    },
    KnownRunner {
        names: &["ava"],
        flags: "-m --match -v --verbose -t --tap -T --timeout -u --update-snapshots -w --watch -c --concurrency -s --serial \
                --fail-fast --color --no-color",
    },
    KnownRunner {
        names: &["node --test"],
        flags: "--test-name-pattern --test-skip-pattern --test-only --test-concurrency --test-timeout --test-shard --watch \
                --test-force-exit --test-update-snapshots --experimental-test-coverage --test-reporter=spec|tap|dot|junit|lcov",
    },
    KnownRunner {
        names: &["playwright test"],
        flags: "-g --grep -gv --grep-invert --project --headed --list -x --max-failures --repeat-each --retries --shard -u \
                --update-snapshots -j --workers --timeout --global-timeout --forbid-only --fully-parallel --last-failed \
                --only-changed --pass-with-no-tests --quiet --ignore-snapshots --no-deps \
                --trace=on|off|on-first-retry|retain-on-failure --reporter=list|line|dot|json|junit|null|github",
    },
    KnownRunner {
        names: &["pytest", "py.test"],
        flags: "-k -m -x --exitfirst --maxfail -v --verbose -q --quiet -s --lf --last-failed --ff --failed-first --nf --new-first \
                --sw --stepwise --stepwise-skip --durations --durations-min --co --collect-only -l --showlocals --no-header \
                --no-summary -ra -rA -rf -rs -rx -rfE --color --ignore --deselect --strict-markers --strict-config --markers \
                --fixtures --setup-show --setup-plan -n --numprocesses --cov --no-cov --cov-fail-under --timeout --reruns \
                --disable-warnings --snapshot-update --tb=auto|long|short|line|native|no --capture=no|sys|fd|tee-sys \
                --cov-report=term|term-missing",
    },
    KnownRunner {
        names: &["eslint", "eslint_d"],
        flags: "--quiet --max-warnings --ext --cache --no-error-on-unmatched-pattern --report-unused-disable-directives \
                --no-inline-config --no-warn-ignored --no-ignore --ignore-pattern --color --no-color --debug --stats \
                --exit-on-fatal-error --pass-on-no-patterns --env-info --print-config -f=stylish|json|html \
                --format=stylish|json|html|json-with-metadata",
    },
    KnownRunner {
        names: &["tsc", "vue-tsc"],
        flags: "--noEmit -w --watch --pretty --listFiles --listFilesOnly --listEmittedFiles --extendedDiagnostics --diagnostics \
                --traceResolution --explainFiles --strict --noEmitOnError --skipLibCheck --showConfig --preserveWatchOutput \
                --noErrorTruncation -b --build --force -d --dry --verbose --all",
    },
    KnownRunner {
        names: &["prettier"],
        flags: "-c --check -l --list-different --no-editorconfig -u --ignore-unknown --no-error-on-unmatched-pattern --color \
                --no-color --cache --log-level=silent|error|warn|log|debug --loglevel=silent|error|warn|log|debug",
    },
    KnownRunner {
        names: &["biome check", "biome lint", "biome ci", "biome format"],
        flags: "--max-diagnostics --diagnostic-level --error-on-warnings --verbose --changed --staged --since --only --skip \
                --colors --no-errors-on-unmatched --files-ignore-unknown --formatter-enabled --linter-enabled \
                --reporter=json|json-pretty|github|junit|summary|gitlab",
    },
    KnownRunner {
        names: &["stylelint"],
        flags: "-q --quiet --max-warnings --mw --aei --allow-empty-input --cache --color --no-color --id --ignore-disables --rd \
                --report-needless-disables --print-config -f=json|string|tap|unix|verbose|compact|github \
                --formatter=json|string|tap|unix|verbose|compact|github",
    },
    KnownRunner {
        names: &["ruff", "ruff check", "ruff format"],
        flags: "--statistics --select --ignore --extend-select --extend-ignore --exclude --extend-exclude --preview --no-preview \
                --check --diff --show-files --show-settings -e --exit-zero -n --no-cache -q --quiet -v --verbose -s --silent \
                --no-fix --force-exclude -w --watch --range \
                --output-format=concise|full|json|json-lines|junit|grouped|github|gitlab|pylint|sarif",
    },
    KnownRunner {
        names: &["mypy"],
        flags: "--strict --ignore-missing-imports -v --verbose --pretty --no-color-output --no-error-summary --show-error-codes \
                --hide-error-codes --show-error-context --show-column-numbers --exclude --warn-unused-ignores --warn-unreachable \
                --disallow-untyped-defs --check-untyped-defs --no-incremental --enable-error-code --disable-error-code \
                --python-version --platform --namespace-packages --explicit-package-bases -p --package -m --module",
    },
    KnownRunner {
        names: &["cargo test", "cargo check", "cargo clippy"],
        flags: "-p --package --workspace --all --exclude --lib --bin --bins --test --tests --example --examples --bench --benches \
                --doc --all-targets --no-run --no-fail-fast -F --features --all-features --no-default-features -r --release \
                --profile -j --jobs --keep-going -v --verbose -q --quiet --color --locked --offline --frozen --nocapture \
                --no-capture --test-threads --skip --exact --ignored --include-ignored --list --show-output -D -W -A \
                --message-format=human|short|json",
    },
    KnownRunner {
        names: &["go test", "go vet"],
        flags: "-run -skip -bench -benchtime -benchmem -count -cover -covermode -coverpkg -cpu -failfast -fullpath -json -list \
                -parallel -race -short -shuffle -timeout -v -tags -p",
    },
    KnownRunner {
        names: &["rspec"],
        flags: "-e --example -E --example-matches -t --tag --fail-fast --no-fail-fast --only-failures -n --next-failure --seed \
                --order -b --backtrace --dry-run -c --color --no-color -p --profile -f=progress|documentation|json|html|p|d|j \
                --format=progress|documentation|json|html|failures|p|d|j",
    },
    KnownRunner {
        names: &["phpunit"],
        flags: "--filter --group --exclude-group --testsuite --exclude-testsuite --list-tests --list-groups --list-suites \
                --testdox --debug -v --verbose --colors --no-coverage --no-progress --stop-on-error --stop-on-failure \
                --stop-on-defect --fail-on-warning --order-by --random-order-seed --repeat",
    },
];

/// Flags that every program answers alone.
const EVERYWHERE: [&str; 4] = ["--help", "--version", "-h", "--"];

impl KnownRunner {
    /// The runner of this name, by the first of its own words that are no options.
    pub(super) fn of(program: &str, own: &[String]) -> Option<&'static Self> {
        let first = own.iter().find(|word| !word.starts_with(['-', '+'])).map_or("", String::as_str);
        let tests = own.iter().any(|word| word == "--test");
        let is = |name: &&str| match name.split_once(' ') {
            None => *name == program,
            Some((own, "--test")) => own == program && tests,
            Some((own, command)) => own == program && command == first,
        };
        RUNNERS.iter().find(|runner| runner.names.iter().any(is))
    }

    /// Whether the last of its own words may take the first of a call: an option that nobody here knows.
    pub(super) fn is_open(&self, own: &[String]) -> bool {
        own.last().is_some_and(|last| {
            last.starts_with('-')
                && !last.contains('=')
                && last != "--test"
                && self.refuses(&[last]).is_some()
        })
    }

    /// The first of its names.
    pub(super) fn name(&self) -> &'static str {
        self.names[0]
    }

    /// The first word that it does not take, and why.
    pub(super) fn refuses<'w>(&self, words: &[&'w str]) -> Option<(&'w str, String)> {
        words.iter().enumerate().find_map(|(at, word)| {
            let value = match word.split_once('=') {
                Some((_, value)) if word.starts_with('-') => Some(value),
                _ => (!word.starts_with('-')).then_some(*word),
            };
            let why = if value.is_some_and(leaves) {
                "it lies outside of the project, or would be read as options".to_owned()
            } else if !word.starts_with('-') || EVERYWHERE.contains(word) {
                return None;
            } else {
                self.refusal(word, words.get(at + 1).copied())?
            };
            Some((*word, why))
        })
    }

    fn refusal(&self, word: &str, next: Option<&str>) -> Option<String> {
        let (flag, value) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
        let one_dash = self.name().starts_with("go ").then(|| flag.replacen("--", "-", 1));
        let flag = one_dash.as_deref().unwrap_or(flag);
        let known =
            self.flags.split_ascii_whitespace().map(|entry| entry.split_once('=').unwrap_or((entry, "")));
        match known.clone().find(|(one, _)| *one == flag) {
            Some((_, "")) => None,
            Some((_, choices))
                if value.or(next).is_some_and(|value| choices.split('|').any(|one| one == value)) =>
            {
                None
            }
            Some((_, choices)) => {
                Some(format!("{} takes {flag} with one of {}", self.name(), choices.replace('|', ", ")))
            }
            None => {
                // `-vvx`, `-j4`: letters that are flags without choices, and a number.
                let letters =
                    flag.strip_prefix('-').filter(|letters| value.is_none() && !letters.starts_with('-'));
                let letters = letters.map(|letters| letters.trim_end_matches(|c: char| c.is_ascii_digit()));
                let is_cluster = letters.filter(|letters| !letters.is_empty()).is_some_and(|letters| {
                    letters.chars().all(|letter| {
                        known
                            .clone()
                            .any(|(one, choices)| choices.is_empty() && one.chars().eq(['-', letter]))
                    })
                });
                (!is_cluster)
                    .then(|| format!("{} takes only flags that filter, select or report", self.name()))
            }
        }
    }
}

/// Whether a value lies outside of the project, or is read as options or as a file of words.
fn leaves(value: &str) -> bool {
    value.starts_with(['/', '~', '@', '-']) || value.split(['/', '\\']).any(|part| part == "..")
}
