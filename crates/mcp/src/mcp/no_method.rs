//! Answers to requests that cuff has no method for.

use rmcp::ErrorData;
use rmcp::model::ErrorCode;

use crate::model::shown;

/// The answer to a request with a method that cuff does not have.
pub(super) fn no_method(unknown: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("cuff has no method {}", shown(unknown)), None)
}

/// The answer to a request that the SDK took for one of an unknown method: it does so with parameters that it cannot read.
pub(super) fn unreadable(method: &str) -> ErrorData {
    if method == "tools/call" {
        let why = "tools/call takes `name`, a string, and `arguments`, an object";
        return ErrorData::invalid_params(why, None);
    }
    no_method(method)
}
