//! The counts, as a page for Prometheus.

use crate::http::{MetricsPage, Times, Traffic};
use crate::metrics::{Histogram, InstanceMetrics, Metrics};

/// Everything, a family after the other.
pub(super) fn page(metrics: &Metrics, traffic: &Traffic, ready: bool) -> MetricsPage {
    let mut page = MetricsPage::default();
    instances(&mut page, metrics);
    page.counter("cuff_calls_total", "Calls of tools", "caller", metrics.calls());
    page.counter("cuff_refusals_total", "Calls that started nothing", "error_code", metrics.refusals());
    page.counter(
        "cuff_confirmations_total",
        "Calls that needed a yes from a person, by what came of it",
        "answer",
        metrics.confirmations(),
    );
    page.counter("cuff_reloads_total", "Settings that were read again", "result", metrics.reloads());
    page.family("cuff_runs_in_progress", "gauge", "Runs that go on now");
    page.sample("cuff_runs_in_progress", &[], metrics.runs_in_progress());
    traffic.render(&mut page);
    page.family("cuff_ready", "gauge", "Whether the registry was listed");
    page.sample("cuff_ready", &[], u8::from(ready));
    page.family("cuff_build_info", "gauge", "The version that runs");
    page.sample("cuff_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page
}

/// The metrics of the package.json specification, section 11.1, and those of the other plugins by the same scheme.
fn instances(page: &mut MetricsPage, metrics: &Metrics) {
    let all = metrics.instances();
    let mut plugins: Vec<(&str, &str)> = all.values().map(|one| (one.plugin, one.noun)).collect();
    plugins.sort_unstable();
    plugins.dedup();
    for (plugin, noun) in plugins {
        let of_plugin: Vec<(&str, &InstanceMetrics)> = all
            .iter()
            .filter(|(_, one)| one.plugin == plugin)
            .map(|(name, one)| (name.as_str(), &**one))
            .collect();
        let mut family =
            |name: &str,
             kind: &str,
             help: &str,
             show: &dyn Fn(&mut MetricsPage, &str, &str, &InstanceMetrics)| {
                let name = format!("{plugin}_{name}");
                page.family(&name, kind, help);
                for (instance, one) in &of_plugin {
                    show(page, &name, instance, one);
                }
            };
        family(
            "extraction_duration_seconds",
            "histogram",
            "Time to read the sources",
            &|page, name, of, one| {
                page.histogram(name, ("instance", of), times(&one.extraction));
            },
        );
        family("cache_hits_total", "counter", "Lists that were remembered", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.cache_hits());
        });
        family("cache_misses_total", "counter", "Lists that were read", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.extraction.count());
        });
        let runs = format!("{noun}_execution_duration_seconds");
        family(&runs, "histogram", "How long runs took", &|page, name, of, one| {
            page.histogram(name, ("instance", of), times(&one.executions));
        });
        family(&format!("{noun}_executions_total"), "counter", "Runs", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.executions.count());
        });
        family(&format!("{noun}_failures_total"), "counter", "Runs that failed", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.failures());
        });
        family(&format!("{noun}s_discovered"), "gauge", "Tools that are offered", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.tools());
        });
    }
}

fn times(histogram: &Histogram) -> Times<Vec<(f64, u64)>> {
    Times { buckets: histogram.buckets(), count: histogram.count(), sum: histogram.sum() }
}
