//! The contract of a source of tools.

use std::fmt::Debug;

use crate::model::{
    Absence, BadCall, Binding, Checks, Command, Discovery, Ended, Files, Governance, InstallHint, Package,
    PluginInfo, Reach, Registered, Suggestion, Tool, Values, Verdict, Want, Workspace,
};

/// A source of tools. Pure and stateless: it opens no file, starts no process, reads no clock or environment.
///
/// Discovery asks [`wants`](Self::wants) until nothing new is wanted, shows what it saw to
/// [`discover`](Self::discover), and remembers the answer. A call asks [`plan`](Self::plan) what to run;
/// policy and execution do the rest, the same for every plugin.
pub trait Plugin: Debug + Send + Sync {
    /// Its identity card.
    fn about(&self) -> PluginInfo;

    /// The wants that decide whether it applies, before any settings. Asked until nothing new is wanted.
    fn scout(&self, seen: &Files) -> Vec<Want>;

    /// The suggestion for the scouted files, with its settings. `None`: the plugin does not apply.
    fn suggest(&self, files: &Files) -> Option<Suggestion>;

    /// Advice for a person if it suggests nothing, in one sentence without a full stop.
    fn remark(&self, _files: &Files) -> Option<String> {
        None
    }

    /// The wants under these settings. Asked until nothing new is wanted.
    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want>;

    /// The closed list of the files that a tool reads to know what to run. An approval or a pinned text
    /// depends on their content. Asked until nothing new is wanted.
    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding;

    /// The tools and problems under these settings. Never an error: errors are problems.
    fn discover(&self, config: &Values, files: &Files) -> Discovery;

    /// Why nothing of this name is offered under these settings; asked until it wants to look at nothing new.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        Absence::Unknown
    }

    /// The state of its own sources: the checks of `cuff doctor` for an instance that offers these tools, in
    /// addition to its problems. Asked until nothing new is wanted.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn checks(&self, config: &Values, tools: &[&Tool], seen: &Files) -> Checks {
        Checks::default()
    }

    /// The dependencies that must be installed before a tool can work. A person reads the hint when the tool
    /// fails, and in `cuff doctor` before that. `offered` are the tools of all instances, some of which may
    /// install it. Asked until nothing new is wanted.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn install_hint(
        &self,
        config: &Values,
        tool: &Tool,
        offered: &[Registered],
        seen: &Files,
    ) -> InstallHint {
        InstallHint::Nothing
    }

    /// The tool's command with a call's own arguments added. `arguments` are checked against the tool's parameters.
    /// The words of a call that no rules govern are passed on as they are.
    ///
    /// # Errors
    /// When an argument cannot be understood, cannot be passed on, or is not allowed; the message names it.
    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall>;

    /// The wants that decide how a person's words are passed on. Asked until nothing new is wanted.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn wants_of_person(&self, config: &Values, tool: &Tool, seen: &Files) -> Vec<Want> {
        Vec::new()
    }

    /// The tool's command with the arguments of a person, which no rules govern. The process gets them exactly.
    ///
    /// # Errors
    /// When an argument cannot be understood, or no quoting can pass it on; the message names it.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn plan_of_person(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        seen: &Files,
    ) -> Result<Command, BadCall> {
        self.plan(config, tool, command, arguments, Governance::Free)
    }

    /// The packages of the workspace whose root is what these settings name. Asked until it wants to look at nothing new.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn workspace(&self, config: &Values, seen: &Files) -> Workspace {
        Workspace::default()
    }

    /// The package of a workspace whose manifest this is, with what it needs; `None` where its manifests name no others.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn package(&self, manifest: &[u8]) -> Option<Package> {
        None
    }

    /// The part of the tool's own text that the words of a call reach.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn reach(&self, tool: &Tool) -> Reach {
        Reach::Declared
    }

    /// The dialect of the tool's standard output, if that is a report for programs. Readers do not see it as
    /// it comes: once the process has ended, [`verdict`](Self::verdict) words its findings.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn reading(&self, tool: &Tool) -> Option<&'static str> {
        None
    }

    /// The verdict on a process that ended by itself, if there is a [`reading`](Self::reading). `None`: the
    /// exit code decides, and 0 is success.
    #[expect(unused_variables, reason = "their names are for those who answer more")]
    fn verdict(&self, tool: &Tool, ended: Ended<'_>) -> Option<Verdict> {
        None
    }
}
