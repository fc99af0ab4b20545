//! Commands in the session's gateway, which the variable `TOOLSCRIPT_GATEWAY_URL` names.

mod answers;
mod exec;
mod hint;

use serde_json::Value;

use super::found_tools::FoundTools;
use super::gateway::unhealthy;
use super::steps::step;
use crate::cli::arguments::Exec;
use crate::gateway::{GatewayConnection, URL_VARIABLE, Unhealthy};
use crate::project::Context;
use crate::terminal::{Failed, Ui};
use answers::{OF_SERVERS, PATIENCE, asked, json};

/// The gateway as commands ask it.
pub(super) struct GatewayService(GatewayConnection);

impl GatewayService {
    /// The gateway that the environment names; `None` where it names none.
    pub(super) fn named(context: &Context) -> Option<Result<Self, Failed>> {
        let connection = connection(context)?;
        Some(connection.map(Self).map_err(|error| unhealthy(&error)))
    }

    pub(super) fn servers(&self) -> Result<Vec<Value>, Failed> {
        Ok(items(&json(&asked(&self.0, "/servers", PATIENCE)?)?, "servers"))
    }

    pub(super) fn tools(&self, server: Option<&str>) -> Result<FoundTools, Failed> {
        let path = match server {
            Some(server) => GatewayConnection::path("/tools", "server", server),
            None => "/tools".to_owned(),
        };
        let found = found(&json(&asked(&self.0, &path, OF_SERVERS)?)?);
        Ok(if server.is_none() { found } else { FoundTools { connecting: Vec::new(), ..found } })
    }

    pub(super) fn types(&self, wanted: &[String]) -> Result<String, Failed> {
        let path = GatewayConnection::path("/types", "filter", &wanted.join(","));
        Ok(String::from_utf8_lossy(&asked(&self.0, &path, OF_SERVERS)?).into_owned())
    }

    pub(super) fn search(&self, words: &str, limit: u16) -> Result<FoundTools, Failed> {
        let path = GatewayConnection::path("/search", "q", words);
        Ok(found(&json(&asked(&self.0, &format!("{path}&limit={limit}"), PATIENCE)?)?))
    }

    pub(super) fn hint(&self, ui: &Ui) -> Result<(), Failed> {
        hint::hint(ui, &self.0)
    }

    /// `toolscript exec` in the gateway.
    pub(super) fn exec(&self, ui: &Ui, context: &Context, typed: &Exec) -> Result<u8, Failed> {
        exec::exec(ui, context, &self.0, typed)
    }
}

/// The connection to the gateway that the environment names.
pub(super) fn connection(context: &Context) -> Option<Result<GatewayConnection, Unhealthy>> {
    let connection = GatewayConnection::named(context)?;
    let url = context.environment.get(URL_VARIABLE).unwrap_or_default();
    step(context, "The session's gateway answers", &[("url", url.to_string_lossy().into_owned())]);
    Some(connection)
}

fn found(shape: &Value) -> FoundTools {
    let connecting = items(shape, "connecting_servers");
    let connecting = connecting.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    FoundTools { tools: items(shape, "tools"), connecting }
}

fn items(shape: &Value, name: &str) -> Vec<Value> {
    shape[name].as_array().cloned().unwrap_or_default()
}
