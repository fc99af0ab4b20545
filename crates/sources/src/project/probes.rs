//! Answers of probes, for as long as they hold: in this process, and on disk for the next.
//!
//! The files that a probe depends on are known only after it answered. So an answer from before is taken for
//! granted until the look is over. If the look then saw other files than the answer was given for, it is done
//! again without it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use blake3::Hash;

use super::fingerprint;
use super::look::{LookInProgress, LookResult, not_allowed};
use super::place::{Prober, ProjectPlace};
use super::record::ProbeRecord;
use crate::model::{ErrorCode, Files, Probe, Probed, Profile, Want, containment};
use crate::settings::Instance;
use crate::sys::{Cache, Environment, files, programs};

/// The largest answer that is kept on disk, in bytes.
const LARGEST_STORED: usize = 8 * 1024 * 1024;
/// More bytes than a record has besides its answer.
const HEAD: usize = 1024;

/// Variables that say where and when somebody sits at a terminal, not what a program should do; `PWD` is set anew for
/// every process. A `*` at the end or the beginning stands for the rest.
const VOLATILE: &str = "PWD OLDPWD SHLVL _ WINDOWID WINDOW COLUMNS LINES TERM* COLORTERM TTY GPG_TTY SSH_* STY TMUX* \
    *_SESSION *_SESSION_ID *_SESSION_KEY XDG_SESSION_* XDG_VTNR XDG_SEAT* DBUS_SESSION_BUS_ADDRESS INVOCATION_ID \
    JOURNAL_STREAM SYSTEMD_EXEC_PID DISPLAY WAYLAND_DISPLAY XAUTHORITY KITTY_* ITERM_* WEZTERM_* ALACRITTY_* \
    KONSOLE_* GNOME_TERMINAL_* VTE_VERSION VSCODE_* SECURITYSESSIONID DESKTOP_STARTUP_ID XDG_ACTIVATION_TOKEN MAKE_TERMOUT \
    MAKE_TERMERR CUFF_RUN";

/// The answers.
#[derive(Debug, Default)]
pub(super) struct Probes {
    remembered: Mutex<HashMap<Hash, ProbeRecord>>,
    cache: Option<Cache>,
}

/// Which answers from before are good enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust<'a> {
    /// The instance of the answers: each looks at files of its own.
    pub(super) instance: &'a Instance,
    /// The time of day, since answers outlive this process.
    pub(super) now: SystemTime,
    /// How long an answer holds; zero: none is taken and none is kept.
    pub(super) lifetime: Duration,
    /// Whether to ask again in any case, and keep what comes.
    pub(super) afresh: bool,
}

impl Probes {
    pub(super) fn new(cache: Option<Cache>) -> Self {
        Self { cache, ..Self::default() }
    }

    /// A whole look, probes carried out where no answer from before holds.
    pub(super) async fn look(
        &self,
        place: ProjectPlace<'_>,
        trust: Trust<'_>,
        mut wants: impl FnMut(&Files) -> Vec<Want>,
    ) -> LookResult {
        let Some(prober) = place.prober else {
            let look = LookInProgress::new(place, wants).without(hidden(place, trust.instance));
            return look.end_without_probes();
        };
        let mut fresh = BTreeMap::new();
        let mut may_recall = !trust.afresh && !trust.lifetime.is_zero();
        loop {
            let mut given_for = Vec::new();
            let mut look = LookInProgress::new(place, &mut wants).without(hidden(place, trust.instance));
            while let Some(probe) = look.go_on() {
                if may_recall && let Some(record) = self.recall(place, trust, &probe) {
                    given_for.push(record.files);
                    look.answer(probe, record.probed);
                    continue;
                }
                let answer = match fresh.entry(probe.clone()) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(open) => {
                        let answer = ProbeAnswer::of(place, trust, prober, &probe).await;
                        look.forget();
                        open.insert(answer)
                    }
                };
                look.answer(probe, answer.probed.clone());
            }
            let looked = look.end();
            if fresh.is_empty() && given_for.is_empty() {
                return looked;
            }
            let now = fingerprint::of_files(&looked.files);
            if given_for.iter().all(|files| *files == now) {
                if looked.problem.is_none() && !trust.lifetime.is_zero() {
                    self.keep(trust, now, fresh);
                }
                return looked;
            }
            may_recall = false;
        }
    }

    /// A whole look that carries out no probe and keeps nothing. An answer from before is taken as it is,
    /// whatever has changed since; without one there is none.
    pub(super) fn recalled(
        &self,
        place: ProjectPlace<'_>,
        trust: Trust<'_>,
        wants: impl Fn(&Files) -> Vec<Want>,
    ) -> LookResult {
        let mut look = LookInProgress::new(place, &wants).without(hidden(place, trust.instance));
        while let Some(probe) = look.go_on() {
            let known = place.prober.and_then(|_| self.recall(place, trust, &probe));
            let answer = known.map_or_else(not_allowed, |record| record.probed);
            look.answer(probe, answer);
        }
        look.end()
    }

    /// The answer from before, as far as it is known before the look is over.
    fn recall(&self, place: ProjectPlace<'_>, trust: Trust<'_>, probe: &Probe) -> Option<ProbeRecord> {
        let (key, circumstances) = (key(place, trust, probe), circumstances(place, probe));
        let holds = |record: &&ProbeRecord| {
            let age = trust.now.duration_since(record.at);
            record.circumstances == circumstances && age.is_ok_and(|age| age < trust.lifetime)
        };
        if let Some(record) = self.remembered().get(&key).filter(holds) {
            return Some(record.clone());
        }
        let bytes = self.cache.as_ref()?.read(&file_name(key), (LARGEST_STORED + HEAD) as u64)?;
        let record = ProbeRecord::decode(&bytes, key).filter(|record| holds(&record))?;
        self.remembered().insert(key, record.clone());
        Some(record)
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<Hash, ProbeRecord>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was carried out just now beside these files, in place of what was kept before.
    fn keep(&self, trust: Trust<'_>, files: Hash, fresh: BTreeMap<Probe, ProbeAnswer>) {
        for answer in fresh.into_values() {
            let (key, lasts) = (answer.key, answer.lasts());
            let record = ProbeRecord {
                circumstances: answer.circumstances,
                files,
                at: trust.now,
                probed: answer.probed,
            };
            if let Some(cache) = &self.cache {
                // Where neither can be done, the next process finds another answer or none, and judges that.
                let _ = if lasts && record.size() <= LARGEST_STORED {
                    cache.write(&file_name(key), &record.encode(key))
                } else {
                    cache.remove(&file_name(key))
                };
            }
            if lasts {
                self.remembered().insert(key, record);
            } else {
                self.remembered().remove(&key);
            }
        }
    }
}

/// The answer of a probe just now.
#[derive(Debug)]
struct ProbeAnswer {
    key: Hash,
    circumstances: Hash,
    probed: Probed,
}

impl ProbeAnswer {
    async fn of(place: ProjectPlace<'_>, trust: Trust<'_>, prober: &dyn Prober, probe: &Probe) -> Self {
        let (key, circumstances) = (key(place, trust, probe), circumstances(place, probe));
        Self {
            key,
            circumstances,
            probed: prober.probe(&trust.instance.name, &trust.instance.config, probe).await,
        }
    }

    /// Whether the same would come of it again. A probe that did not start, or was interrupted, may go well
    /// the next time.
    fn lasts(&self) -> bool {
        match &self.probed {
            Probed::Ended { .. } => true,
            Probed::Nothing { fault, .. } => matches!(fault, ErrorCode::TimedOut | ErrorCode::Failed),
        }
    }
}

/// The paths that the settings of an instance hide from its runs: discovery reads none of them either.
pub(super) fn hidden(place: ProjectPlace<'_>, instance: &Instance) -> Vec<PathBuf> {
    let rules = containment(Profile::Test, &instance.config, |_| false);
    let home = place.environment.absolute("HOME");
    let of_home = |text: &str| Some(home.as_ref()?.join(text.strip_prefix("~/")?));
    let path = |text: &String| of_home(text).unwrap_or_else(|| place.root.join(text));
    rules.hide.iter().map(path).map(|path| files::canonical(&path)).collect()
}

/// Carries out one probe that nobody remembers.
pub(super) async fn run_probe(place: ProjectPlace<'_>, instance: &Instance, probe: &Probe) -> Probed {
    match place.prober {
        Some(prober) => prober.probe(&instance.name, &instance.config, probe).await,
        None => not_allowed(),
    }
}

/// Which probe of which instance of which project it is: there is one record for each.
fn key(place: ProjectPlace<'_>, trust: Trust<'_>, probe: &Probe) -> Hash {
    fingerprint::of((&trust.instance.name, place.root, probe))
}

/// The other things that a process depends on before it reads its first file: its program and its
/// environment.
fn circumstances(place: ProjectPlace<'_>, probe: &Probe) -> Hash {
    let command = &probe.command;
    let search_path = programs::search_path(command, place.environment);
    let directory = place.root.join(&command.directory);
    let program = programs::find(&command.program.text, search_path, &directory);
    fingerprint::of((program, stable_variables(place.environment).collect::<Vec<_>>()))
}

fn stable_variables(environment: &Environment) -> impl Iterator<Item = (&[u8], &[u8])> {
    let variables = environment.variables();
    let bytes = variables.map(|(name, value)| (name.as_encoded_bytes(), value.as_encoded_bytes()));
    bytes.filter(|(name, _)| {
        !VOLATILE.split_ascii_whitespace().any(|pattern| {
            match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
                (Some(front), _) => name.starts_with(front.as_bytes()),
                (None, Some(end)) => name.ends_with(end.as_bytes()),
                (None, None) => *name == pattern.as_bytes(),
            }
        })
    })
}

/// The name of the file that a record is kept in.
fn file_name(key: Hash) -> String {
    key.to_hex().to_string()
}

#[cfg(test)]
mod tests;
