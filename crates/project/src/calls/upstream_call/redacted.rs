//! The end of a call of another MCP server without the secrets that its words hold.

use crate::model::{Answer, Ending, NotStarted, Outcome, Rejection};
use crate::redact::{Secrets, redacted_json};

/// The same outcome without secrets.
pub(super) fn outcome(outcome: Outcome, secrets: &Secrets) -> Outcome {
    let text = |text: String| secrets.redact(&text).into_owned();
    let ending = match outcome.ending {
        Ending::Rejected(why) => Ending::Rejected(text(why)),
        Ending::Disconnected(why) => Ending::Disconnected(text(why)),
        Ending::NotStarted(NotStarted::Other(why)) => Ending::NotStarted(NotStarted::Other(text(why))),
        other => other,
    };
    let answer = outcome.answer.map(|answer| Answer::new(redacted_json(answer.raw().clone(), secrets)));
    let rejection = outcome.rejection.map(|Rejection { code, message, data }| Rejection {
        code,
        message: text(message),
        data: data.map(|data| redacted_json(data, secrets)),
    });
    Outcome { ending, answer, rejection, ..outcome }
}
