"""Outlives the run."""
import os
import signal

from calls import call, shell
from registry import attempt
from targets import Leftover

PATIENT = "trap '' TERM HUP INT; sleep 60; :"


def stay(t, script="sleep 60; :", environment=None):
    """Becomes a program that bears the mark and sleeps."""
    for one in range(3, 64):
        try:
            os.close(one)
        except OSError:
            pass
    os.execve("/bin/sh", ["sh", "-c", script, t.mark], os.environ if environment is None else environment)


@attempt(Leftover())
def child(t):
    if os.fork() == 0:
        stay(t)


@attempt(Leftover())
def daemon(t):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            stay(t)
        os._exit(0)


@attempt(Leftover())
def daemon_without_variables(t):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for one in range(3):
                os.dup2(null, one)
            stay(t, PATIENT, {"PATH": "/usr/bin:/bin"})
        os._exit(0)


@attempt(Leftover())
def daemon_that_hides_its_name(t):
    if os.fork() == 0:
        os.setsid()
        call("prctl", 15, b"kworker/0:1", 0, 0, 0)
        if os.fork() == 0:
            os.chdir("/")
            stay(t, PATIENT, {"PATH": "/usr/bin:/bin"})
        os._exit(0)


@attempt(Leftover())
def child_of_nobody(t):
    """A child of its parent's parent."""
    if call("clone", 0x8000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os.setsid()
        stay(t)


@attempt(Leftover())
def own_reaper(t):
    """Gathers its orphans itself, below a session of its own."""
    if os.fork() == 0:
        os.setsid()
        call("prctl", 36, 1, 0, 0, 0)
        if os.fork() == 0:
            if os.fork() == 0:
                stay(t, PATIENT)
            os._exit(0)
        stay(t, PATIENT)


@attempt(Leftover())
def always_another(t):
    """Lives in one process after the other, each for some milliseconds, while its folder is there."""
    script = 'n=$1; [ -e attempts ] || exit; sleep 0.03; setsid sh -c "$2" "$0" $((n+1)) "$2" &'
    if os.fork() == 0:
        os.setsid()
        for one in range(3, 64):
            try:
                os.close(one)
            except OSError:
                pass
        os.execv("/bin/sh", ["sh", "-c", script, t.mark, "0", script])


@attempt(Leftover())
def stopped(t):
    if os.fork() == 0:
        os.setsid()
        stay(t, "kill -STOP $$; sleep 60; :")


@attempt(Leftover())
def crowd(t):
    for _ in range(20):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                stay(t, PATIENT)
            os._exit(0)


@attempt(Leftover())
def shell_setsid(t):
    shell(f"setsid nohup sh -c 'sleep 60; :' {t.mark} >/dev/null 2>&1 </dev/null & disown")


@attempt(Leftover())
def shell_background(t):
    shell(f"(sh -c 'sleep 60; :' {t.mark} >/dev/null 2>&1 </dev/null &) &")


@attempt(Leftover())
def shell_node(t):
    shell(f"node -e 'require(\"child_process\").spawn(\"sh\", [\"-c\", \"sleep 60; :\", \"{t.mark}\"], "
          "{detached: true, stdio: \"ignore\"}).unref()'")


@attempt(Leftover())
def shell_tmux(t):
    """A server of tmux of the run's own."""
    shell(f"tmux -S own-tmux new-session -d \"sh -c 'sleep 60; :' {t.mark}\"")
