//! The collected findings: each once, errors before others if there are too many, the rest counted.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::annotations::take_repeated;
use super::declared::{declared, has_failed};
use super::echo::is_command;
use super::files::BaseFolders;
use super::tail::Tail;
use super::test_runs::{TestRuns, counts_all_failures, counts_alone};
use crate::dialect::{
    Consequence, Line, PendingFindings, is_made_of, is_target_failure, is_test_runner, with_causes,
};
use crate::model::{
    Diagnostic, Findings, LONGEST_MESSAGE, LintSummary, Location, LogRange, Severity, Stream, TestSummary,
    occurrences, one_of_equal,
};

/// How many findings are kept in full.
const KEPT: usize = Findings::KEPT;
/// How many findings are known again when they are printed a second time.
const KNOWN_AGAIN: usize = 200_000;
/// How far back another dialect's word for the same lines is looked for, in findings.
const NEAR: usize = 32;
/// The message of a finding that says nothing.
const WORDLESS: &str = "(no message)";
/// The number of the lines that belong to no job, in which a runner may repeat what its jobs printed.
const RUNNER: usize = 0;
/// Stands for all jobs.
const ANY_JOB: usize = usize::MAX;
/// How many of the errors that are left out are remembered.
const LEFT_OUT: usize = 100;
/// How many failures without a reason are remembered.
const CONSEQUENCES: usize = 100;

/// Everything that was found until now.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// How files are named.
    pub(super) files: BaseFolders,
    /// The stream that is read.
    pub(super) stream: Option<Stream>,
    /// Where the last error of each stream begins.
    last_error: [Option<u64>; 2],
    errors: SeverityGroup,
    others: SeverityGroup,
    warnings: u64,
    infos: u64,
    tests: Option<TestSummary>,
    lint: Option<LintSummary>,
    seen: HashSet<u64>,
    /// The last finding, if it counted.
    last: Option<LastFinding>,
    near: VecDeque<Near>,
    /// The errors that the tools say they found.
    declared: u64,
    /// The errors that were read, those that were known already as well.
    read_errors: u64,
    /// Those among them that stand before the last sum of a tool.
    summed_errors: u64,
    /// A job failed, and nothing was read in it.
    has_silent_job: bool,
    /// Failures that are named without a reason, and have none.
    unexplained: u64,
    consequences: Vec<Failure>,
    runs: TestRuns,
    /// An error was kept that a test may have printed.
    has_undecided: bool,
    /// The first errors that tests seem to have printed: of runs whose first line is not known, which may be errors of a program
    /// before the runner, and of all others.
    left_out: [Vec<LogRange>; 2],
}

/// The job that findings come from.
#[derive(Debug, Clone, Copy)]
pub(super) struct JobSource<'a> {
    /// The number; 0 for the lines that belong to none.
    pub(super) number: usize,
    /// The folder, if the log names it.
    pub(super) folder: Option<&'a str>,
    /// Behind the line that was read, in bytes from the log's beginning.
    pub(super) at: u64,
    /// The format whose reader found them, where that is known.
    pub(super) format: &'static str,
}

/// A failure without a reason of its own.
#[derive(Debug)]
struct Failure {
    /// The rank of its dialect.
    rank: usize,
    stream: Option<Stream>,
    consequence: Consequence,
}

/// A finding as the next one is compared with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastFinding {
    key: u64,
    /// The rank of its dialect.
    rank: usize,
    job: usize,
    stream: Option<Stream>,
    /// The byte of the log behind it.
    to: u64,
}

/// Errors, or all other findings.
#[derive(Debug, Default)]
struct SeverityGroup {
    kept: Vec<Diagnostic>,
    /// The job of each.
    jobs: Vec<usize>,
    /// Whether the last one is kept.
    has_last: bool,
    count: u64,
}

/// A finding that was taken lately.
#[derive(Debug, Clone)]
struct Near {
    /// The dialect's place in the list of all.
    rank: usize,
    severity: Severity,
    place: Option<Location>,
    log: LogRange,
}

impl Collection {
    pub(super) fn new(files: BaseFolders) -> Self {
        Self { files, ..Self::default() }
    }

    /// Takes the findings of the dialect of this rank, and leaves their room. For the same lines, the dialect of the lower rank
    /// counts.
    pub(super) fn take(&mut self, rank: usize, found: &mut PendingFindings, source: JobSource<'_>) {
        let JobSource { number, folder, at, format } = source;
        if !found.tests.is_empty() {
            let script = self.files.script_start(at);
            self.runs.end(number, at, script);
            self.drop_printed(number);
            let have_passed = found.tests.iter().all(|tests| tests.failed + tests.broken == 0);
            if have_passed && counts_all_failures(format) {
                found.diagnostics.retain(|found| found.severity != Severity::Error);
                self.drop_imitated(number, format);
            }
        }
        for tests in found.tests.drain(..) {
            self.tests = Some(self.tests.map_or(tests, |before| before.and(tests)));
        }
        for mut lint in found.lints.drain(..) {
            for file in &mut lint.fixed {
                *file = self.files.name(file, 0, folder);
            }
            self.lint = Some(match self.lint.take() {
                Some(before) => before.and(lint),
                None => lint,
            });
        }
        for diagnostic in found.diagnostics.drain(..) {
            self.add(rank, diagnostic, source);
        }
        if found.consequences.iter().any(|failed| !is_test_runner(&failed.failure.dialect)) {
            self.runs.separate(number, at);
        }
        let room = CONSEQUENCES - self.consequences.len();
        let stream = self.stream;
        let failures = found.consequences.drain(..).take(room);
        self.consequences.extend(failures.map(|consequence| Failure { rank, stream, consequence }));
    }

    /// Learns from a line of a job, which ends at this byte of the log, how many errors its tool found. A job that failed has so
    /// many errors that were read.
    pub(super) fn declare(&mut self, text: &str, (job, at): (usize, u64), of_job: Option<u64>) {
        let sum = declared(text).unwrap_or_default();
        self.declared = self.declared.saturating_add(sum);
        // All that the tool found was read, so that no test of a later runner printed it.
        if sum > 0 {
            let before = std::mem::replace(&mut self.summed_errors, self.read_errors);
            if sum == self.read_errors - before {
                self.runs.separate(job, at);
            }
        }
        self.has_silent_job |= of_job == Some(0) && has_failed(text);
    }

    /// How many errors were read so far, the same one in another job as well.
    pub(super) fn read_errors(&self) -> u64 {
        self.read_errors
    }

    /// Learns from a line of a job where a run of tests begins or ends.
    pub(super) fn learn_of_tests(&mut self, job: usize, line: &Line<'_>) {
        let script = self.files.script_start(line.log.start);
        if self.runs.learn(job, line.text, (line.log.start, line.log.end), script) {
            self.drop_printed(job);
        }
    }

    /// Drops the errors that tests of the job printed.
    fn drop_printed(&mut self, job: usize) {
        if !std::mem::take(&mut self.has_undecided) {
            return;
        }
        let jobs = std::mem::take(&mut self.errors.jobs);
        for (found, of) in std::mem::take(&mut self.errors.kept).into_iter().zip(jobs) {
            if let Some(has_head) = self.runs.printed(job, &found).filter(|_| of == job) {
                self.errors.count -= found.times;
                self.leave_out(found.log, has_head);
                self.near.retain(|near| near.log != found.log);
                for job in [of, ANY_JOB] {
                    let key = self.key(&found, job);
                    self.seen.remove(&key);
                }
                self.last = None;
            } else {
                self.has_undecided |= of != job && counts_alone(&found);
                self.errors.kept.push(found);
                self.errors.jobs.push(of);
            }
        }
    }

    /// Drops the failures of a run in which the runner counted none: tests printed them.
    fn drop_imitated(&mut self, job: usize, format: &str) {
        let jobs = std::mem::take(&mut self.errors.jobs);
        for (found, of) in std::mem::take(&mut self.errors.kept).into_iter().zip(jobs) {
            if of == job && found.dialect == format && self.runs.is_in_last(job, found.log.start) {
                self.errors.count -= found.times;
                self.near.retain(|near| near.log != found.log);
                self.last = None;
            } else {
                self.errors.kept.push(found);
                self.errors.jobs.push(of);
            }
        }
    }

    fn add(&mut self, rank: usize, mut found: Diagnostic, source: JobSource<'_>) {
        let JobSource { number, folder, .. } = source;
        if found.place.as_ref().is_some_and(|place| is_command(&place.file)) {
            return;
        }
        if let Some(has_head) = self.runs.printed(number, &found) {
            self.leave_out(found.log, has_head);
            return;
        }
        self.read_errors += u64::from(found.severity == Severity::Error);
        cut(&mut found.message);
        if found.message.trim().is_empty() {
            WORDLESS.clone_into(&mut found.message);
        }
        if let Some(place) = &mut found.place {
            place.file = self.files.name(&place.file, found.log.start, folder);
        }
        found.place = found.place.filter(|place| !place.file.trim().is_empty());
        if let Some(message) =
            with_causes(&found.message, |file| self.files.name(file, found.log.start, folder))
        {
            found.message = message;
        }
        if let Some(message) = self.files.without_root(&found.message) {
            found.message = message;
        }
        let near = Near { rank, severity: found.severity, place: found.place.clone(), log: found.log };
        if self.near.iter().any(|other| other.outranks(&near)) {
            return;
        }
        let key = self.key(&found, number);
        let this = LastFinding { key, rank, job: number, stream: self.stream, to: near.log.end };
        let last = self.last.replace(this);
        if !self.is_new(key, &found, number) {
            // One that follows an equal one without a line between them is another; a summary has other lines above it.
            if last == Some(LastFinding { to: near.log.start, ..this }) {
                self.again(found.severity);
            } else {
                self.last = None;
            }
            return;
        }
        while let Some(at) = self.near.iter().position(|other| near.outranks(other)) {
            if let Some(outranked) = self.near.remove(at) {
                self.drop(&outranked);
            }
        }
        if self.near.len() == NEAR {
            self.near.pop_front();
        }
        self.near.push_back(near);
        if found.severity == Severity::Error {
            let of_stream = &mut self.last_error[usize::from(self.stream == Some(Stream::Err))];
            *of_stream = (*of_stream).max(Some(found.log.start));
        }
        self.count(found.severity, 1);
        self.has_undecided |= self.errors.kept.len() < KEPT && counts_alone(&found);
        self.kind(found.severity).keep(found, number);
    }

    fn leave_out(&mut self, log: LogRange, has_head: bool) {
        let alike = &mut self.left_out[usize::from(has_head)];
        if alike.len() < LEFT_OUT {
            alike.push(log);
        }
    }

    /// Whether errors are left out that stand outside of a runner's own findings, in runs whose first line is known or is not.
    fn leaves_out(&self, has_head: bool) -> bool {
        let is_within =
            |log: LogRange, own: &Diagnostic| own.log.start <= log.start && log.end <= own.log.end;
        let own = || self.errors.kept.iter().filter(|found| is_test_runner(&found.dialect));
        self.left_out[usize::from(has_head)].iter().any(|log| !own().any(|own| is_within(*log, own)))
    }

    /// The last finding of this severity comes once more.
    fn again(&mut self, severity: Severity) {
        self.count(severity, 1);
        let group = self.kind(severity);
        group.count += 1;
        if let Some(kept) = group.kept.last_mut().filter(|_| group.has_last) {
            kept.times += 1;
        }
    }

    /// Whether a finding of the job with this key was not printed before: by the same job, or by one of all jobs and the runner.
    fn is_new(&mut self, key: u64, found: &Diagnostic, job: usize) -> bool {
        let beyond = if job == RUNNER { ANY_JOB } else { RUNNER };
        // A place in a file is the same in every job.
        let others = found.place.is_none().then(|| [self.key(found, beyond), self.key(found, ANY_JOB)]);
        let is_known =
            self.seen.contains(&key) || others.is_some_and(|[beyond, _]| self.seen.contains(&beyond));
        if self.seen.len() < KNOWN_AGAIN {
            self.seen.insert(key);
            self.seen.extend(others.map(|[_, any]| any));
        }
        !is_known
    }

    /// The key that findings of a job have in common if one is the other again. A place in a file is the same in every job.
    fn key(&self, found: &Diagnostic, job: usize) -> u64 {
        let place = found.place.as_ref();
        let job = if place.is_none() { job } else { 0 };
        // Tests may share a name; their reasons are in the second line.
        let mut lines = found.message.lines();
        let told = (&found.code, lines.next(), lines.next(), found.severity);
        let mut hasher = DefaultHasher::new();
        (place, told, job, self.files.script(found.log.start)).hash(&mut hasher);
        hasher.finish()
    }

    fn drop(&mut self, outranked: &Near) {
        let kind = self.kind(outranked.severity);
        let at =
            kind.kept.iter().rposition(|kept| kept.log == outranked.log && kept.place == outranked.place);
        let times = at.map_or(1, |at| {
            kind.jobs.remove(at);
            kind.kept.remove(at).times
        });
        kind.count -= times;
        self.count(outranked.severity, -times.cast_signed());
    }

    fn count(&mut self, severity: Severity, more: i64) {
        match severity {
            Severity::Error => {}
            Severity::Warning => self.warnings = self.warnings.saturating_add_signed(more),
            Severity::Info => self.infos = self.infos.saturating_add_signed(more),
        }
    }

    fn kind(&mut self, severity: Severity) -> &mut SeverityGroup {
        if severity == Severity::Error { &mut self.errors } else { &mut self.others }
    }

    /// Adds the failures that nothing explains. An error explains one, and so does a failure that another
    /// dialect reports. The order of two streams is not known: the last failure may come before its reason.
    fn add_unexplained(&mut self) {
        let mut failures = std::mem::take(&mut self.consequences);
        failures.sort_by_key(|failure| failure.consequence.failure.log);
        for (at, Failure { rank, stream, consequence }) in failures.iter().enumerate() {
            let Consequence { failure, since, is_heading } = consequence;
            // An error that has its lines is the same, in more words.
            let is_same = |log: LogRange| log.start == failure.log.start && log.end >= failure.log.end;
            let next = failures[at + 1..].iter().find(|later| *is_heading && later.rank == *rank);
            let until = match next {
                Some(next) => next.consequence.failure.log.start,
                None if *is_heading => u64::MAX,
                None => failure.log.start,
            };
            let between = |log: LogRange| *since <= log.start && (log.start < until || is_same(log));
            let others = failures[..at].iter().filter(|other| other.rank != *rank);
            let is_last = failures[at + 1..].iter().all(|later| later.rank != *rank);
            let explained = self.errors.count > occurrences(&self.errors.kept)
                || self.errors.kept.iter().any(|error| between(error.log))
                || is_target_failure(failure) && self.explains_target(&failures[..=at])
                || others.map(|other| other.consequence.failure.log).any(between)
                || is_last && self.has_later_error(*stream, failure.log.start);
            if !explained {
                let before = self.errors.count;
                let source = JobSource { number: 0, folder: None, at: failure.log.end, format: "" };
                self.add(*rank, failure.clone(), source);
                // Two dialects may tell of the same one.
                self.unexplained += self.errors.count.saturating_sub(before);
            }
        }
    }

    /// Whether errors before the last of these failures explain it, though another failure stands between: make runs several
    /// recipes at a time, and names their failures later. One of its file does, and as many reasons as there are failures.
    fn explains_target(&self, failures: &[Failure]) -> bool {
        let Some(Failure { rank, consequence: Consequence { failure, .. }, .. }) = failures.last() else {
            return false;
        };
        let is_reason =
            |error: &&Diagnostic| error.log.start < failure.log.start && !is_target_failure(error);
        let before = || self.errors.kept.iter().filter(is_reason);
        let file = |error: &Diagnostic| error.place.as_ref().map(|place| place.file.clone());
        let reason = |error: &Diagnostic| (file(error), file(error).map_or(error.log.start, |_| 0));
        let mut reasons: Vec<_> = before().map(reason).collect();
        reasons.sort();
        reasons.dedup();
        let failed = failures.iter().filter(|other| other.rank == *rank).count();
        reasons.len() >= failed || before().filter_map(file).any(|file| is_made_of(failure, &file))
    }

    /// Whether the other stream has an error behind this byte of the log.
    fn has_later_error(&self, stream: Option<Stream>, at: u64) -> bool {
        let other = match stream {
            Some(Stream::Out) => 1,
            Some(Stream::Err) => 0,
            Some(Stream::Both) | None => return false,
        };
        self.last_error[other].is_some_and(|error| error > at)
    }

    /// Returns the findings, in the order of the log.
    pub(super) fn finish(mut self, tail: &Tail) -> Findings {
        self.add_unexplained();
        let [is_in_doubt, has_printed] = [false, true].map(|has_head| self.leaves_out(has_head));
        let mut diagnostics = self.errors.kept;
        let room = KEPT - diagnostics.len().min(KEPT);
        diagnostics.extend(self.others.kept.into_iter().take(room));
        diagnostics.sort_by_key(|found| found.log);
        for found in &mut diagnostics {
            let at = found.log.start;
            if let Some(message) = self.files.settled(&found.message) {
                found.message = message;
            }
            if let Some(place) = &mut found.place
                && let Some(name) = self.files.settled(&place.file)
            {
                place.file = name;
            }
            if let Some(place) = &mut found.place
                && let Some(name) = self.files.rename(&place.file, at)
            {
                place.file = name;
            }
        }
        let is_explained = self.unexplained == 0 || self.unexplained == self.errors.count;
        // Where no test failed, but something did and nothing says why, a job beside the tests may have printed it.
        let has_failed_tests = self.tests.is_some_and(|tests| tests.failed > 0);
        let is_unexplained = self.unexplained > 0 && self.unexplained == self.errors.count;
        let may_be_anothers = has_printed && !has_failed_tests && is_unexplained;
        let incomplete = self.declared > self.errors.count
            || self.has_silent_job
            || is_in_doubt
            || may_be_anothers
            || !is_explained;
        let unread = unread(tail, &diagnostics);
        for repeated in take_repeated(&mut diagnostics) {
            let count = match repeated.severity {
                Severity::Error => &mut self.errors.count,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            };
            *count = count.saturating_sub(repeated.times);
        }
        let diagnostics = one_of_equal(diagnostics);
        let mut lint = self.lint;
        for file in lint.iter_mut().flat_map(|lint| &mut lint.fixed) {
            if let Some(name) = self.files.settled(file) {
                *file = name;
            }
        }
        Findings {
            diagnostics,
            unread,
            errors: self.errors.count,
            warnings: self.warnings,
            infos: self.infos,
            tests: self.tests,
            lint,
            unexplained: self.unexplained,
            incomplete,
        }
    }
}

impl SeverityGroup {
    fn keep(&mut self, found: Diagnostic, job: usize) {
        self.count += 1;
        self.has_last = self.kept.len() < KEPT;
        if self.has_last {
            self.kept.push(found);
            self.jobs.push(job);
        }
    }
}

impl Near {
    /// Whether this finding replaces the other one of the same lines. Its lines contain those of the other,
    /// or they overlap and both name one line of a file.
    fn outranks(&self, other: &Self) -> bool {
        let meet = self.log.start < other.log.end && other.log.start < self.log.end;
        let within = self.log.start <= other.log.start && other.log.end <= self.log.end;
        if self.rank >= other.rank || !(meet || within) {
            return false;
        }
        let line = |near: &'_ Self| near.place.as_ref().map(|place| place.line);
        let file = |near: &Self, name: &Self| {
            let names = [near, name].map(|near| near.place.as_ref().map(|place| &*place.file));
            names[0] == names[1]
        };
        within || (self.place.is_some() && line(self) == line(other) && file(self, other))
    }
}

/// The last lines of standard error that nothing was read from, behind the last error that was read there.
fn unread(tail: &Tail, found: &[Diagnostic]) -> Vec<(u64, String)> {
    let mut unread = Vec::new();
    for (number, text) in tail.lines() {
        let of = |found: &&Diagnostic| (found.log.start_line..=found.log.end_line).contains(&number);
        let ends = |found: &Diagnostic| found.severity == Severity::Error && found.log.end_line == number;
        if found.iter().any(ends) {
            unread.clear();
        } else if !found.iter().any(|found| of(&found)) {
            unread.push((number, text));
        }
    }
    unread
}

/// A message of bounded length, without blank lines at its end.
fn cut(message: &mut String) {
    message.truncate(message.trim_end().len());
    if message.len() <= LONGEST_MESSAGE {
        return;
    }
    message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
    message.push('…');
}
