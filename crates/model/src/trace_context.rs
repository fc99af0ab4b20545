//! The place of a call in a trace, as W3C Trace Context passes it from one program to the next.

/// The longest `tracestate` that is passed on, in bytes. A longer one is left out, as the standard allows.
const LONGEST_STATE: usize = 512;

/// A span of a trace, as the parent of others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TraceContext {
    /// The id of the trace, not zero.
    pub trace: u128,
    /// The id of the span, not zero.
    pub span: u64,
    /// The flags of the trace.
    flags: u8,
    /// The `tracestate` of others, passed on as it came; empty for none.
    pub state: String,
}

impl TraceContext {
    /// The flag of a trace that is recorded.
    const SAMPLED: u8 = 1;

    /// The first span of a recorded trace. `None` where an id is zero.
    pub fn root(trace: u128, span: u64) -> Option<Self> {
        let is_valid = trace != 0 && span != 0;
        is_valid.then_some(Self { trace, span, flags: Self::SAMPLED, state: String::new() })
    }

    /// The span that a `traceparent` names, with the `tracestate` that came beside it. `None` where it names none.
    pub fn parse(parent: &str, state: Option<&str>) -> Option<Self> {
        let mut parts = parent.trim().split('-');
        let mut hexadecimal = |length: usize| {
            let part = parts.next().filter(|part| part.len() == length)?;
            let is_lower = part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            is_lower.then(|| u128::from_str_radix(part, 16).ok())?
        };
        let (version, trace) = (hexadecimal(2)?, hexadecimal(32)?);
        let span = u64::try_from(hexadecimal(16)?).ok()?;
        let flags = u8::try_from(hexadecimal(2)?).ok()?;
        // A later version may have more parts.
        if version == 0xff || (version == 0 && parts.next().is_some()) {
            return None;
        }
        let is_state = |state: &&str| {
            state.len() <= LONGEST_STATE && state.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        };
        let state = state.filter(is_state).unwrap_or_default().trim().to_owned();
        (trace != 0 && span != 0).then_some(Self { trace, span, flags, state })
    }

    /// The `traceparent` that names it.
    pub fn parent(&self) -> String {
        format!("00-{:032x}-{:016x}-{:02x}", self.trace, self.span, self.flags)
    }

    /// The id of the trace, in hexadecimal.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace)
    }

    /// Another span of the same trace.
    #[must_use]
    pub fn with_span(&self, span: u64) -> Self {
        Self { span, ..self.clone() }
    }

    /// Whether the trace is recorded.
    pub fn is_sampled(&self) -> bool {
        self.flags & Self::SAMPLED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    #[test]
    fn a_traceparent_names_a_span() {
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let context = TraceContext::parse(&parent, Some("vendor=1,other=a b")).unwrap();
        assert_eq!((context.parent(), context.trace_id()), (parent, TRACE.to_owned()));
        assert_eq!((context.is_sampled(), context.state.as_str()), (true, "vendor=1,other=a b"));
        let child = context.with_span(5);
        assert_eq!(child.parent(), format!("00-{TRACE}-0000000000000005-01"));
        let unsampled = TraceContext::parse(&format!("00-{TRACE}-00f067aa0ba902b7-00"), None).unwrap();
        assert_eq!((unsampled.is_sampled(), unsampled.state.as_str()), (false, ""));
        assert!(TraceContext::parse(&format!("01-{TRACE}-00f067aa0ba902b7-01-more"), None).is_some());
    }

    #[test]
    fn a_text_that_is_no_traceparent_names_none() {
        let zero = "0".repeat(32);
        for none in [
            String::new(),
            TRACE.to_owned(),
            format!("00-{TRACE}"),
            format!("00-{TRACE}-00f067aa0ba902b7"),
            format!("00-{zero}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-00f067aa0ba902b7-01-more"),
            format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            format!("00-+{}-00f067aa0ba902b7-01", &TRACE[1..]),
            "00-a\nb-c-01".to_owned(),
        ] {
            assert_eq!(TraceContext::parse(&none, None), None, "{none:?}");
        }
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        for state in ["x".repeat(LONGEST_STATE + 1), "a=1\nb=2".to_owned(), "ä=1".to_owned()] {
            assert_eq!(TraceContext::parse(&parent, Some(&state)).unwrap().state, "", "{state:?}");
        }
    }
}
