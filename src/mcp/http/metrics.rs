//! What was counted, as Prometheus reads it.

use std::fmt::{Display, Write as _};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::front::Traffic;
use crate::engine::{Histogram, InstanceMetrics, Metrics};

/// The format that Prometheus calls its text format.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Everything, a family after the other.
pub(super) fn render(metrics: &Metrics, traffic: &Traffic, ready: bool) -> String {
    let mut page = Page::default();
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
    let answers = traffic.answers.lock().unwrap_or_else(PoisonError::into_inner).clone();
    page.counter("cuff_http_answers_total", "Answers over HTTP", "status", answers);
    page.family("cuff_http_connections", "gauge", "Connections that are open now");
    page.sample("cuff_http_connections", &[], traffic.connections.load(Ordering::Relaxed));
    page.family("cuff_ready", "gauge", "Whether the registry was listed");
    page.sample("cuff_ready", &[], u8::from(ready));
    page.family("cuff_build_info", "gauge", "The version that runs");
    page.sample("cuff_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page.text
}

/// The metrics of the package.json specification, section 11.1, and those of the other plugins by the same scheme.
fn instances(page: &mut Page, metrics: &Metrics) {
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
            |name: &str, kind: &str, help: &str, show: &dyn Fn(&mut Page, &str, &str, &InstanceMetrics)| {
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
                page.histogram(name, of, &one.extraction);
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
            page.histogram(name, of, &one.executions);
        });
        family(&format!("{noun}_executions_total"), "counter", "Runs", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.executions.count());
        });
        family(&format!("{noun}_failures_total"), "counter", "Runs that failed", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.failures());
        });
        family(&format!("{noun}s_discovered"), "gauge", "What is offered", &|page, name, of, one| {
            page.sample(name, &[("instance", of)], one.tools());
        });
    }
}

/// Lines of the format.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "{name}{labels} {value}");
    }

    fn counter<Label: Display>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: impl IntoIterator<Item = (Label, u64)>,
    ) {
        self.family(name, "counter", help);
        for (value, count) in counts {
            self.sample(name, &[(label, &value.to_string())], count);
        }
    }

    fn histogram(&mut self, name: &str, instance: &str, histogram: &Histogram) {
        let bucket = format!("{name}_bucket");
        for (bound, count) in histogram.buckets() {
            self.sample(&bucket, &[("instance", instance), ("le", &bound.to_string())], count);
        }
        let (count, labels) = (histogram.count(), [("instance", instance)]);
        self.sample(&bucket, &[("instance", instance), ("le", "+Inf")], count);
        self.sample(&format!("{name}_sum"), &labels, histogram.sum().as_secs_f64());
        self.sample(&format!("{name}_count"), &labels, count);
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
