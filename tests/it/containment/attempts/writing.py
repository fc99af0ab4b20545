"""Writes outside of the project: files that a person's programs read or run later."""
import os
import stat

from calls import AT_FDCWD, call, only_root, shell
from registry import attempt
from targets import Kept


def append(path):
    with open(path, "a") as file:
        file.write("attempt\n")


PLACES = [
    ("", ".bashrc"), ("", ".profile"), ("", ".npmrc"), ("", ".gitconfig"), ("", ".yarnrc.yml"), ("", ".pypirc"),
    (".cargo", "config.toml"), (".config/pip", "pip.conf"), (".config/git", "hooks"), (".ssh", "authorized_keys"),
    ("{state}/cuff/approvals", "forged.json"), ("{state}/cuff/pins", "forged"), (".config/cuff", "preferences.yml"),
    (".config/systemd/user", "evil.service"), (".config/autostart", "evil.desktop"), (".claude", "settings.json"),
]
for folder, file in PLACES:
    words = (folder + "/" + file).strip("/").replace("{", "").replace("}", "")
    attempt(Kept(folder, file=file), name="append_" + words.replace("/", "_").replace(".", ""))(lambda t: append(t.path))

PROGRAMS = [".cargo/bin", ".local/bin", ".bun/bin", ".local/share/pnpm", "go/bin", ".deno/bin", ".npm-global/bin"]
for folder in PROGRAMS:
    attempt(Kept(folder, "absent"), name="program_" + folder.replace("/", "_").replace(".", ""))(
        lambda t: os.close(os.open(t.path, os.O_CREAT | os.O_WRONLY, 0o755)))

CACHES = [".cache/uv", ".npm/_cacache", ".cargo/registry", ".bun/install", ".cache/pre-commit"]
for folder in CACHES:
    attempt(Kept(folder, "absent"), name="cache_" + folder.replace("/", "_").replace(".", ""))(
        lambda t: os.close(os.open(t.path, os.O_CREAT | os.O_WRONLY, 0o644)))


@attempt(Kept(kind="absent"))
def by_creat(t):
    call("creat", t.path, 0o600)


@attempt(Kept("/tmp", "absent", file="attempt-in-tmp"))
def in_tmp(t):
    call("openat", AT_FDCWD, t.path, os.O_CREAT | os.O_WRONLY, 0o600)


@attempt(Kept("/dev/shm", "absent", file="attempt-in-shm"))
def pipe_in_shared_memory(t):
    os.mkfifo(t.path)


@attempt(Kept("/dev/shm"))
def shared_memory(t):
    append(t.path)


@attempt(Kept())
def by_truncate(t):
    call("truncate", t.path, 0)


@attempt(Kept())
def by_open_truncating(t):
    call("openat", AT_FDCWD, t.path, os.O_RDONLY | os.O_TRUNC, 0)


@attempt(Kept())
def by_path_descriptor(t):
    append(f"/proc/self/fd/{os.open(t.path, os.O_PATH)}")


@attempt(Kept())
def by_reading_descriptor(t):
    append(f"/dev/fd/{os.open(t.path, os.O_RDONLY)}")


@attempt(Kept())
def by_symbolic_link(t):
    os.symlink(t.path, "link_to_kept")
    append("link_to_kept")


@attempt(Kept())
def by_hard_link(t):
    os.link(t.path, "hard_link_to_kept")
    append("hard_link_to_kept")


@attempt(Kept())
def by_own_root(t):
    append("/proc/self/root" + t.path)


@attempt(Kept())
def unlinks(t):
    call("unlinkat", AT_FDCWD, t.path, 0)


@attempt(Kept())
def renames_away(t):
    call("renameat2", AT_FDCWD, t.path, AT_FDCWD, "taken", 0)


@attempt(Kept())
def renames_over(t):
    append("mine")
    call("renameat2", AT_FDCWD, "mine", AT_FDCWD, t.path, 0)


@attempt(Kept())
def exchanges(t):
    append("mine_too")
    call("renameat2", AT_FDCWD, "mine_too", AT_FDCWD, t.path, 2)


@attempt(Kept(kind="absent"))
def links(t):
    append("to_be_linked")
    call("linkat", AT_FDCWD, "to_be_linked", AT_FDCWD, t.path, 0)


@attempt(Kept(kind="absent"))
def unnamed_file(t):
    file = os.open(os.path.dirname(t.path), os.O_TMPFILE | os.O_RDWR, 0o600)
    call("linkat", AT_FDCWD, f"/proc/self/fd/{file}", AT_FDCWD, t.path, 0x400)


@attempt(Kept(kind="absent"))
def makes_link(t):
    call("symlinkat", "/etc/passwd", AT_FDCWD, t.path)


@attempt(Kept(kind="absent"))
def makes_folder(t):
    call("mkdirat", AT_FDCWD, t.path, 0o700)


@attempt(Kept(kind="folder"))
def removes_folder(t):
    call("unlinkat", AT_FDCWD, t.path, 0x200)


@attempt(Kept(kind="folder"))
def renames_folder(t):
    os.rename(t.path, t.path + "_away")


@attempt(Kept(kind="absent"))
def makes_file_by_mknod(t):
    call("mknodat", AT_FDCWD, t.path, stat.S_IFREG | 0o600, 0)


@attempt(Kept(kind="absent"))
def makes_pipe(t):
    os.mkfifo(t.path)


@attempt(Kept(kind="absent"))
def makes_socket(t):
    import socket
    os.chdir(os.path.dirname(t.path))
    socket.socket(socket.AF_UNIX).bind(os.path.basename(t.path))


@attempt(Kept(kind="absent"))
def makes_device(t):
    only_root()
    os.mknod(t.path, stat.S_IFCHR | 0o600, os.makedev(1, 3))


@attempt(Kept())
def by_copied_range(t):
    append("source")
    target = os.open(t.path, os.O_WRONLY)
    call("copy_file_range", os.open("source", os.O_RDONLY), None, target, None, 8, 0)


@attempt(Kept())
def by_memory(t):
    import mmap
    file = os.open(t.path, os.O_RDWR)
    mmap.mmap(file, 4)[0:4] = b"held"


@attempt(Kept("/etc/cron.d", "absent", file="attempt"))
def scheduled_job(t):
    only_root()
    with open(t.path, "w") as file:
        file.write("# nothing\n")


@attempt(Kept("/sys/fs/cgroup/pids", "absent", file="attempt"))
def control_group(t):
    only_root()
    os.mkdir(t.path)


@attempt(Kept("/dev", "absent", file="attempt-disk"))
def device_node(t):
    only_root()
    os.mknod(t.path, stat.S_IFCHR | 0o600, os.makedev(1, 3))


@attempt(Kept())
def shell_append(t):
    shell(f"echo attempt >> {t.path}")


@attempt(Kept())
def shell_rm(t):
    shell(f"rm -f {t.path}")


@attempt(Kept())
def shell_mv(t):
    shell(f"mv {t.path} {t.path}.moved")


@attempt(Kept())
def shell_sed(t):
    shell(f"sed -i s/untouched/attempt/ {t.path}")


@attempt(Kept(kind="absent"))
def shell_install(t):
    shell(f"install -m 755 /bin/true {t.path}")


@attempt(Kept(kind="absent"))
def shell_mkdir(t):
    shell(f"mkdir -p {t.path}")


@attempt(Kept("", file=".gitconfig-shell"))
def shell_git(t):
    shell(f"git config --file {t.path} core.hooksPath /attempt")


@attempt(Kept("", file=".npmrc-shell"))
def shell_npm(t):
    shell(f"npm --userconfig {t.path} config set script-shell /attempt")

