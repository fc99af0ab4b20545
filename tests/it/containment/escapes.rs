//! Every attempt to get out of a run: each works without containment, and none inside.

use super::scene::{Scene, User, Verdict};
use crate::support::tools;

/// The ways out where the system gives a run no mounts of its own: memory that programs share by names lies in one folder, which tools
/// need, and Landlock opens all of it or nothing.
const OF_SHARED_MEMORY: [&str; 4] = [
    "metadata.shared_memory_by_link",
    "reading.shared_memory",
    "writing.pipe_in_shared_memory",
    "writing.shared_memory",
];
/// At least so many attempts can be made.
const FEWEST: usize = 300;

fn nothing_works(user: User, tool: &str) {
    if !user.is_here() {
        return tools::impossible("only root can show what root may do");
    }
    let scene = Scene::of(user, &[]);
    let plain = scene.plainly();
    // An attempt that nothing stops shows that it works: the others would prove nothing.
    assert_eq!(plain.reasons(Verdict::Held), "", "{plain}");
    assert_eq!(plain.reasons(Verdict::Untried), "", "{plain}");
    assert!(plain.with(Verdict::Escaped).len() >= FEWEST, "{plain}");
    let inside = Scene::of(user, &[]).contained(tool);
    assert_eq!(inside.reasons(Verdict::Untried), "", "{inside}");
    assert!(inside.with(Verdict::Held).len() >= FEWEST, "{inside}");
    let known: &[&str] = if user.has_namespaces() { &[] } else { &OF_SHARED_MEMORY };
    assert_eq!(inside.with(Verdict::Escaped), known, "{inside}\n{}", inside.reasons(Verdict::Escaped));
}

#[test]
fn an_ordinary_users_test_reaches_nothing_outside() {
    nothing_works(User::Ordinary, "packagejson.npm_test");
}

#[test]
fn roots_script_reaches_nothing_outside() {
    nothing_works(User::Root, "scripts.script_attack");
}

/// What lies in a home folder is kept from a run that writes the folder.
#[test]
fn in_a_project_that_is_the_home_folder_secrets_and_programs_are_kept() {
    let attempts = [
        "reading.path_ssh_id_attempt",
        "reading.path_config_gh_hostsyml",
        "reading.path_bash_history",
        "reading.path_state_cuff_token",
        "writing.append_bashrc",
        "writing.append_profile",
        "writing.append_npmrc",
        "writing.append_gitconfig",
        "writing.append_config_git_hooks",
        "writing.append_cargo_configtoml",
        "writing.append_config_systemd_user_evilservice",
        "writing.append_claude_settingsjson",
        "writing.append_ssh_authorized_keys",
        "writing.append_state_cuff_approvals_forgedjson",
        "writing.program_cargo_bin",
        "writing.program_local_bin",
        "writing.program_bun_bin",
        "writing.program_local_share_pnpm",
        "writing.program_go_bin",
    ];
    let plain = Scene::of(User::Ordinary, &attempts).at_home().plainly();
    assert_eq!(plain.with(Verdict::Escaped).len(), attempts.len(), "{}", plain.reasons(Verdict::Held));
    let inside = Scene::of(User::Ordinary, &attempts).at_home().contained("scripts.script_attack");
    assert_eq!(inside.with(Verdict::Held).len(), attempts.len(), "{}", inside.reasons(Verdict::Escaped));
}

/// All of these attempts work for an ordinary user without this layer: no other one holds them.
#[track_caller]
fn all_work_without(layer: &str, attempts: &[&'static str]) {
    let scene = Scene::of(User::Ordinary, attempts).variable("CUFF_TEST_LAYERS_OFF", layer);
    let outcome = scene.contained("scripts.script_attack");
    let mut attempts = attempts.to_vec();
    attempts.sort_unstable();
    assert_eq!(outcome.with(Verdict::Escaped), attempts, "{}", outcome.reasons(Verdict::Held));
}

/// Landlock holds files, processes and abstract sockets, and the namespace processes once more: without both all of these are open.
#[test]
fn without_landlock_files_and_processes_are_open() {
    all_work_without(
        "landlock namespace",
        &[
            "reading.path_ssh_id_attempt",
            "reading.by_symbolic_link",
            "reading.by_root_of_process",
            "reading.shell_cat",
            "writing.append_bashrc",
            "writing.program_local_bin",
            "writing.unlinks",
            "writing.shell_rm",
            "processes.kill",
            "processes.trace_by_seize",
            "processes.process_vm_readv",
            "processes.environment",
            "processes.pidfd_getfd",
            "processes.answers_for_the_person",
            "surface.terminal_read",
        ],
    );
}

/// The mounts of its own hold memory that programs share.
#[test]
fn without_the_namespace_shared_memory_is_open() {
    all_work_without("namespace", &OF_SHARED_MEMORY);
}

/// The filter and its judge hold calls: without them all of these are open.
#[test]
fn without_the_filter_sockets_metadata_and_limits_are_open() {
    all_work_without(
        "seccomp",
        &[
            "metadata.chmod",
            "metadata.fchmod",
            "metadata.utimensat",
            "metadata.setxattr",
            "metadata.file_setattr",
            "metadata.flags",
            "processes.prlimit_processor",
            "processes.setpriority",
            "processes.sched_setaffinity",
            "sockets.unix_docker",
            "sockets.unix_sendto",
            "sockets.udp_sendto",
            "sockets.mptcp",
            "sockets.fast_open_sendto",
            "sockets.ring_connect_unix",
            "sockets.shell_tmux",
            "surface.unshare_user",
            "surface.keyctl_session",
            "surface.shared_memory",
            "surface.userfaultfd",
        ],
    );
}
