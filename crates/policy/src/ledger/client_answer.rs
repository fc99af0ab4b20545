//! A person's answer to a question, as an agent's client reports it.

use serde_json::Value;

use super::approval::ApprovalQuestion;

/// Proof that a client brought an explicit yes back for one question. It is the client's word: cuff cannot
/// see who sits in front of it. Users who do not trust their client so far set `confirm_over: terminal` in
/// their preferences.
#[derive(Debug)]
pub struct ClientsYes {
    digest: String,
}

/// A client's answer to a question.
#[derive(Debug)]
pub enum ClientAnswer {
    /// It was accepted, and the answer is yes.
    Yes(ClientsYes),
    /// It was declined, or accepted with another answer than yes.
    No,
    /// It was dismissed, or is no answer at all.
    Neither,
}

impl ClientAnswer {
    /// The name of the one thing that is asked for.
    pub const YES: &str = "yes";

    /// Reads the answer to a question as MCP's clients give it.
    pub fn of(question: &ApprovalQuestion, answer: &Value) -> Self {
        match answer.get("action").and_then(Value::as_str) {
            Some("accept")
                if answer.get("content").and_then(|content| content.get(Self::YES))
                    == Some(&Value::Bool(true)) =>
            {
                Self::Yes(ClientsYes { digest: question.digest.clone() })
            }
            Some("accept" | "decline") => Self::No,
            _ => Self::Neither,
        }
    }
}

impl ClientsYes {
    /// Whether it was said to this question.
    pub(super) fn is_to(&self, question: &ApprovalQuestion) -> bool {
        self.digest == question.digest
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Consent;
    use super::*;

    fn question(digest: &str) -> ApprovalQuestion {
        ApprovalQuestion {
            digest: digest.into(),
            tool: "npm.install".into(),
            original: "install".into(),
            reason: "the plugin npm says: always".into(),
            command: "npm install".into(),
            text: None,
            facts: Vec::new(),
            project: "/p".into(),
            caller: "agent".into(),
        }
    }

    #[test]
    fn only_an_explicit_yes_is_one_and_only_to_its_question() {
        let asked = question("a");
        for answer in [
            json!({"action": "accept"}),
            json!({"action": "accept", "content": null}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept", "content": {"yes": "true"}}),
            json!({"action": "accept", "content": {"yes": 1}}),
            json!({"action": "accept", "content": {"yes": false}}),
            json!({"action": "accept", "content": [true]}),
            json!({"action": "decline", "content": {"yes": true}}),
        ] {
            assert!(matches!(ClientAnswer::of(&asked, &answer), ClientAnswer::No), "{answer}");
        }
        for answer in [
            json!({"action": "cancel", "content": {"yes": true}}),
            json!({"action": "Accept", "content": {"yes": true}}),
            json!({"content": {"yes": true}}),
            json!(true),
            json!(null),
        ] {
            assert!(matches!(ClientAnswer::of(&asked, &answer), ClientAnswer::Neither), "{answer}");
        }
        let yes = || match ClientAnswer::of(&asked, &json!({"action": "accept", "content": {"yes": true}})) {
            ClientAnswer::Yes(yes) => yes,
            other => panic!("{other:?}"),
        };
        assert!(Consent::of_client(&yes(), &asked).is_some());
        assert!(Consent::of_client(&yes(), &question("b")).is_none(), "another plan");
    }
}
