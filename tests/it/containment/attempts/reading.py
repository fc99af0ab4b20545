"""Reads what is hidden: keys, tokens, cuff's own state."""
import glob
import os
import subprocess
import struct

from calls import AT_FDCWD, call, memory, only_root, shell
from registry import attempt
from targets import Secret, Victim


def read(path):
    with open(path, "rb") as file:
        return file.read()


def take(descriptor):
    return os.read(descriptor, 200)


HIDDEN = [
    (".ssh", "id_attempt"), (".gnupg", "private-keys"), (".aws", "credentials"), (".azure", "tokens.json"),
    (".config/gcloud", "credentials.db"), (".kube", "config"), (".docker", "config.json"),
    ("", ".git-credentials"), ("", ".netrc"), ("", ".vault-token"), (".terraform.d", "credentials.tfrc.json"),
    (".config/op", "config"), (".config/gh", "hosts.yml"), (".password-store", "bank.gpg"),
    (".local/share/keyrings", "login.keyring"), (".mozilla/firefox/p.default", "logins.json"),
    (".config/google-chrome/Default", "Cookies"), ("", ".bash_history"), ("", ".zsh_history"),
    ("{state}/cuff", "token"), ("{state}/cuff/approvals", "one.json"), ("{state}/cuff/pins", "other"),
    ("{state}/cuff/runs/other-project", "log"), ("{runtime}/cuff", "token"),
]
for folder, file in HIDDEN:
    words = (folder + "/" + file).strip("/").replace("{", "").replace("}", "")
    attempt(Secret(folder, file), name="path_" + words.replace("/", "_").replace(".", ""))(lambda t: read(t.path))


@attempt(Secret(".ssh"))
def by_open(t):
    return take(call("open", t.path, os.O_RDONLY, 0))


@attempt(Secret(".ssh"))
def by_openat2(t):
    return take(call("openat2", AT_FDCWD, t.path, memory(struct.pack("QQQ", os.O_RDONLY, 0, 0)), 24))


@attempt(Secret(".ssh"))
def by_folder_descriptor(t):
    folder = os.open(os.path.dirname(t.path), os.O_PATH)
    return take(os.open(os.path.basename(t.path), os.O_RDONLY, dir_fd=folder))


@attempt(Secret(".ssh"))
def by_relative_path(t):
    return read(os.path.relpath(t.path))


@attempt(Secret(".ssh"))
def by_changed_folder(t):
    os.chdir(os.path.dirname(t.path))
    return read(os.path.basename(t.path))


@attempt(Secret(".ssh"))
def by_listed_folder(t):
    folder = os.path.dirname(t.path)
    return b"".join(read(os.path.join(folder, one)) for one in os.listdir(folder)
                    if one == os.path.basename(t.path))


@attempt(Secret(".ssh"))
def by_own_root(t):
    return read("/proc/self/root" + t.path)


@attempt(Secret(".ssh"))
def by_thread_root(t):
    return read(f"/proc/thread-self/root{t.path}")


@attempt(Victim())
def by_root_of_process(t):
    return read(f"/proc/{t.pid}/root{t.file}")


@attempt(Victim())
def by_folder_of_process(t):
    return read(f"/proc/{t.pid}/cwd/{os.path.basename(t.file)}")


@attempt(Victim())
def by_descriptor_of_process(t):
    return read(f"/proc/{t.pid}/fd/{t.fd}")


@attempt(Victim())
def by_descriptor_of_thread(t):
    return read(f"/proc/{t.pid}/task/{t.pid}/fd/{t.fd}")


@attempt(Secret(".ssh"))
def by_path_descriptor(t):
    return read(f"/proc/self/fd/{os.open(t.path, os.O_PATH)}")


@attempt(Secret(".ssh"))
def by_symbolic_link(t):
    os.symlink(t.path, "link_to_secret")
    return read("link_to_secret")


@attempt(Secret(".ssh"))
def by_symbolic_link_to_folder(t):
    os.symlink(os.path.dirname(t.path), "link_to_folder")
    return read("link_to_folder/" + os.path.basename(t.path))


@attempt(Secret(".ssh"))
def by_hard_link(t):
    os.link(t.path, "hard_link")
    return read("hard_link")


@attempt(Secret(".ssh"))
def by_hard_link_of_descriptor(t):
    descriptor = os.open(t.path, os.O_PATH)
    call("linkat", AT_FDCWD, f"/proc/self/fd/{descriptor}", AT_FDCWD, "linked_descriptor", 0x400)
    return read("linked_descriptor")


@attempt(Secret(".ssh"))
def by_rename(t):
    os.rename(t.path, "renamed")
    return read("renamed")


@attempt(Secret(".ssh/folder"))
def by_renamed_folder(t):
    os.rename(os.path.dirname(t.path), "renamed_folder")
    return read("renamed_folder/" + os.path.basename(t.path))


@attempt(Secret(".ssh"))
def by_exchange(t):
    with open("exchanged", "w"):
        pass
    call("renameat2", AT_FDCWD, t.path, AT_FDCWD, "exchanged", 2)
    return read("exchanged")


@attempt(Secret(".ssh"))
def by_bind_mount(t):
    if os.geteuid() != 0:
        call("unshare", 0x10000000 | 0x20000)
    os.makedirs("bound", exist_ok=True)
    if os.geteuid() == 0:
        call("unshare", 0x20000)
        call("mount", "none", "/", None, 0x40000 | 0x4000, None)
    call("mount", os.path.dirname(t.path), "bound", None, 4096, None)
    return read("bound/" + os.path.basename(t.path))


@attempt(Secret(".ssh"))
def by_handle(t):
    only_root()
    handle, mount = memory(struct.pack("Ii", 128, 0) + bytes(128)), memory(bytes(4))
    call("name_to_handle_at", AT_FDCWD, t.path, handle, mount, 0)
    return take(call("open_by_handle_at", os.open("/", os.O_RDONLY), handle, os.O_RDONLY))


@attempt(Secret(".ssh"))
def by_copied_range(t):
    source, copy = os.open(t.path, os.O_RDONLY), os.open("copied", os.O_CREAT | os.O_RDWR)
    os.copy_file_range(source, copy, 100)
    return os.pread(copy, 100, 0)


@attempt(Secret(".ssh"))
def by_program_that_runs_it(t):
    said = subprocess.run(["bash", t.path], capture_output=True, check=False)
    return said.stderr


@attempt(Secret("/dev/shm"))
def shared_memory(t):
    return read(t.path)


@attempt(Secret(".ssh"))
def shell_cat(t):
    return shell(f"cat {t.path}")


@attempt(Secret(".ssh"))
def shell_cp(t):
    return shell(f"cp {t.path} copy_of_secret && cat copy_of_secret")


@attempt(Secret(".ssh"))
def shell_tar(t):
    return shell(f"tar -C {os.path.dirname(t.path)} -cf - {os.path.basename(t.path)} | tar -xOf -")


@attempt(Secret(".ssh"))
def shell_ln(t):
    return shell(f"ln {t.path} linked_by_shell && cat linked_by_shell")


@attempt(Secret(".ssh"))
def shell_find(t):
    return shell(f"find {os.path.dirname(t.path)} -name {os.path.basename(t.path)} -exec cat {{}} +")


@attempt(Secret(".ssh"))
def shell_git(t):
    return shell(f"git --no-pager diff --no-index /dev/null {t.path}; true")


@attempt(Secret(".ssh"))
def shell_dd(t):
    return shell(f"dd if={t.path} status=none")


@attempt(Victim())
def shell_proc(t):
    return shell(f"cat /proc/{t.pid}/root{t.file}")


@attempt(Victim())
def every_process(t):
    """Looks through the roots and folders of all processes, as one who knows no id would."""
    name, found = os.path.basename(t.file), b""
    for folder in glob.glob("/proc/[0-9]*/cwd/"):
        try:
            # Once each: of what is told, an end is cut off, and other tests have many processes in one folder.
            text = read(folder + name)
            found += b"" if text in found else text
        except OSError:
            pass
    if not found:
        raise PermissionError("no process led there")
    return found

