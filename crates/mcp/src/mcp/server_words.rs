//! Messages of another MCP server during a request to it, on their way to the client.

use rmcp::model::{CustomNotification, ServerNotification};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use super::call_service::CallService;
use super::log_level;
use super::progress::CallProgress;
use super::server_questions::{self, WayToAsk};
use crate::calls::{ServerQuestions, ServerSays, ServersClient};

/// The client of a request, as servers get to know it.
pub(super) fn client(service: &CallService, context: &RequestContext<RoleServer>) -> ServersClient {
    let can = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    ServersClient {
        elicitation: can.map(|can| json!(can)),
        log_level: log_level::wanted(context, &service.log_level),
    }
}

/// Passes on what a server says. Comes back with questions that the answer to the request has to ask. `client_answers`: answers
/// that came with the request, though nobody had asked yet; they are good for the first questions alone. Without
/// `progress`, that of the server is nobody's.
pub(super) async fn pass_on(
    says: ServerSays,
    progress: Option<&CallProgress>,
    client_answers: &mut Option<Map<String, Value>>,
    context: &RequestContext<RoleServer>,
) -> Option<ServerQuestions> {
    match says {
        ServerSays::Progress(params) => {
            if let Some(progress) = progress {
                progress.pass_on(params).await;
            }
        }
        ServerSays::Message(params) => {
            if log_level::lets_through(context, &params) {
                pass_message_on(params, context).await;
            }
        }
        ServerSays::Asks(mut questions) => {
            let known =
                client_answers.take().and_then(|answers| server_questions::all_answers(&questions, &answers));
            if let Some(answers) = known {
                questions.answer(answers);
                return None;
            }
            match WayToAsk::of(context, &mut questions.asked) {
                // Dropped, they are cancelled.
                WayToAsk::Not => {}
                WayToAsk::InSession(peer) => {
                    let answers = server_questions::ask(&peer, &questions).await;
                    questions.answer(answers);
                }
                WayToAsk::ByResult => return Some(questions),
            }
        }
    }
    None
}

/// Passes a log message of a server on.
async fn pass_message_on(params: Value, context: &RequestContext<RoleServer>) {
    let notification = CustomNotification::new("notifications/message", Some(params));
    // A client that hears nothing any more has gone, and the session ends.
    let _ = context.peer.send_notification(ServerNotification::CustomNotification(notification)).await;
}
