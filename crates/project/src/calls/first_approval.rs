//! The one question to an agent's client about settings that nobody has approved.

use tokio::sync::oneshot;

use super::asking::ClientQuestion;
use crate::ledger::{ApprovalQuestion, Consent};
use crate::model::{counted, listed, visible};
use crate::policy::PersonAnswer;
use crate::project::{self, Live, Summary, Unapproved};

/// How many tools and servers the question names before it stops.
const MOST_NAMES: usize = 20;

/// Settings that nobody has approved, and the question about them.
#[derive(Debug)]
pub struct FirstApproval {
    unapproved: Unapproved,
    question: ApprovalQuestion,
    message: String,
}

/// The outcome of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The person said yes, and it is pinned.
    Approved,
    /// The answer comes with another call.
    Later,
    /// The person did not say yes, or it could not be kept.
    Not,
}

impl FirstApproval {
    /// The question about what waits in a project; `None` where nothing does, or something was approved before: a person
    /// sees that change line by line.
    pub fn of(live: &Live) -> Option<Self> {
        let unapproved = live.first_approval()?;
        let summary = project::summary(live.context(), &unapproved);
        let message = message(&unapproved, &summary);
        let files: Vec<&str> = unapproved.files().collect();
        let question = ApprovalQuestion {
            digest: unapproved.digest(),
            tool: "settings".into(),
            original: "settings".into(),
            reason: "no person has approved them".into(),
            command: format!("cuff approve settings ({})", files.join(", ")),
            text: None,
            facts: Vec::new(),
            project: unapproved.root().display().to_string(),
            caller: live.caller().name().into(),
        };
        Some(Self { unapproved, question, message })
    }

    /// The question for a client, and its answer.
    pub fn ask(&self) -> (ClientQuestion, oneshot::Receiver<PersonAnswer>) {
        ClientQuestion::new(self.question.clone(), self.message.clone(), "Let agents use them")
    }

    /// Pins the very bytes that were asked about, where the answer is yes.
    pub async fn settle(self, live: &Live, answer: oneshot::Receiver<PersonAnswer>) -> Settled {
        let yes = match answer.await {
            Ok(PersonAnswer::ClientsYes(yes)) => yes,
            Ok(PersonAnswer::Later) => return Settled::Later,
            _ => return Settled::Not,
        };
        let Some(consent) = Consent::of_client(&yes, &self.question) else { return Settled::Not };
        match project::approve_over_client(live.context(), &consent, &self.unapproved) {
            Ok(()) => Settled::Approved,
            Err(_) => Settled::Not,
        }
    }
}

fn message(unapproved: &Unapproved, summary: &Summary) -> String {
    let files: Vec<&str> = unapproved.files().collect();
    let one_line =
        |names: &[String]| -> Vec<String> { names.iter().map(|name| visible(name).into_owned()).collect() };
    let root = unapproved.root().display().to_string();
    let mut lines =
        vec![format!("Use the settings of {} in {}?", visible(&files.join(" and ")), visible(&root))];
    if !summary.gained.is_empty() {
        let many = counted(summary.gained.len() as u64, "tool");
        lines.push(format!("They open {many} to agents: {}", listed(&one_line(&summary.gained), MOST_NAMES)));
    }
    let servers = unapproved.new_server_lines();
    if !servers.is_empty() {
        lines.push(format!("They start or reach MCP servers: {}", listed(&one_line(&servers), MOST_NAMES)));
    }
    lines.join("\n")
}
