//! Messages in the words of the caller. A person who typed a command line knows options, not parameters, and
//! may do by hand what a call may not ask for.

use super::{ErrorReason, RunError};
use crate::model::{BadCall, BadCallKind, CWD, Caller, ENV, ErrorCode};
use crate::policy::Refusal;
use crate::registry::Registered;

impl RunError {
    /// The error for a call that policy refuses.
    pub(crate) fn refused(prefix: &str, refusal: Refusal, caller: Caller) -> Self {
        let Refusal { fault, message, help } = refusal;
        let message = if caller.is_agents() { message } else { typed(message) };
        Self::new(ErrorReason::Refused, fault.code(prefix), message, Some(help))
    }

    /// The error for a call that a plugin cannot plan.
    pub(crate) fn bad_call(prefix: &str, bad: BadCall, caller: Caller) -> Self {
        let (reason, code) = match bad.kind {
            BadCallKind::Invalid => (ErrorReason::BadArguments, ErrorCode::BadArgument),
            BadCallKind::Refused => (ErrorReason::Refused, ErrorCode::BadArgument),
            BadCallKind::Unusable => (ErrorReason::Unusable, ErrorCode::InvalidConfig),
        };
        let BadCall { message, help, .. } = match caller {
            Caller::Agent | Caller::Code => bad,
            Caller::Run | Caller::HumanRun | Caller::Human => BadCall {
                message: typed(bad.message),
                help: bad
                    .help
                    .map(|help| help.replace("`cwd`", "`--cwd`").replace("the tool `fix`", "`fix`")),
                ..bad
            },
        };
        Self::new(reason, code.code(prefix), message, help)
    }

    /// The audit log cannot be written, so nothing that needs a person's yes runs.
    pub(crate) fn unaudited(prefix: &str, why: &str) -> Self {
        let message = format!("It requires confirmation, which cannot be recorded: {why}");
        let help = "nothing was run; the user mends that (`cuff doctor` looks at it), then make the same \
                    call again";
        let code = ErrorCode::Unconfirmed.code(prefix);
        Self::new(ErrorReason::Refused, code, message, Some(help.into()))
    }

    /// A person must say yes first; the question waits under this id. `by_flag`: the yes of a command line counts.
    pub(crate) fn unconfirmed(
        prefix: &str,
        found: &Registered,
        (caller, by_flag): (Caller, bool),
        id: &str,
    ) -> Self {
        let message = format!("{} requires confirmation by a person first", found.name_for(caller));
        let help = match caller {
            Caller::Agent | Caller::Code => format!(
                "ask the user to run `cuff approve {id}` in a terminal (or `cuff deny {id}`), then make the same call \
                 again"
            ),
            Caller::Run | Caller::HumanRun => format!(
                "nobody is asked within a run: a person types `cuff approve {id}` in a terminal outside of it (or \
                 `cuff deny {id}`), and then it is run again"
            ),
            Caller::Human if by_flag => format!(
                "nobody can be asked here; add `--yes`, which counts: your preferences have `noninteractive_yes: true`, \
                 or type `cuff approve {id}` and run it again"
            ),
            Caller::Human => format!(
                "a yes counts only at a terminal, that of --yes too: run it there, or type `cuff approve {id}` there \
                 and run it again here; for CI there is `noninteractive_yes: true` in your own preferences.yml"
            ),
        };
        let code = ErrorCode::Unconfirmed.code(prefix);
        Self { approval: Some(id.to_owned()), ..Self::new(ErrorReason::Refused, code, message, Some(help)) }
    }

    /// The error for a plan that changed after a person was asked about it.
    pub(crate) fn changed(prefix: &str, caller: Caller) -> Self {
        let (message, help) = match caller {
            Caller::Human => {
                ("Its text changed while you were asked", "nothing was run; the same command asks again")
            }
            Caller::Agent | Caller::HumanRun | Caller::Run | Caller::Code => (
                "Its text changed while a person was asked",
                "nothing was run; the same call asks again, about what it runs now",
            ),
        };
        let code = ErrorCode::Changed.code(prefix);
        Self::new(ErrorReason::Refused, code, message, Some(help.into()))
    }

    /// A person said no.
    pub(crate) fn denied(prefix: &str, caller: Caller) -> Self {
        let code = ErrorCode::Unconfirmed.code(prefix);
        let (message, help) = match caller {
            Caller::Agent | Caller::Code => {
                ("A person said no to this", "nothing was run; do not ask for it again")
            }
            Caller::Run | Caller::HumanRun => (
                "A person said no to this",
                "nothing was run; at a terminal outside of this run `cuff run` asks again",
            ),
            Caller::Human => ("Nothing was run: you said no to it", "at a terminal you are asked again"),
        };
        Self::new(ErrorReason::Refused, code, message, Some(help.into()))
    }
}

/// A complaint in the words of a command line: `--cwd` and `--env` for the parameters that they give, and nothing for
/// that which takes the words behind the tool.
fn typed(message: String) -> String {
    match message.split_once(": ") {
        Some((option, what)) if [ENV.name, CWD.name].contains(&option) => format!("--{option}: {what}"),
        Some(("extra_args" | "args", what)) => what.to_owned(),
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_the_option_and_agents_the_parameter() {
        let reworded = |message: &str, help: &str, caller| {
            let error = RunError::bad_call("MAKE", BadCall::refused(message).help(help), caller);
            format!("{}; {}", error.message, error.help.unwrap_or_default())
        };
        for (message, help, expected) in [
            ("extra_args: \"x\" is odd", "leave it out", "\"x\" is odd; leave it out"),
            (
                "cwd: \"../x\" climbs",
                "`cwd` names a folder",
                "--cwd: \"../x\" climbs; `--cwd` names a folder",
            ),
        ] {
            assert_eq!(reworded(message, help, Caller::Human), expected);
            assert_eq!(reworded(message, help, Caller::Run), expected);
            for caller in [Caller::Agent, Caller::Code] {
                assert_eq!(reworded(message, help, caller), format!("{message}; {help}"));
            }
        }
    }
}
