//! The ids by which a caller knows its call, so that its logs and ours can be laid beside each other.

use rmcp::service::{RequestContext, RoleServer};

/// The trace that a call belongs to, of its `_meta` or of the `traceparent` that came with it. One that is none is as good
/// as absent.
pub(super) fn of(context: &RequestContext<RoleServer>, trace_parent: Option<&str>) -> Option<String> {
    trace(context.meta.get_traceparent().or(trace_parent)?)
}

/// The trace id of a W3C `traceparent`.
fn trace(parent: &str) -> Option<String> {
    let mut parts = parent.split('-');
    let (_version, trace) = (parts.next().filter(|part| is_hexadecimal(part, 2))?, parts.next()?);
    let rest = parts.next().is_some_and(|span| is_hexadecimal(span, 16));
    let real = is_hexadecimal(trace, 32) && trace.bytes().any(|digit| digit != b'0');
    (rest && real).then(|| trace.to_owned())
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_traceparent_has_a_trace() {
        let id = "0af7651916cd43dd8448eb211c80319c";
        assert_eq!(trace(&format!("00-{id}-00f067aa0ba902b7-01")).as_deref(), Some(id));
        let zero = "0".repeat(32);
        for none in ["", id, &format!("00-{id}"), &format!("00-{zero}-00f067aa0ba902b7-01"), "00-a\nb-c-01"] {
            assert_eq!(trace(none), None, "{none:?}");
        }
    }
}
