//! The variables by which coding agents mark the shells that they start.
//!
//! A variable is listed only if people do not set it for themselves. So settings such as
//! `CLAUDE_CODE_USE_BEDROCK`, `CODEX_HOME`, `GOOSE_PROVIDER`, `AIDER_MODEL` and `COPILOT_GITHUB_TOKEN` are
//! not here. `CURSOR_TRACE_ID`, `CLAUDE_CODE_SSE_PORT` and `REPL_ID` are not here either: an editor's
//! terminals for people have them too.

use super::Environment;

/// A variable that an agent sets, and the values of it that mean an agent; none: any value.
type Marker = (&'static str, &'static [&'static str]);

/// The markers, with the place where each is known from.
const MARKERS: &[Marker] = &[
    // A convention of several agents; @vercel/detect-agent and std-env read it first.
    ("AI_AGENT", &[]),
    // The proposal of agents.md (issue 136). Build servers have a variable of this name too, with other values.
    ("AGENT", &["amp", "claude", "codex", "crush", "cursor", "gemini", "goose", "opencode", "pi", "qwen"]),
    // Claude Code, in each shell that it starts: code.claude.com/docs/en/env-vars.
    ("CLAUDECODE", &[]),
    // Claude Code, for itself and so for all that it starts: its environment as several launchers list it.
    ("CLAUDE_CODE_ENTRYPOINT", &[]),
    ("CLAUDE_CODE_CHILD_SESSION", &[]),
    // Cursor's agent and its command line: cursor.com/docs/agent/terminal, @vercel/detect-agent.
    ("CURSOR_AGENT", &[]),
    // Cursor's agent in the editor: vercel/detect-agent, agents.json.
    ("CURSOR_EXTENSION_HOST_ROLE", &["agent-exec"]),
    // Codex, inside its sandbox and without a network: openai/codex, codex-rs/core/src/spawn.rs.
    ("CODEX_SANDBOX", &[]),
    ("CODEX_SANDBOX_NETWORK_DISABLED", &[]),
    // Codex, outside of the sandbox too: vercel/detect-agent, agents.json; unjs/std-env, src/agents.ts.
    ("CODEX_CI", &[]),
    ("CODEX_THREAD_ID", &[]),
    // Gemini CLI, in its shell tool: geminicli.com/docs/tools/shell.
    ("GEMINI_CLI", &[]),
    // Qwen Code, in its shell tool: QwenLM/qwen-code, shellExecutionService.ts.
    ("QWEN_CODE", &[]),
    // OpenCode: sst/opencode, unjs/std-env, src/agents.ts.
    ("OPENCODE", &[]),
    ("OPENCODE_CALLER", &[]),
    ("OPENCODE_CLIENT", &[]),
    // Goose, in its shell tool: block/goose, the developer extension.
    ("GOOSE_TERMINAL", &[]),
    // Copilot's command line, since 0.0.421: its changelog. The other one names the session.
    ("COPILOT_CLI", &[]),
    ("COPILOT_AGENT_SESSION_ID", &[]),
    // Amp, in its shell tool: phpstan's AgentDetector, laravel/agent-detector.
    ("AMP_CURRENT_THREAD_ID", &[]),
    // Cline, in the terminals that it runs commands in: cline/cline, discussion 5366.
    ("CLINE_ACTIVE", &[]),
    // Crush: charmbracelet/crush, its shell.
    ("CRUSH", &[]),
    // Augment: @vercel/detect-agent, unjs/std-env.
    ("AUGMENT_AGENT", &[]),
    // Antigravity: vercel/detect-agent, agents.json.
    ("ANTIGRAVITY_AGENT", &[]),
    // Pi, at its start: badlogic/pi-mono, the coding agent's changelog.
    ("PI_CODING_AGENT", &[]),
    // Trae, in its shells: agentsmd/agents.md, issue 136.
    ("TRAE_AI_SHELL_ID", &[]),
    // OpenClaw, in its shells: vercel/detect-agent, agents.json.
    ("OPENCLAW_SHELL", &[]),
    // Aider sets nothing: a shell that it starts counts as a person's, unless the user sets AI_AGENT for it.
];

/// The variable that says an agent has started this shell, if there is one.
pub fn marker(environment: &Environment) -> Option<&'static str> {
    let is_set = |(name, values): &&Marker| {
        environment
            .get(name)
            .is_some_and(|value| values.is_empty() || values.iter().any(|known| value == *known))
    };
    MARKERS.iter().find(is_set).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_known_by_their_markers_and_people_by_none() {
        let marker = |name: &str, value: &str| marker(&Environment::new("/", [(name, value)]));
        for (name, value) in [
            ("CLAUDECODE", "1"),
            ("CURSOR_AGENT", "1"),
            ("CODEX_SANDBOX", "seatbelt"),
            ("CODEX_SANDBOX_NETWORK_DISABLED", "1"),
            ("GEMINI_CLI", "1"),
            ("AI_AGENT", "anything"),
            ("AGENT", "goose"),
            ("CURSOR_EXTENSION_HOST_ROLE", "agent-exec"),
        ] {
            assert_eq!(marker(name, value), Some(name), "{value}");
        }
        for (name, value) in [
            ("CLAUDECODE", ""),
            ("CLAUDE_CODE_USE_BEDROCK", "1"),
            ("CURSOR_TRACE_ID", "x"),
            ("CODEX_HOME", "/home/me/.codex"),
            ("AGENT", "jenkins-7"),
            ("CI", "true"),
            ("CURSOR_EXTENSION_HOST_ROLE", "user"),
        ] {
            assert_eq!(marker(name, value), None, "{name}={value}");
        }
    }
}
