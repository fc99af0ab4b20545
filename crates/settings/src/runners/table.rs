//! The engines whose words cuff knows, a row each.

use crate::model::Quoting;

/// The words of an engine's client. `{host}`, `{image}` and `{options}` stand for the keys of the same names.
#[derive(Debug)]
pub(super) struct ClientWords {
    pub(super) via: &'static [&'static str],
    pub(super) stop: &'static [&'static str],
    pub(super) check: &'static [&'static str],
    pub(super) quoting: Quoting,
}

/// The variables of this machine that a job of Slurm gets: by these it finds programs and the files of its user, who is the same there.
macro_rules! everyday {
    () => {
        "HOME,LANG,LOGNAME,PATH,SHELL,USER"
    };
}

/// The word that stands for those that have an engine see the project's files.
pub(super) const MOUNT: &str = "{mount}";

/// Their names, as `type` has them.
pub(super) const NAMES: &[&str] = &["ssh", "docker", "slurm", "devcontainer"];

/// Their words.
pub(super) const ENGINES: &[(&str, ClientWords)] = &[
    (
        "ssh",
        ClientWords {
            via: &["ssh", "-T", "-o", "BatchMode=yes", "{options}", "--", "{host}", "{command}"],
            stop: &["ssh", "-T", "-o", "BatchMode=yes", "{options}", "--", "{host}", "sh -c '{kill}'"],
            check: &[
                "ssh",
                "-T",
                "-o",
                "BatchMode=yes",
                "-o",
                "ConnectTimeout=5",
                "{options}",
                "--",
                "{host}",
                "true",
            ],
            quoting: Quoting::Shell,
        },
    ),
    (
        "docker",
        ClientWords {
            via: &[
                "docker",
                "run",
                "--rm",
                "--interactive",
                "--name",
                "cuff-{id}",
                MOUNT,
                "--workdir",
                "{folder}",
                "--entrypoint=",
                "{options}",
                "{image}",
                "{command}",
            ],
            // The first process of a container gets no signal that it does not wait for; all others do.
            stop: &["docker", "exec", "cuff-{id}", "sh", "-c", "kill -s {signal} -- -1"],
            check: &["docker", "version", "--format", "{{.Server.Version}}"],
            quoting: Quoting::Words,
        },
    ),
    (
        "slurm",
        ClientWords {
            // Without `--export` the job has the whole environment of this machine.
            via: &[
                "srun",
                "--job-name=cuff-{id}",
                "--ntasks=1",
                concat!("--export=", everyday!()),
                "{options}",
                "{command}",
            ],
            // `scancel --signal=KILL` is a cancel, after which Slurm waits half a minute before it kills.
            stop: &[
                "sh",
                "-c",
                concat!(
                    "srun --overlap --quiet --export=",
                    everyday!(),
                    " --jobid=\"$(squeue --noheader --name=cuff-{id} --format=%A)\" sh -c '",
                    "{kill}",
                    "'"
                ),
            ],
            check: &["sinfo", "--noheader"],
            quoting: Quoting::Words,
        },
    ),
    (
        "devcontainer",
        ClientWords {
            via: &["devcontainer", "exec", "--workspace-folder", "{root}", "{options}", "{command}"],
            stop: &[
                "devcontainer",
                "exec",
                "--workspace-folder",
                "{root}",
                "{options}",
                "sh",
                "-c",
                "{kill}",
            ],
            check: &["devcontainer", "exec", "--workspace-folder", "{root}", "{options}", "sh", "-c", ":"],
            quoting: Quoting::Words,
        },
    ),
];
