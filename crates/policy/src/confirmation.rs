//! Plans that a person must say yes to, each time.

use std::path::Path;

use serde_json::Value;

use super::permit::Judged;
use super::{ConfirmReason, ContentBinding, Permit};
use crate::ledger::Consent;
use crate::model::{
    Caller, Command, Containment, EnvironmentPolicy, Identity, Origin, Plan, Registered, UpstreamCall,
};
use crate::sys::files;

/// A plan that may be carried out once a person has confirmed it.
#[derive(Debug)]
#[must_use = "nothing runs before a person has said yes"]
pub struct Unconfirmed {
    judged: Judged,
    because: ConfirmReason,
}

impl Unconfirmed {
    pub(super) fn new(judged: Judged, because: ConfirmReason) -> Self {
        Self { judged, because }
    }

    /// The plan to confirm.
    pub fn plan(&self) -> &Plan {
        &self.judged.plan
    }

    /// The tool that would do it.
    pub fn tool(&self) -> &Registered {
        &self.judged.tool
    }

    /// The caller.
    pub fn caller(&self) -> Caller {
        self.judged.caller
    }

    /// Why a person is asked.
    pub fn because(&self) -> ConfirmReason {
        self.because
    }

    /// The rules that the kernel would hold for its run; `None`: none.
    pub fn containment(&self) -> Option<&Containment> {
        self.judged.containment.as_ref()
    }

    /// The digest that identifies this plan in the ledger. It covers:
    ///
    /// - the tool and its facts, the project, and the folder that links lead to;
    /// - program and words, and the file that is run;
    /// - the variables that the call or the settings set;
    /// - the runner, and the rules that the kernel would hold;
    /// - the files that the tool reads to know what to run.
    pub fn digest(&self, project: &Path, binding: &ContentBinding) -> String {
        let tool = &self.judged.tool;
        let mut facts = tool.tool.metadata.clone();
        facts.extend(tool.tool.runs().map(|text| ("text", text)));
        facts.push(("bound", binding.digest()));
        let mut parts = DigestParts::default();
        parts.add(tool.name.to_string().as_bytes());
        parts.count(facts.len());
        for (name, value) in &facts {
            parts.add(name.as_bytes());
            parts.add(value.as_bytes());
        }
        match &self.judged.plan {
            Plan::Process(command) => parts.add_process(command, project),
            Plan::Upstream(call) => parts.add_upstream(call, project),
            Plan::Answer(_) => {}
        }
        if let Some(runner) = self.judged.plan.command().and_then(|command| command.runner.as_ref()) {
            parts.add(format!("{runner:?}").as_bytes());
        }
        if let Some(rules) = &self.judged.containment {
            parts.add(format!("{rules:?}").as_bytes());
        }
        parts.0.finalize().to_hex().to_string()
    }

    /// The plan for a person to read, in the syntax of a shell: its folder, the variables of the call, and
    /// the command line. For a call of another server, the tool and its arguments.
    pub fn line(&self) -> String {
        match &self.judged.plan {
            Plan::Process(command) => line_of(command),
            Plan::Upstream(UpstreamCall { server, tool, arguments, .. }) => {
                format!("{server}: {tool} {}", Value::Object(arguments.clone()))
            }
            Plan::Answer(_) => String::new(),
        }
    }

    /// The permit, for a person's confirmation of these files' content.
    pub fn confirmed(self, _: Consent, binding: ContentBinding) -> Permit {
        Permit::new(self.judged, Some(binding))
    }
}

fn line_of(command: &Command) -> String {
    let quoted =
        |text: &str| shlex::try_quote(text).map_or_else(|_| text.escape_debug().to_string(), String::from);
    let directory = command.directory.display().to_string();
    let moved = !["", "."].contains(&directory.as_str());
    let mut line = if moved { format!("cd {} && ", quoted(&directory)) } else { String::new() };
    for change in command.environment.iter().filter(|change| change.origin == Origin::Call) {
        line.extend([&change.name, "=", &quoted(&change.value), " "]);
    }
    line + &command.line()
}

/// The parts of a digest. Each list begins with its length: otherwise its end could pass for the beginning of
/// the next.
#[derive(Default)]
struct DigestParts(blake3::Hasher);

impl DigestParts {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn count(&mut self, length: usize) {
        self.add(&(length as u64).to_le_bytes());
    }

    fn add_process(&mut self, command: &Command, project: &Path) {
        let folder = files::canonical(&project.join(&command.directory));
        for path in [project, &command.directory, &folder] {
            self.add(path.as_os_str().as_encoded_bytes());
        }
        let words = command.words();
        self.count(words.len());
        for word in words {
            self.add(word.as_bytes());
        }
        if let Some(Identity { path, device, inode }) = &command.script {
            self.add(path.as_os_str().as_encoded_bytes());
            self.add(&device.to_le_bytes());
            self.add(&inode.to_le_bytes());
        }
        let set: Vec<_> = command.environment.iter().filter(|one| one.origin != Origin::Fixed).collect();
        self.count(set.len());
        for change in set {
            self.add(change.name.as_bytes());
            self.add(change.value.as_bytes());
        }
        if command.environment_policy != EnvironmentPolicy::default() {
            self.add(command.environment_policy.name().as_bytes());
        }
    }

    fn add_upstream(&mut self, call: &UpstreamCall, project: &Path) {
        self.add(project.as_os_str().as_encoded_bytes());
        for text in ["upstream", &call.server, &call.tool] {
            self.add(text.as_bytes());
        }
        self.add(Value::Object(call.arguments.clone()).to_string().as_bytes());
        self.add(call.definition.as_deref().unwrap_or_default().as_bytes());
    }
}
