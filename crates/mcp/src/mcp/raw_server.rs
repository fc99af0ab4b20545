//! The server on two streams: raw JSON goes out in the place of the SDK's results.

use std::borrow::Cow;

use rmcp::ErrorData;
use rmcp::model::{ProtocolVersion, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service, ServiceRole};

use super::preserialized::written;
use super::raw::RawAnswer;
use super::server::McpServer;

/// The server as the SDK sees it on two streams.
#[derive(Clone)]
pub(super) struct RawServer(pub(super) McpServer);

impl Service<RoleServer> for RawServer {
    async fn handle_request(
        &self,
        request: <RoleServer as ServiceRole>::PeerReq,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let answer = RawAnswer::default();
        context.extensions.insert(answer.clone());
        let result = Box::pin(self.0.handle_request(request, context)).await?;
        if !answer.is_set() {
            return Ok(result);
        }
        let typed = serde_json::to_value(&result);
        let typed = typed.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(answer.join(typed).map_or(result, written))
    }

    async fn handle_notification(
        &self,
        notification: <RoleServer as ServiceRole>::PeerNot,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> <RoleServer as ServiceRole>::Info {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}
