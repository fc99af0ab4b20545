//! The ids of what the server asks the client: random, where the SDK counts.
//!
//! A process that can write into the client's pipe, and read nothing there, must not be able to answer a question. So
//! only a reader of the question knows its id.

use std::collections::HashMap;
use std::io;

use rmcp::model::{JsonRpcMessage, RequestId, ServerNotification};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};

use crate::calls::random_id;

/// The ids of open questions, as the client knows them, and the SDK's own.
#[derive(Debug, Default)]
pub(super) struct QuestionIds {
    open: HashMap<String, RequestId>,
}

impl QuestionIds {
    /// A message as the client gets it.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub(super) fn outgoing(
        &mut self,
        mut message: TxJsonRpcMessage<RoleServer>,
    ) -> io::Result<TxJsonRpcMessage<RoleServer>> {
        match &mut message {
            JsonRpcMessage::Request(asked) => {
                let id = format!("q{}", random_id()?);
                let own = std::mem::replace(&mut asked.id, RequestId::String(id.as_str().into()));
                self.open.insert(id, own);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ServerNotification::CancelledNotification(cancelled) = &mut notification.notification {
                    let known =
                        self.open.iter().find(|(_, own)| Some(*own) == cancelled.params.request_id.as_ref());
                    if let Some(id) = known.map(|(id, _)| id.clone()) {
                        cancelled.params.request_id = Some(RequestId::String(id.as_str().into()));
                        self.open.remove(&id);
                    }
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(message)
    }

    /// A message as the SDK gets it; `None` for an answer to no open question.
    pub(super) fn incoming(
        &mut self,
        mut message: RxJsonRpcMessage<RoleServer>,
    ) -> Option<RxJsonRpcMessage<RoleServer>> {
        match &mut message {
            JsonRpcMessage::Response(answer) => answer.id = self.close(&answer.id)?,
            JsonRpcMessage::Error(answer) => {
                if let Some(id) = &answer.id {
                    answer.id = Some(self.close(id)?);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        Some(message)
    }

    fn close(&mut self, id: &RequestId) -> Option<RequestId> {
        match id {
            RequestId::String(id) => self.open.remove(&**id),
            RequestId::Number(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{
        CancelledNotification, CancelledNotificationParam, ElicitRequest, ElicitRequestParams,
        ElicitationSchema, ServerRequest,
    };
    use serde_json::{Value, json};

    use super::*;

    fn question(id: i64) -> TxJsonRpcMessage<RoleServer> {
        let form = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "?".into(),
            requested_schema: ElicitationSchema::builder().build_unchecked(),
        };
        JsonRpcMessage::request(ServerRequest::ElicitRequest(ElicitRequest::new(form)), RequestId::Number(id))
    }

    fn answer(id: &Value) -> RxJsonRpcMessage<RoleServer> {
        serde_json::from_value(json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept"}})).unwrap()
    }

    fn id_of(message: &impl serde::Serialize) -> Value {
        json!(message)["id"].clone()
    }

    #[test]
    fn an_answer_counts_once_and_by_the_id_sent_to_the_client() {
        let mut ids = QuestionIds::default();
        let client_ids = [0, 1].map(|own| id_of(&ids.outgoing(question(own)).unwrap()));
        assert_ne!(client_ids[0], client_ids[1]);
        assert!(client_ids.iter().all(|id| id.as_str().unwrap().len() == 33), "128 bits: {client_ids:?}");
        for guess in [json!(0), json!(1), json!("0"), json!("q0"), json!("q00000000000000000000000000000000")]
        {
            assert!(ids.incoming(answer(&guess)).is_none(), "{guess}");
        }
        assert_eq!(id_of(&ids.incoming(answer(&client_ids[1])).unwrap()), 1);
        assert!(ids.incoming(answer(&client_ids[1])).is_none(), "it was answered");
        let refused =
            json!({"jsonrpc": "2.0", "id": client_ids[0], "error": {"code": -32601, "message": "no"}});
        assert_eq!(id_of(&ids.incoming(serde_json::from_value(refused).unwrap()).unwrap()), 0);
    }

    #[test]
    fn a_question_that_is_taken_back_is_named_as_it_was_asked() {
        let mut ids = QuestionIds::default();
        let client_id = id_of(&ids.outgoing(question(7)).unwrap());
        let params = CancelledNotificationParam::new(Some(RequestId::Number(7)), None);
        let notice = ServerNotification::CancelledNotification(CancelledNotification::new(params));
        let sent = json!(ids.outgoing(JsonRpcMessage::notification(notice)).unwrap());
        assert_eq!(sent["params"]["requestId"], client_id);
        assert!(ids.incoming(answer(&client_id)).is_none(), "nobody waits for it");
    }
}
