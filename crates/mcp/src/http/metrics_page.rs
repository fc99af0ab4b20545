//! Counts as Prometheus reads them: its text format.

use std::fmt::{Display, Write as _};
use std::time::Duration;

use hyper::{StatusCode, header};

use super::answer::{HttpAnswer, say, with};

/// The format that Prometheus calls its text format.
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A page of metrics, a family after the other.
#[derive(Debug, Default)]
pub struct MetricsPage {
    text: String,
}

/// How often something took how long.
#[derive(Debug)]
pub struct Times<Buckets> {
    /// For each bound in seconds, how often it took at most so long.
    pub buckets: Buckets,
    /// How often it was done.
    pub count: u64,
    /// How long it took in all.
    pub sum: Duration,
}

impl MetricsPage {
    /// Begins a family; `kind` is a type of Prometheus.
    pub fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// One value of the family that was begun.
    pub fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "{name}{labels} {value}");
    }

    /// A family of counters that differ in one label.
    pub fn counter<Label: Display>(
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

    /// One histogram of the family that was begun.
    pub fn histogram<Bound: Display>(
        &mut self,
        name: &str,
        label: (&str, &str),
        times: Times<impl IntoIterator<Item = (Bound, u64)>>,
    ) {
        let bucket = format!("{name}_bucket");
        for (bound, count) in times.buckets {
            self.sample(&bucket, &[label, ("le", &bound.to_string())], count);
        }
        self.sample(&bucket, &[label, ("le", "+Inf")], times.count);
        self.sample(&format!("{name}_sum"), &[label], times.sum.as_secs_f64());
        self.sample(&format!("{name}_count"), &[label], times.count);
    }

    /// The page as an answer.
    pub fn answer(self) -> HttpAnswer {
        with(say(StatusCode::OK, self.text), header::CONTENT_TYPE, CONTENT_TYPE)
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
