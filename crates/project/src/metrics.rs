//! Counts that cuff keeps while it works, for any face to render.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::model::{Caller, PluginInfo};

/// The upper bounds of the times that a list takes, in seconds.
const EXTRACTION: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// The upper bounds of the times that a run takes, in seconds.
const EXECUTION: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0];

/// Counts since the process began. Engines that follow each other share one.
#[derive(Debug, Default)]
pub struct Metrics {
    instances: Mutex<BTreeMap<String, Arc<InstanceMetrics>>>,
    calls: Mutex<BTreeMap<&'static str, u64>>,
    refusals: Mutex<BTreeMap<String, u64>>,
    confirmations: Mutex<BTreeMap<&'static str, u64>>,
    reloads: Mutex<BTreeMap<&'static str, u64>>,
    runs: AtomicU64,
    underway: watch::Sender<u64>,
}

impl Metrics {
    /// The instances that were listed, by name.
    pub fn instances(&self) -> BTreeMap<String, Arc<InstanceMetrics>> {
        locked(&self.instances).clone()
    }

    /// Calls by their caller.
    pub fn calls(&self) -> BTreeMap<&'static str, u64> {
        locked(&self.calls).clone()
    }

    /// Calls that started nothing, by error code.
    pub fn refusals(&self) -> BTreeMap<String, u64> {
        locked(&self.refusals).clone()
    }

    /// Calls that required confirmation, by the answer.
    pub fn confirmations(&self) -> BTreeMap<&'static str, u64> {
        locked(&self.confirmations).clone()
    }

    /// Changed settings that were taken up (`success`) or could not be (`failure`).
    pub fn reloads(&self) -> BTreeMap<&'static str, u64> {
        locked(&self.reloads).clone()
    }

    /// How many processes run now, or wait for a place to run in.
    pub fn runs_in_progress(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Ends as soon as no call is under way.
    pub async fn idle(&self) {
        // The sender is this value's own, so that waiting for it cannot fail.
        let _ = self.underway.subscribe().wait_for(|calls| *calls == 0).await;
    }

    /// Settings were read again.
    pub fn reloaded(&self, success: bool) {
        *locked(&self.reloads).entry(if success { "success" } else { "failure" }).or_default() += 1;
    }

    pub(crate) fn call_begins(&self, caller: Caller) -> Underway<'_> {
        *locked(&self.calls).entry(caller.name()).or_default() += 1;
        self.underway.send_modify(|calls| *calls += 1);
        Underway(self)
    }

    pub(crate) fn refused(&self, code: &str) {
        *locked(&self.refusals).entry(code.to_owned()).or_default() += 1;
    }

    pub(crate) fn confirmation(&self, answer: &'static str) {
        *locked(&self.confirmations).entry(answer).or_default() += 1;
    }

    pub(crate) fn run_begins(&self) -> CountedRun<'_> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        CountedRun(self)
    }

    /// The counts of one instance.
    pub(crate) fn instance(&self, name: &str, about: &PluginInfo) -> Arc<InstanceMetrics> {
        let mut instances = locked(&self.instances);
        if let Some(known) = instances.get(name).filter(|known| known.plugin == about.id) {
            return Arc::clone(known);
        }
        let counted = Arc::new(InstanceMetrics::new(about));
        instances.insert(name.to_owned(), Arc::clone(&counted));
        counted
    }

    /// Sets the number of tools to 0 for instances that the settings no longer have. Their other counts stay.
    pub(crate) fn listed(&self, is_there: impl Fn(&str) -> bool) {
        for (name, instance) in locked(&self.instances).iter() {
            if !is_there(name) {
                instance.discovered(0);
            }
        }
    }
}

/// The counts of one instance.
#[derive(Debug)]
pub struct InstanceMetrics {
    /// The plugin's id: the front of the names of its metrics.
    pub plugin: &'static str,
    /// The plugin's word for its tools: a part of those names.
    pub noun: &'static str,
    /// How long it took to read the sources and make tools of them.
    pub extraction: Histogram,
    /// How long runs took, from the first process to the last.
    pub executions: Histogram,
    cache_hits: AtomicU64,
    failures: AtomicU64,
    discovered: AtomicU64,
}

impl InstanceMetrics {
    fn new(about: &PluginInfo) -> Self {
        let (plugin, noun) = (about.id, about.noun);
        let zero = || AtomicU64::new(0);
        let (extraction, executions) = (Histogram::new(EXTRACTION), Histogram::new(EXECUTION));
        Self {
            plugin,
            noun,
            extraction,
            executions,
            cache_hits: zero(),
            failures: zero(),
            discovered: zero(),
        }
    }

    /// Lists that were answered from memory.
    pub fn cache_hits(&self) -> u64 {
        self.cache_hits.load(Ordering::Relaxed)
    }

    /// Runs that did not succeed.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Tools that run something, when it was last listed.
    pub fn tools(&self) -> u64 {
        self.discovered.load(Ordering::Relaxed)
    }

    /// A list took this long, or was remembered.
    pub(crate) fn extracted(&self, took: Option<Duration>) {
        match took {
            Some(took) => self.extraction.observe(took),
            None => drop(self.cache_hits.fetch_add(1, Ordering::Relaxed)),
        }
    }

    pub(crate) fn discovered(&self, tools: usize) {
        self.discovered.store(tools as u64, Ordering::Relaxed);
    }

    pub(crate) fn ran(&self, took: Duration, success: bool) {
        self.executions.observe(took);
        self.failures.fetch_add(u64::from(!success), Ordering::Relaxed);
    }
}

/// Durations, counted by their upper bounds.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [f64],
    /// One more than bounds: the last counts values beyond them.
    counts: Vec<AtomicU64>,
    microseconds: AtomicU64,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Self {
        let counts = std::iter::repeat_with(AtomicU64::default).take(bounds.len() + 1).collect();
        Self { bounds, counts, microseconds: AtomicU64::new(0) }
    }

    fn observe(&self, took: Duration) {
        let at = self.bounds.partition_point(|bound| *bound < took.as_secs_f64());
        self.counts[at].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Each bound in seconds, and how many were not above it.
    pub fn buckets(&self) -> Vec<(f64, u64)> {
        let counts = self.counts.iter().scan(0, |sum, count| {
            *sum += count.load(Ordering::Relaxed);
            Some(*sum)
        });
        self.bounds.iter().copied().zip(counts).collect()
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// How long they were together.
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.microseconds.load(Ordering::Relaxed))
    }
}

/// A call that is under way until this is dropped.
#[derive(Debug)]
pub(crate) struct Underway<'a>(&'a Metrics);

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        self.0.underway.send_modify(|calls| *calls -= 1);
    }
}

/// A run that is in progress until this is dropped.
#[derive(Debug)]
pub(crate) struct CountedRun<'a>(&'a Metrics);

impl Drop for CountedRun<'_> {
    fn drop(&mut self) {
        self.0.runs.fetch_sub(1, Ordering::Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: PluginInfo = PluginInfo { noun: "script", ..PluginInfo::new("p", "P") };

    #[test]
    fn a_histogram_counts_up_to_each_bound_and_beyond_all() {
        let histogram = Histogram::new(&[0.1, 1.0]);
        for milliseconds in [50, 100, 101, 5000] {
            histogram.observe(Duration::from_millis(milliseconds));
        }
        assert_eq!(histogram.buckets(), [(0.1, 2), (1.0, 3)]);
        assert_eq!((histogram.count(), histogram.sum()), (4, Duration::from_millis(5251)));
    }

    #[test]
    fn an_instance_that_went_away_offers_nothing_and_keeps_its_counts() {
        let metrics = Metrics::default();
        let instance = metrics.instance("a", &ABOUT);
        instance.discovered(3);
        instance.ran(Duration::from_secs(1), false);
        metrics.listed(|name| name == "b");
        let seen = &metrics.instances()["a"];
        assert_eq!((seen.tools(), seen.failures(), seen.executions.count()), (0, 1, 1));
        let another = metrics.instance("a", &PluginInfo { id: "q", ..ABOUT });
        assert_eq!(another.failures(), 0, "a name that another plugin got begins anew");
    }

    #[tokio::test]
    async fn idle_waits_for_the_last_call() {
        let metrics = Metrics::default();
        metrics.idle().await;
        let (first, second) = (metrics.call_begins(Caller::Agent), metrics.call_begins(Caller::Agent));
        drop(first);
        let waited = tokio::time::timeout(Duration::from_millis(20), metrics.idle()).await;
        assert!(waited.is_err());
        drop(second);
        metrics.idle().await;
        assert_eq!(metrics.calls(), BTreeMap::from([("agent", 2)]));
    }
}
