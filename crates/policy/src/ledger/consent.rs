//! Proof that a person said yes to one plan.

use super::always::AlwaysAllowed;
use super::approval::{Approval, ApprovalQuestion, ApprovalState};
use super::client_answer::ClientsYes;
use crate::sys::terminal::{self, TypedConsent};

/// Proof that a person said yes to one plan. Its sources are an approval that was granted and not used yet, a
/// person at a terminal, or a client with its person's yes to this very question.
#[derive(Debug)]
pub struct Consent(());

impl Consent {
    /// The consent of a person at a terminal.
    pub fn of_person(_: TypedConsent) -> Self {
        Self(())
    }

    /// The consent of a person at a terminal to settings, which may lie in several files.
    pub fn of_person_to_settings(_: &TypedConsent) -> Self {
        Self(())
    }

    /// The consent of a person at a terminal who allows it always from now on.
    pub fn of_person_always(_: terminal::AlwaysConsent) -> Self {
        Self(())
    }

    /// The consent that a client brought for this question; `None` where it was said to another.
    pub fn of_client(yes: &ClientsYes, question: &ApprovalQuestion) -> Option<Self> {
        yes.is_to(question).then_some(Self(()))
    }

    /// The consent of a person at a terminal who allows the plan always.
    pub(super) fn of_always(_: &AlwaysAllowed) -> Self {
        Self(())
    }

    /// The consent of a person who approved the plan before; `None` where that was not granted.
    pub(super) fn of_approval(approval: &Approval) -> Option<Self> {
        matches!(approval.state, ApprovalState::Granted(_)).then_some(Self(()))
    }
}
