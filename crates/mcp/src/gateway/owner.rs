//! The process that owns a session: when it ends, the session is over.

use std::time::Duration;

use tokio::time::sleep;

use crate::sys::KnownProcess;
use crate::sys::ancestors::{Ancestor, ancestors};

/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// Programs that stand between the owner and a hook, and end with it.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "ash", "ksh", "busybox", "env"];
/// The agent's program.
const AGENT: &str = "claude";

/// The process that owns a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOwner(pub KnownProcess);

impl SessionOwner {
    /// Resolves when it has ended.
    pub async fn ended(self) {
        while self.0.is_alive() {
            sleep(PAUSE).await;
        }
    }
}

/// The process that most likely owns the session of a hook. It is the agent's program among those that
/// started this one, else the nearest that is no shell. `None` if nothing is known of them.
pub fn guessed_owner() -> Option<SessionOwner> {
    guess(&ancestors()).map(SessionOwner)
}

fn guess(ancestors: &[Ancestor]) -> Option<KnownProcess> {
    let agent = ancestors.iter().find(|ancestor| is_agent(ancestor));
    let nearest = || ancestors.iter().find(|ancestor| !SHELLS.contains(&ancestor.name.as_str()));
    agent.or_else(nearest).map(|ancestor| ancestor.process)
}

/// Whether it is the agent's program, by its own name or as a script that an interpreter runs.
fn is_agent(Ancestor { name, words, .. }: &Ancestor) -> bool {
    let last = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let is_script = || words.iter().skip(1).take(2).any(|word| last(word) == AGENT);
    // A shell that runs a hook may have the word in its text.
    !SHELLS.contains(&name.as_str()) && (name == AGENT || is_script())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ancestor(pid: u32, words: &str) -> Ancestor {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let name = words[0].rsplit('/').next().unwrap_or_default().to_owned();
        Ancestor { process: KnownProcess { pid, started: Some(1) }, name, words }
    }

    #[test]
    fn the_owner_is_the_agent_or_the_nearest_program_that_is_no_shell() {
        let pid = |all: &[(u32, &str)]| {
            let all: Vec<Ancestor> = all.iter().map(|(pid, words)| ancestor(*pid, words)).collect();
            guess(&all).map(|process| process.pid)
        };
        assert_eq!(pid(&[(5, "sh -c x"), (4, "claude"), (3, "bash"), (2, "tmux")]), Some(4));
        assert_eq!(pid(&[(5, "sh hook.sh"), (4, "node /usr/bin/claude"), (3, "zsh")]), Some(4));
        assert_eq!(pid(&[(5, "helper"), (4, "claude --resume"), (3, "zsh")]), Some(4));
        assert_eq!(pid(&[(5, "sh -c claude"), (4, "other-agent"), (3, "bash")]), Some(4));
        assert_eq!(pid(&[(5, "bash"), (4, "dash")]), None);
        assert_eq!(pid(&[]), None);
    }
}
