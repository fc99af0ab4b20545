//! Results that are JSON text already, on their way through the SDK: it passes them on as a string, which no other result is.

use rmcp::model::{CustomResult, JsonRpcMessage, ServerResult};
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use serde_json::Value;

/// The result for the SDK.
pub(super) fn written(json: String) -> ServerResult {
    ServerResult::CustomResult(CustomResult::new(Value::String(json)))
}

/// A message as JSON. A result that was written already stands in it as it is.
pub(super) fn to_json(message: &TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Vec<u8>> {
    if let JsonRpcMessage::Response(answer) = message
        && let ServerResult::CustomResult(result) = &answer.result
        && let Value::String(result) = &result.0
    {
        return Ok(response(&serde_json::to_string(&answer.id)?, result).into_bytes());
    }
    serde_json::to_vec(message)
}

/// A response of an id and a result, both JSON.
pub(super) fn response(id: &str, result: &str) -> String {
    [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":"#, result, "}"].concat()
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::*;

    #[test]
    fn a_written_result_is_not_written_again() {
        let text = |result| {
            let answer = JsonRpcMessage::response(result, RequestId::String("a\"b".into()));
            String::from_utf8(to_json(&answer).unwrap()).unwrap()
        };
        let expected = r#"{"jsonrpc":"2.0","id":"a\"b","result":{"tools":[]}}"#;
        assert_eq!(text(written(r#"{"tools":[]}"#.to_owned())), expected);
        assert_eq!(text(ServerResult::empty(())), r#"{"jsonrpc":"2.0","id":"a\"b","result":{}}"#);
    }
}
