//! Engines that tools run on: an sshd, a dockerd and a Slurm of the tests' own.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::support::process::until;
use crate::support::project::Project;
use crate::support::tools::{self, impossible};

/// An engine that ends with the test.
#[derive(Debug)]
pub(crate) struct Engine {
    folder: TempDir,
    server: Child,
    /// The keys of its entry under `runners`, as YAML in braces, without the last one.
    pub(crate) keys: String,
    /// The variable that its client needs.
    pub(crate) variable: Option<(&'static str, String)>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.server.id().cast_signed()), Signal::SIGTERM);
        let _ = self.server.wait();
    }
}

/// Whether a program of an engine is there.
fn has(program: &str, package: &str) -> bool {
    let is_there = Path::new(program).is_file();
    if !is_there {
        impossible(&format!("{program} is missing: apt-get install {package}"));
    }
    is_there
}

fn shell(script: &str, folder: &Path) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(folder).stdout(Stdio::null()).stdin(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

fn server(program: &str, words: &[String], folder: &Path) -> Child {
    let log = fs::File::create(folder.join("log")).expect("a file in a folder of ours");
    let mut server = Command::new(program);
    server.args(words).stdin(Stdio::null()).stdout(log.try_clone().expect("a file")).stderr(log);
    server.spawn().expect("a server")
}

impl Engine {
    /// An sshd that lets this user in.
    pub(crate) fn ssh() -> Option<Self> {
        if !has("/usr/sbin/sshd", "openssh-server") {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().display().to_string();
        assert!(shell(
            "mkdir bin home; ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f user; cp user.pub authorized; \
             mkdir -p /run/sshd || true",
            folder.path()
        ));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let option = |name: &str, value: &str| ["-o".to_owned(), format!("{name}={value}")];
        let words: Vec<String> = [
            option("ListenAddress", &format!("127.0.0.1:{port}")),
            option("HostKey", &format!("{place}/host")),
            option("AuthorizedKeysFile", &format!("{place}/authorized")),
            option("PidFile", "none"),
            option("StrictModes", "no"),
            option("UsePAM", "no"),
            option("PermitRootLogin", "yes"),
            option("SetEnv", &format!("PATH={place}/bin:/usr/bin:/bin HOME={place}/home")),
        ]
        .concat();
        let words = [vec!["-D".into(), "-e".into(), "-f".into(), "/dev/null".into()], words].concat();
        let server = server("/usr/sbin/sshd", &words, folder.path());
        let mut host = fs::read_to_string(folder.path().join("host.pub")).expect("a key");
        host.insert_str(0, &format!("[127.0.0.1]:{port} "));
        fs::write(folder.path().join("known"), host).expect("a file in a folder of ours");
        until("an sshd", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        let keys = format!(
            "type: ssh, host: 127.0.0.1, options: [-p, '{port}', -F, none, -i, {place}/user, -o, UserKnownHostsFile={place}/known]"
        );
        Some(Self { folder, server, keys, variable: None })
    }

    /// A Slurm of one node.
    pub(crate) fn slurm() -> Option<Self> {
        Self::slurm_of(&[("node", 2)])
    }

    /// A Slurm of nodes with so many processors, all of them this machine. The first one that is idle gets a job. It needs root.
    pub(crate) fn slurm_of(nodes: &[(&str, u32)]) -> Option<Self> {
        if !(has("/usr/sbin/slurmd", "slurm-wlm") && has("/usr/sbin/munged", "munge")) {
            return None;
        }
        if !nix::unistd::geteuid().is_root() {
            impossible("slurmctld and slurmd need root here");
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().display().to_string();
        let listeners: Vec<TcpListener> =
            (0..=nodes.len()).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let mut ports = listeners.iter().map(|listener| listener.local_addr().expect("an address").port());
        let mut settings = format!(
            "SlurmUser=root\nClusterName=cuff\nAuthType=auth/munge\nAuthInfo=socket={place}/munge\n\
             SlurmctldPort={}\nStateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool-%n\n\
             SlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd-%n.pid\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\nJobAcctGatherType=jobacct_gather/none\nReturnToService=2\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSlurmdParameters=config_overrides\n\
             PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE\nSlurmctldHost=HOST(127.0.0.1)\n",
            ports.next().expect("a port")
        );
        for (weight, ((name, processors), port)) in nodes.iter().zip(ports).enumerate() {
            writeln!(
                settings,
                "NodeName={name} NodeHostname=HOST NodeAddr=127.0.0.1 Port={port} CPUs={processors} Weight={}",
                weight + 1
            )
            .expect("a text");
        }
        drop(listeners);
        fs::write(folder.path().join("slurm.conf"), settings).expect("a file in a folder of ours");
        let node = "sed -i \"s/=HOST/=$(hostname -s)/\" slurm.conf
            mkdir state bin; head -c 1024 /dev/urandom >key; chmod 400 key; chmod 755 .";
        assert!(shell(node, folder.path()), "the settings of a Slurm");
        let names: Vec<&str> = nodes.iter().map(|(name, _)| *name).collect();
        let words = format!(
            "cd {place}
             munged --foreground --force --key-file {place}/key --socket {place}/munge --pid-file {place}/munge.pid \
                --log-file {place}/munge.log --seed-file {place}/seed & all=$!
             trap 'kill $all; wait' TERM
             while [ ! -S munge ]; do sleep 0.05; done
             slurmctld -D -f {place}/slurm.conf & all=\"$all $!\"
             for node in {}; do mkdir spool-$node; slurmd -N $node -D -f {place}/slurm.conf & all=\"$all $!\"; done
             wait",
            names.join(" ")
        );
        let server = server("/bin/sh", &["-c".into(), words], folder.path());
        let engine = Self {
            keys: "type: slurm".into(),
            server,
            variable: Some(("SLURM_CONF", format!("{place}/slurm.conf"))),
            folder,
        };
        let begun = Instant::now();
        let runs =
            format!("SLURM_CONF={place}/slurm.conf timeout 5 srun --quiet --ntasks=1 true 2>/dev/null");
        while !shell(&runs, engine.folder.path()) {
            if begun.elapsed() > Duration::from_secs(30) {
                impossible("Slurm does not start here");
                return None;
            }
            thread::sleep(Duration::from_millis(100));
        }
        Some(engine)
    }

    /// A dockerd with the image `cuff-test`, which has a shell and few programs. It needs root.
    pub(crate) fn docker() -> Option<Self> {
        if !has("/usr/sbin/dockerd", "docker.io") {
            return None;
        }
        if !nix::unistd::geteuid().is_root() {
            impossible("dockerd needs root");
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().display().to_string();
        let socket = format!("unix://{place}/socket");
        let words = format!(
            "--storage-driver vfs --iptables=false --bridge=none --data-root {place}/data --exec-root {place}/exec \
             --pidfile {place}/pid -H {socket}"
        );
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let server = server("/usr/sbin/dockerd", &words, folder.path());
        let engine = Self {
            keys: "type: docker, image: cuff-test, options: [--network, none]".into(),
            folder,
            server,
            variable: Some(("DOCKER_HOST", socket.clone())),
        };
        // A machine may give nobody the cgroups or mounts that it wants.
        let begun = Instant::now();
        while !shell(&format!("docker -H {socket} version 2>/dev/null"), engine.folder.path()) {
            if begun.elapsed() > Duration::from_secs(30) {
                impossible("dockerd does not start here");
                return None;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let image = format!(
            "mkdir -p image/bin image/tmp image/etc; cd image; echo root:x:0:0::/root:/bin/sh >etc/passwd
             for name in sh env cat sleep rm cp mkdir chmod tar find sort uniq comm sed wc id uname; do cp -L $(command -v $name) bin/; done
             for program in bin/* {}; do
               for library in $(ldd $program | grep -o '/lib[^ ]*'); do mkdir -p .${{library%/*}}; cp -L $library .$library; done
             done
             tar c . | docker -H {socket} import - cuff-test",
            env!("CARGO_BIN_EXE_cuff")
        );
        assert!(shell(&image, engine.folder.path()), "an image");
        Some(engine)
    }

    /// A dockerd for dev containers, each of which a project starts. It needs root, and the client that npm has.
    pub(crate) fn devcontainer() -> Option<Self> {
        if !std::env::split_paths(&tools::path()).any(|folder| folder.join("devcontainer").is_file()) {
            impossible("devcontainer is missing: npm install --global @devcontainers/cli");
            return None;
        }
        let mut engine = Self::docker()?;
        engine.keys = "type: devcontainer, folder: /workspaces/project".into();
        Some(engine)
    }

    /// Starts the dev container of a project, which has this file as its `cuff`.
    pub(crate) fn start_container(&self, project: &Project, file: &str) {
        let mount = format!("type=bind,source={file},target=/bin/cuff,readonly");
        let container = serde_json::json!({
            "image": "cuff-test", "updateRemoteUserUID": false, "runArgs": ["--network", "none", "--mount", mount],
        });
        project.write(".devcontainer/devcontainer.json", container.to_string());
        let mut up = Command::new("devcontainer");
        up.args(["up", "--workspace-folder"]).arg(project.root()).env("PATH", tools::path());
        up.envs(self.variable.clone()).env("HOME", self.folder.path());
        let output = up.output().expect("a client");
        assert!(output.status.success(), "{output:?}");
    }

    /// The same with this file as the `cuff` on the other side.
    pub(crate) fn with_cuff(mut self, file: &str) -> Self {
        let bin = self.folder.path().join("bin");
        if bin.is_dir() {
            std::os::unix::fs::symlink(file, bin.join("cuff")).expect("a link in a folder of ours");
        }
        if self.keys == "type: slurm" {
            let bin = bin.display();
            self.keys = format!("type: slurm, options: ['--export=HOME,USER,PATH={bin}:/usr/bin:/bin']");
        }
        let mount = format!("none, --mount, 'type=bind,source={file},target=/bin/cuff,readonly']");
        self.keys = self.keys.replace("none]", &mount);
        self
    }

    /// A folder that is removed with it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}
