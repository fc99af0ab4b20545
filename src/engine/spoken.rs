//! What a person is told otherwise than an agent: who typed a command line knows no parameter by its name, and may do by
//! hand what a call may not bring.

use super::RunError;
use super::error::Reason;
use crate::model::{BadCall, CWD, Caller, Complaint, ENV, Fault};
use crate::policy::Refusal;
use crate::registry::Registered;

/// How a person sets what a call may not set.
const IN_THE_SHELL: &str = "set it in your shell before `cuff run`";

impl RunError {
    /// What policy refuses.
    pub(super) fn refused(prefix: &str, refusal: Refusal, caller: Caller) -> Self {
        let help = match (caller, refusal.by_hand) {
            (Caller::Human, Some(by_hand)) => by_hand.to_owned(),
            _ => refusal.help,
        };
        let code = Fault::BadArgument.code(prefix);
        Self::new(Reason::Refused, code, refusal.message, Some(help))
    }

    /// What a plugin cannot plan. `by_hand` is the line to which a person adds words that cuff passes on to nobody.
    pub(super) fn bad_call(prefix: &str, bad: BadCall, caller: Caller, by_hand: Option<&str>) -> Self {
        let reason = match bad.complaint {
            Complaint::Invalid => Reason::BadArguments,
            Complaint::Refused => Reason::Refused,
        };
        let is_refused = reason == Reason::Refused;
        let BadCall { message, help, .. } = match caller {
            Caller::Agent => bad,
            Caller::Run => typed(bad, None, false),
            Caller::Human => typed(bad, by_hand, is_refused),
        };
        Self::new(reason, Fault::BadArgument.code(prefix), message, help)
    }

    /// The audit log cannot be written, so nothing that needs a person's yes runs.
    pub(super) fn unaudited(prefix: &str, why: &str) -> Self {
        let message = format!("It needs a person's yes, which cannot be written down: {why}");
        let help = "nothing was run; the user mends that (`cuff doctor` looks at it), then make the same \
                    call again";
        let code = Fault::Unconfirmed.code(prefix);
        Self::new(Reason::Refused, code, message, Some(help.into()))
    }

    /// A person must say yes first; the question waits under this id. `by_flag`: the yes of a command line counts.
    pub(super) fn unconfirmed(
        prefix: &str,
        found: &Registered,
        (caller, by_flag): (Caller, bool),
        id: &str,
    ) -> Self {
        let message = format!("{} needs a yes from a person first", found.name);
        let help = match caller {
            Caller::Agent => format!(
                "ask the user to run `cuff approve {id}` in a terminal (or `cuff deny {id}`), then make the same call \
                 again"
            ),
            Caller::Run => format!(
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
        let code = Fault::Unconfirmed.code(prefix);
        Self { approval: Some(id.to_owned()), ..Self::new(Reason::Refused, code, message, Some(help)) }
    }

    /// What would run is not what a person was asked about.
    pub(super) fn changed(prefix: &str, caller: Caller) -> Self {
        let (message, help) = match caller {
            Caller::Human => (
                "What it runs was changed while you were asked",
                "nothing was run; the same command asks again",
            ),
            Caller::Agent | Caller::Run => (
                "What it runs was changed while a person was asked",
                "nothing was run; the same call asks again, about what it runs now",
            ),
        };
        let code = Fault::Changed.code(prefix);
        Self::new(Reason::Refused, code, message, Some(help.into()))
    }

    /// A person said no.
    pub(super) fn denied(prefix: &str, caller: Caller) -> Self {
        let code = Fault::Unconfirmed.code(prefix);
        let (message, help) = match caller {
            Caller::Agent => ("A person said no to this", "nothing was run; do not ask for it again"),
            Caller::Run => (
                "A person said no to this",
                "nothing was run; at a terminal outside of this run `cuff run` asks again",
            ),
            Caller::Human => ("Nothing was run: you said no to it", "at a terminal you are asked again"),
        };
        Self::new(Reason::Refused, code, message, Some(help.into()))
    }
}

/// A complaint in the words of a command line: `--cwd` and `--env` for the parameters that they give, and nothing for
/// that which takes the words behind the tool.
fn typed(bad: BadCall, by_hand: Option<&str>, is_refused: bool) -> BadCall {
    let parameter = bad.message.split_once(": ").map(|(parameter, _)| parameter);
    let option = [ENV.name, CWD.name].into_iter().find(|option| parameter == Some(option));
    let message = match (option, bad.message.split_once(": ")) {
        (Some(option), Some((_, what))) => format!("--{option}: {what}"),
        (None, Some(("extra_args" | "args", what))) => what.to_owned(),
        _ => bad.message.clone(),
    };
    let hint = match (option, by_hand) {
        _ if !is_refused => None,
        (Some(option), _) if option == ENV.name => Some(format!("or {IN_THE_SHELL}")),
        (None, Some(line)) => Some(format!("what cuff does not pass on is typed without it: `{line} …`")),
        _ => None,
    };
    let help = bad.help.map(|help| help.replace("`cwd`", "`--cwd`").replace("the tool `fix`", "`fix`"));
    let help = match (help, hint) {
        (Some(help), Some(hint)) => Some(format!("{help}; {hint}")),
        (help, hint) => help.or(hint),
    };
    BadCall { message, help, ..bad }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_told_what_to_type_and_an_agent_which_parameter_it_was() {
        let told = |message: &str, help: &str, caller| {
            let bad = BadCall::refused(message).help(help);
            let error = RunError::bad_call("MAKE", bad, caller, Some("make check"));
            format!("{}; {}", error.message, error.help.unwrap_or_default())
        };
        for (message, help, expected) in [
            (
                "extra_args: \"x\" would be another target",
                "allowed is -j",
                "\"x\" would be another target; allowed is -j; what cuff does not pass on is typed without it: \
                 `make check …`",
            ),
            (
                "env: SHELL may not be set by a call",
                "leave it out",
                "--env: SHELL may not be set by a call; leave it out; or set it in your shell before `cuff run`",
            ),
            (
                "cwd: \"../x\" climbs",
                "`cwd` names a folder",
                "--cwd: \"../x\" climbs; `--cwd` names a folder",
            ),
        ] {
            assert_eq!(told(message, help, Caller::Human), expected);
            assert_eq!(told(message, help, Caller::Agent), format!("{message}; {help}"));
            assert!(!told(message, help, Caller::Run).contains("extra_args"));
        }
        let refusal = || Refusal {
            message: "Blocked".into(),
            help: "the operator may".into(),
            by_hand: Some("set it in your shell"),
        };
        let help = |caller| RunError::refused("CUFF", refusal(), caller).help.unwrap();
        assert_eq!(help(Caller::Human), "set it in your shell");
        assert_eq!(help(Caller::Agent), "the operator may");
    }
}
