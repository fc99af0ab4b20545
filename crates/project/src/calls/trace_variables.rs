//! The variables of OpenTelemetry and W3C Trace Context that cuff itself reads. The exporter reads the others.

use std::borrow::Cow;

use crate::model::TraceContext;
use crate::sys::Environment;

/// The address that takes spans, as the environment names it; `None` where traces are off.
pub fn collector(environment: &Environment) -> Option<String> {
    let value = |name| environment.get(name)?.to_str().map(str::trim).filter(|value| !value.is_empty());
    let endpoint = value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").map(Cow::Borrowed);
    let endpoint = endpoint.or_else(|| {
        let base = value("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        Some(Cow::Owned(format!("{}/v1/traces", base.trim_end_matches('/'))))
    })?;
    let is_off = value("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let is_elsewhere =
        value("OTEL_TRACES_EXPORTER").is_some_and(|list| list.split(',').all(|one| one.trim() != "otlp"));
    (!is_off && !is_elsewhere).then(|| endpoint.into_owned())
}

/// The span that the environment names as the parent of what this process does.
pub(super) fn caller(environment: &Environment) -> Option<TraceContext> {
    let value = |name| environment.get(name)?.to_str();
    TraceContext::parse(value("TRACEPARENT")?, value("TRACESTATE"))
}
