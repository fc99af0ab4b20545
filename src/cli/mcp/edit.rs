//! `cuff mcp add` and `remove`: settings.yml with a server more or less.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::cli::arguments::McpAdd;
use crate::model::{Problem, is_instance_name};
use crate::project::{self, Context, InstanceChoice};
use crate::settings::{self, NotMerged, ServerEntry};
use crate::setup::{self, Replace, SettingsDraft};
use crate::terminal::{Failed, Ui, exit};

/// Adds a server.
pub(super) fn add(ui: &Ui, context: &Context, config: Option<&Path>, typed: &McpAdd) -> Result<u8, Failed> {
    let (entry, replaced) = setup::without_secrets(entry(typed)?);
    let abouts = context.abouts();
    let servers = std::slice::from_ref(&entry);
    let edit = Edit::of(context, config)?;
    let there = edit.there(context)?;
    let suggested = if there.is_none() { edit.suggested(context)? } else { None };
    let is_suggested = suggested.is_some();
    let text = match (&there, suggested) {
        (Some(there), _) => settings::add_servers(there.bytes(), servers, &abouts),
        (None, Some(suggested)) => settings::add_servers(suggested.as_bytes(), servers, &abouts),
        (None, None) => settings::new_file(servers, settings::schema_beside(Path::new(&edit.name)), &abouts),
    };
    let text = text.map_err(|why| edit.refused(&why, Some(&entry)))?;
    edit.write(context, &text, there.as_ref())?;
    ui.result(format!("Added `{}` to {}", entry.name, edit.name))?;
    if is_suggested {
        ui.note(format!(
            "note: {} is new, and has the project's own tools as `cuff init` finds them",
            edit.name
        ));
    }
    for one in replaced {
        let what = format!(
            "`{}` looks like a secret, so {} has `${{{}}}` in its place",
            one.key, edit.name, one.variable
        );
        ui.problem(
            None,
            None,
            &Problem::warning(what).help(format!("set {} before cuff starts", one.variable)),
        );
    }
    edit.pin(ui, context, &text, there.as_ref(), &[entry.name]);
    Ok(exit::SUCCESS)
}

/// Removes a server.
pub(super) fn remove(ui: &Ui, context: &Context, config: Option<&Path>, name: &str) -> Result<u8, Failed> {
    let edit = Edit::of(context, config)?;
    let Some(there) = edit.there(context)? else {
        let failed = Failed::usage(format!("there is no {} to remove `{name}` from", edit.name)).unable();
        return Err(failed.help("`cuff mcp list` shows the servers of this project and of its user"));
    };
    let text = settings::remove_server(there.bytes(), name, &context.abouts());
    let text = text.map_err(|why| {
        let failed = edit.refused(&why, None);
        let in_file = settings::server_files(&context.environment).into_iter().find(|place| {
            settings::load_servers(place, &context.environment).names().any(|known| known == name)
        });
        match in_file {
            Some(place) => failed.help(format!("{} names `{name}`; remove it there", place.name)),
            None => failed,
        }
    })?;
    edit.write(context, &text, Some(&there))?;
    ui.result(format!("Removed `{name}` from {}", edit.name))?;
    edit.pin(ui, context, &text, Some(&there), &[]);
    Ok(exit::SUCCESS)
}

/// The settings file that is edited.
struct Edit {
    draft: SettingsDraft,
    /// The file as messages name it.
    name: String,
}

impl Edit {
    /// The settings that count here, else a new file in this folder.
    fn of(context: &Context, config: Option<&Path>) -> Result<Self, Failed> {
        let search = settings::find(&context.environment, config)
            .map_err(|not_there| Failed::usage(not_there.to_string()).unable().help(not_there.help))?;
        let usual = || {
            let file = SettingsDraft::usual_file(context);
            let name = file.display().to_string();
            (file, name)
        };
        let (file, name) = search.place.map_or_else(usual, |place| (place.file, place.name));
        Ok(Self { draft: SettingsDraft::at(context, &file), name })
    }

    /// The settings that stand in for those of a project without any, as `cuff init` would write them: a file with a server alone
    /// would take the project's own tools away. `None` where there are no such tools.
    fn suggested(&self, context: &Context) -> Result<Option<String>, Failed> {
        let surveys = project::survey(context, self.draft.project(), |_| true, |_| ());
        let offers = self.draft.offers(&surveys);
        let entries = InstanceChoice::usual(&offers, |_| false).entries(&offers);
        if entries.is_empty() {
            return Ok(None);
        }
        self.draft.compose(context, &entries).map(Some).map_err(|why| self.refused(&why, None))
    }

    fn there(&self, context: &Context) -> Result<Option<setup::Predecessor>, Failed> {
        self.draft.predecessor(context).map_err(|why| self.refused(&why, None))
    }

    fn write(&self, context: &Context, text: &str, there: Option<&setup::Predecessor>) -> Result<(), Failed> {
        let replace = there.map_or(Replace::Nothing, Replace::This);
        self.draft.write(text, replace, &context.schema()).map_err(|error| Failed {
            code: exit::WRITE_ERROR,
            ..Failed::usage(error.to_string()).unable().help(error.help())
        })
    }

    /// Approves the servers where a person has named them, and says who does not have them where nobody did.
    fn pin(
        &self,
        ui: &Ui,
        context: &Context,
        text: &str,
        there: Option<&setup::Predecessor>,
        servers: &[String],
    ) {
        let replace = there.map_or(Replace::Nothing, Replace::This);
        let pinned = self.draft.pin(context, text, replace, servers, "cuff mcp");
        let why = match pinned {
            Ok(why) => why.map(str::to_owned),
            Err(error) => Some(error.to_string()),
        };
        let waits = || matches!(project::unapproved(context, None), Ok(Some(_)));
        if why.is_some() || !servers.is_empty() && waits() {
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            let what = format!("agents do not have this change before a person approves it{why}");
            ui.problem(None, None, &Problem::warning(what).help("run `cuff approve settings` in a terminal"));
        }
    }

    /// The refusal, with the lines to add by hand.
    fn refused(&self, why: &NotMerged, entry: Option<&ServerEntry>) -> Failed {
        let failed = Failed::usage(format!("{} stays as it is: {why}", self.name)).unable();
        match (why.mend(), entry) {
            (Some(mend), _) => failed.help(mend.to_owned()),
            (None, Some(entry)) => {
                let lines = settings::lines_to_paste(std::slice::from_ref(entry));
                failed.help(format!("write these lines below its `plugins:` by hand:\n{lines}"))
            }
            (None, None) => failed.help("`cuff mcp list` shows the servers and their files"),
        }
    }
}

/// The entry that the options say.
fn entry(typed: &McpAdd) -> Result<ServerEntry, Failed> {
    if !is_instance_name(&typed.name) {
        let help = "use letters, digits, `_` and `-`, at most 32, and start with a letter";
        return Err(Failed::usage(format!("`{}` cannot be the name of a server", typed.name)).help(help));
    }
    let wrong = |what: &str, help: &str| Err(Failed::usage(what).help(help));
    let environment = pairs(&typed.env, "--env")?;
    let headers = pairs(&typed.header, "--header")?;
    match (&typed.url, typed.command.split_first()) {
        (None, None) => wrong(
            "neither a command nor an address says where the server is",
            "write `-- COMMAND ARGS` for a program to start, or the URL to connect to",
        ),
        (Some(url), None) if !url.contains("://") => {
            let help = format!("a command stands behind `--`: `cuff mcp add {} -- {url}`", typed.name);
            wrong(&format!("`{url}` is no address"), &help)
        }
        (Some(url), _) => match (typed.env.first(), &typed.cwd) {
            (None, None) => {
                let keys = [("url", json!(url)), ("transport", json!(typed.transport)), ("headers", headers)];
                Ok(setup::server_entry(&typed.name, keys))
            }
            _ => wrong("`--env` and `--cwd` belong to a command", "leave them out, or write `-- COMMAND`"),
        },
        (None, Some((command, arguments))) => match (typed.header.first(), &typed.transport) {
            (None, None) => {
                let keys = [
                    ("command", json!(command)),
                    ("args", json!(arguments)),
                    ("env", environment),
                    ("cwd", json!(typed.cwd)),
                ];
                Ok(setup::server_entry(&typed.name, keys))
            }
            _ => {
                wrong("`--header` and `--transport` belong to an address", "leave them out, or write the URL")
            }
        },
    }
}

/// The `KEY=VALUE` pairs of an option.
fn pairs(given: &[String], option: &str) -> Result<Value, Failed> {
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
            Failed::usage(format!("`{option}` takes KEY=VALUE")).help(format!("write `{option} NAME=value`"))
        })?;
        Ok((name.to_owned(), json!(value)))
    };
    Ok(Value::Object(given.iter().map(pair).collect::<Result<Map<_, _>, Failed>>()?))
}
