//! Version control, files, the network, containers and builders.

use super::super::options::Style::{Exact, Gnu, Single};
use super::super::options::{LOADS, Others, Rule, only, rule};

const STARTS: &str = "starts another program, or reads or writes elsewhere";

pub(super) const RULES: &[Rule] = &[
    // Version control.
    rule(
        &["git"],
        Gnu,
        "output output-directory exec exec-path upload-pack receive-pack ext-diff textconv open-files-in-pager extcmd tool \
         template config config-env git-dir work-tree separate-git-dir directory unsafe-paths smtp-server sendmail-cmd to-cmd \
         cc-cmd export-marks run pathspec-from-file",
        ("", ""),
        STARTS,
    ),
    rule(&["git grep"], Gnu, "", ("O", "efmABC"), STARTS),
    rule(&["git clone"], Gnu, "", ("cu", "bjo"), STARTS),
    rule(&["git ls-remote"], Gnu, "", ("u", ""), STARTS),
    rule(&["git rebase"], Gnu, "", ("x", "sX"), STARTS),
    rule(&["git archive", "git format-patch"], Gnu, "", ("o", ""), STARTS),
    // Files.
    rule(
        &["tar", "gtar", "bsdtar"],
        Gnu,
        "checkpoint-action to-command use-compress-program rsh-command rmt-command info-script new-volume-script file \
         absolute-names directory one-top-level files-from listed-incremental index-file volno-file remove-files \
         recursive-unlink transform xform",
        ("IFPCTgf", "bHKLNVX"),
        STARTS,
    ),
    rule(
        &["find", "gfind"],
        Single,
        "exec execdir ok okdir delete fprint fprint0 fprintf fls files0-from",
        ("", ""),
        STARTS,
    ),
    rule(&["fd", "fdfind"], Exact, "exec exec-batch search-path base-directory", ("xX", "dteEcjS"), STARTS),
    rule(&["rg"], Exact, "pre pre-glob hostname-bin search-zip file", ("fz", "egtTABCjmMr"), STARTS),
    rule(&["sed", "gsed"], Gnu, "expression file in-place", ("efi", "l"), STARTS),
    rule(
        &["awk", "gawk", "mawk", "nawk"],
        Gnu,
        "file source include load exec profile pretty-print dump-variables debug",
        ("feilEopdD", "Fv"),
        STARTS,
    ),
    rule(
        &["sort", "gsort"],
        Gnu,
        "compress-program output temporary-directory files0-from",
        ("oT", "ktS"),
        STARTS,
    ),
    rule(
        &["rsync"],
        Exact,
        "rsh rsync-path daemon config files-from log-file temp-dir partial-dir backup-dir write-batch read-batch \
         only-write-batch delete delete-before delete-during delete-after delete-excluded remove-source-files",
        ("eMT", "fB"),
        STARTS,
    ),
    only(&["scp", "sftp"], "-p -q -r -v -C", Others::Any),
    rule(&["zip"], Gnu, "unzip-command test temp-path output-file move", ("TbOm", "xi"), STARTS),
    rule(&["unzip"], Gnu, "", ("d", "xP"), STARTS),
    rule(&["jq"], Exact, "from-file library-path rawfile slurpfile", ("fL", ""), STARTS),
    rule(&["split", "gsplit"], Gnu, "filter", ("", ""), STARTS),
    rule(&["man", "less", "more"], Gnu, "pager", ("PokK", ""), STARTS),
    // The network.
    rule(
        &["curl"],
        Gnu,
        "config output remote-name remote-name-all output-dir upload-file dump-header cookie-jar trace trace-ascii stderr \
         unix-socket abstract-unix-socket proxy preproxy netrc-file engine libcurl etag-save hsts alt-svc create-dirs",
        ("KoOTDcxJ", "HdXAbuemFQErtwzYyC"),
        STARTS,
    ),
    rule(
        &["wget"],
        Gnu,
        "output-document output-file append-output config execute directory-prefix input-file use-askpass post-file body-file \
         rejected-log warc-file save-cookies hsts-file",
        ("oOaePi", "tTwQURADlIXB"),
        STARTS,
    ),
    // Databases.
    rule(&["psql"], Gnu, "command file output log-file set variable", ("cfoLv", "dhpUFRTP"), STARTS),
    rule(
        &["mysql", "mariadb"],
        Gnu,
        "execute pager tee init-command defaults-file defaults-extra-file plugin-dir default-auth",
        ("e", "DhPpSu"),
        STARTS,
    ),
    // Containers and clouds.
    rule(
        &["docker", "podman", "nerdctl", "docker-compose"],
        Exact,
        "volume mount privileged entrypoint device cap-add security-opt pid ipc network net userns uts volumes-from env-file \
         build-context file output iidfile metadata-file cidfile runtime init-path host config context cgroupns cgroup-parent \
         ssh secret allow project-directory group-add",
        ("vfHoc", "epnluwmah"),
        STARTS,
    ),
    rule(
        &["kubectl", "oc"],
        Exact,
        "kubeconfig server cluster user context client-key client-certificate certificate-authority filename kustomize template \
         cache-dir profile-output as editor",
        ("fks", "nlcLpo"),
        STARTS,
    ),
    rule(
        &["helm"],
        Exact,
        "post-renderer post-renderer-args values set-file kubeconfig registry-config repository-config plugin kube-context output-dir",
        ("f", "n"),
        STARTS,
    ),
    rule(
        &["terraform", "tofu", "terragrunt"],
        Single,
        "chdir var-file backend-config plugin-dir from-module state state-out out backup generate-config-out",
        ("", ""),
        STARTS,
    ),
    // Builders whose words are tasks.
    only(
        &["gradle", "gradlew", "mvn", "mvnw", "ant", "sbt"],
        "--info --stacktrace --quiet -q --offline --continue --rerun-tasks --tests",
        Others::None,
    ),
    only(
        &["just", "task", "rake", "mage", "invoke", "turbo", "nx", "lerna", "rush", "moon", "ninja", "bmake"],
        "--verbose -v --dry-run",
        Others::None,
    ),
    only(&["cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "rustc", "javac", "tcc"], "", Others::Inside),
    rule(
        &["cargo"],
        Exact,
        "config manifest-path target-dir out-dir artifact-dir lockfile-path",
        ("ZC", "pjF"),
        LOADS,
    ),
    rule(
        &["go"],
        Single,
        "exec toolexec vettool o overlay modfile C pkgdir ldflags gcflags asmflags gccgoflags compiler outputdir coverprofile \
         cpuprofile memprofile blockprofile mutexprofile trace",
        ("", ""),
        LOADS,
    ),
    rule(
        &["golangci-lint"],
        Exact,
        "config path-prefix cpu-profile-path mem-profile-path fix new-from-patch",
        ("c", "DEpj"),
        LOADS,
    ),
    rule(&["cmake"], Exact, "toolchain preset script graphviz", ("PCDGTABSE", ""), LOADS),
];
