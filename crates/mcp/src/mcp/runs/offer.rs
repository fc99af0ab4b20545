//! The tools as they are listed.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::mcp::tool_list::object;
use crate::model::{Default, Effects, Field, Spelling, ToolName, ValueKind};
use crate::project::Project;

/// A tool of the server's own.
#[derive(Debug)]
pub(in crate::mcp) struct Own {
    /// The name behind `runs.`
    pub(super) local: &'static str,
    title: &'static str,
    about: &'static str,
    pub(super) parameters: &'static [&'static Field],
    effects: Effects,
    /// The fields of its answer beside `success`, each with its type.
    answer: &'static [(&'static str, &'static str)],
}

/// The longest that `runs.status` waits, in seconds: clients give up a call that takes longer.
const LONGEST_WAIT: u64 = 300;

pub(super) const RUN: Field = Field {
    name: "run",
    kind: ValueKind::Text,
    default: Default::Text("latest"),
    about: "The run: its id or the end of it, `latest`, or a tool for its newest",
};
pub(super) const EARLIER: Field = Field {
    name: "earlier",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The run to compare with, newer or older, or a branch for its last run of the tool; the one before it of the same tool when \
            left out",
};
pub(super) const FILTER: Field = Field {
    name: "filter",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "Only runs of tools whose name contains this",
};
pub(super) const SHARED: Field = Field {
    name: "shared",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "The runs in the records of the team, where settings let agents see them; each of these tools takes their ids",
};
pub(super) const NUMBER: Field = Field {
    name: "number",
    kind: ValueKind::Integer(1, 100),
    default: Default::Integer(20),
    about: "How many at most",
};
pub(super) const WAIT: Field = Field {
    name: "wait",
    kind: ValueKind::Integer(0, LONGEST_WAIT),
    default: Default::Integer(0),
    about: "How many seconds to wait for its end",
};
pub(super) const FROM_LINE: Field = Field {
    name: "from_line",
    kind: ValueKind::Integer(1, u64::MAX),
    default: Default::Absent,
    about: "From this line, counted from 1",
};
pub(super) const TO_LINE: Field = Field {
    name: "to_line",
    kind: ValueKind::Integer(1, u64::MAX),
    default: Default::Absent,
    about: "To this line, included",
};
pub(super) const TAIL: Field = Field {
    name: "tail",
    kind: ValueKind::Integer(1, u64::MAX),
    default: Default::Absent,
    about: "Only the last so many of these lines",
};
pub(super) const STREAM: Field = Field {
    name: "stream",
    kind: ValueKind::Choice(&["both", "stdout", "stderr"]),
    default: Default::Text("both"),
    about: "Only what one of the streams printed; all of it where both were one pipe",
};
pub(super) const CONTAINING: Field = Field {
    name: "containing",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "Only lines that contain this text, in capital or small letters; they come with their numbers",
};
pub(super) const START: Field = Field {
    name: "start",
    kind: ValueKind::Integer(0, u64::MAX),
    default: Default::Integer(0),
    about: "The first byte, counted from 0",
};
pub(super) const LENGTH: Field = Field {
    name: "length",
    kind: ValueKind::Integer(1, 24 * 1024),
    default: Default::Integer(8 * 1024),
    about: "How many bytes at most",
};

const READS: Effects = Effects { read_only: true, destructive: false, idempotent: true, open_world: false };

/// The tool that is listed only where settings open a runner to agents.
pub(super) const RUNNERS: &str = "runners";

const OWN: &[Own] = &[
    Own {
        local: "list",
        title: "List runs",
        about: "The newest runs of this project's tools, with id and how they ended",
        parameters: &[&FILTER, &NUMBER, &SHARED],
        effects: READS,
        answer: &[("runs", "array")],
    },
    Own {
        local: "status",
        title: "Status of a run",
        about: "Whether a run goes on or how it ended; with `wait`, waits for its end",
        parameters: &[&RUN, &WAIT],
        effects: READS,
        answer: &[("run", "object"), ("running", "boolean")],
    },
    Own {
        local: "log",
        title: "Log of a run",
        about: "The output of a run, by lines, also while it runs",
        parameters: &[&RUN, &FROM_LINE, &TO_LINE, &TAIL, &STREAM, &CONTAINING],
        effects: READS,
        answer: &[
            ("run_id", "string"),
            ("running", "boolean"),
            ("text", "string"),
            ("shown", "integer"),
            ("lines", "integer"),
            ("next_line", "integer"),
        ],
    },
    Own {
        local: "raw",
        title: "Bytes of a run's log",
        about: "The output of a run, by bytes; controls are escaped and what is not UTF-8 is replaced, then `base64` has the bytes",
        parameters: &[&RUN, &START, &LENGTH],
        effects: READS,
        answer: &[
            ("run_id", "string"),
            ("running", "boolean"),
            ("text", "string"),
            ("start", "integer"),
            ("end", "integer"),
            ("bytes", "integer"),
            ("replaced", "boolean"),
            ("base64", "string"),
        ],
    },
    Own {
        local: "diagnostics",
        title: "Errors and warnings of a run",
        about: "The errors and warnings in the log of a run, with file, line and code",
        parameters: &[&RUN, &NUMBER],
        effects: READS,
        answer: &[
            ("run_id", "string"),
            ("errors", "integer"),
            ("warnings", "integer"),
            ("infos", "integer"),
            ("diagnostics", "object"),
            ("diagnostics_total", "integer"),
            ("summary", "object"),
        ],
    },
    Own {
        local: "diff",
        title: "Compare two runs",
        about: "Which errors and warnings are new, fixed and still there in the newer of two runs",
        parameters: &[&RUN, &EARLIER, &NUMBER],
        effects: READS,
        answer: &[
            ("run_id", "string"),
            ("earlier_run_id", "string"),
            ("new", "object"),
            ("fixed", "object"),
            ("still", "object"),
            ("new_total", "integer"),
            ("fixed_total", "integer"),
            ("still_total", "integer"),
            ("not_compared", "integer"),
        ],
    },
    Own {
        local: RUNNERS,
        title: "List runners",
        about: "The engines that `on` may name in calls of this project's tools, and whether each can be reached",
        parameters: &[],
        effects: Effects { read_only: true, destructive: false, idempotent: true, open_world: true },
        answer: &[("runners", "array")],
    },
    Own {
        local: "stop",
        title: "Stop a run",
        about: "Ends a run of this project that goes on, with everything it started",
        parameters: &[&RUN],
        effects: Effects { read_only: false, destructive: true, idempotent: true, open_world: false },
        answer: &[("stopped", "boolean"), ("run", "object")],
    },
];

impl Own {
    pub(super) fn name(&self) -> ToolName {
        ToolName { instance: "runs".into(), local: self.local.into() }
    }

    fn describe(&self, spelling: Spelling) -> Tool {
        let Effects { read_only, destructive, idempotent, open_world } = self.effects;
        let annotations = ToolAnnotations::from_raw(
            Some(self.title.to_owned()),
            Some(read_only),
            Some(destructive),
            Some(idempotent),
            Some(open_world),
        );
        let input = object(Field::object_schema(self.parameters));
        let mut tool =
            Tool::new(self.name().spelled(spelling), self.about, input).with_annotations(annotations);
        tool.title = Some(self.title.to_owned());
        tool.output_schema = Some(object(self.output_schema()));
        tool
    }

    /// A failure has the same shape as that of any other tool.
    fn output_schema(&self) -> Value {
        let failure = [
            ("success", "boolean"),
            ("tool", "string"),
            ("error", "string"),
            ("error_code", "string"),
            ("help", "string"),
        ];
        let all = failure.iter().chain(self.answer);
        let properties: Map<String, Value> =
            all.map(|(name, kind)| ((*name).to_owned(), json!({"type": kind}))).collect();
        json!({"type": "object", "properties": properties, "required": ["success"]})
    }
}

/// The tools of the server's own.
pub(in crate::mcp) fn tools(project: &Project, spelling: Spelling) -> impl Iterator<Item = Tool> {
    listed(project).map(move |own| own.describe(spelling))
}

/// The name and the purpose of each.
pub(in crate::mcp) fn briefly(
    project: &Project,
    spelling: Spelling,
) -> impl Iterator<Item = (String, String)> {
    listed(project).map(move |own| (own.name().spelled(spelling), own.about.to_owned()))
}

fn listed(project: &Project) -> impl Iterator<Item = &'static Own> {
    let has_runners = project.settings.runners.iter().any(|runner| runner.is_open_to_agents);
    OWN.iter().filter(move |own| has_runners || own.local != RUNNERS)
}

/// The one of this name as it is listed.
pub(in crate::mcp) fn described(name: &str, spelling: Spelling) -> Option<Tool> {
    named(name).map(|own| own.describe(spelling))
}

/// The one of this name.
pub(in crate::mcp) fn named(name: &str) -> Option<&'static Own> {
    OWN.iter().find(|own| [Spelling::Dotted, Spelling::Portable].iter().any(|one| own.name().is(name, *one)))
}
