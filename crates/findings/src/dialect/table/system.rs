//! Tools that every system has, and languages of hardware.

use super::{LINE, Order, Row, formats};

formats! { SYSTEM:
    // A tool of the system, in words that no ordinary output begins with.
    Row {
        id: "unix",
        programs: &["cp", "mv", "rm", "curl", "wget", "tar", "rsync", "find", "grep"],
        triggers: &[
            ": No such ",
            ": Permission denied",
            "s a directory",
            "Not a directory",
            ": File exists",
            ": Directory not empty",
            ": Operation not permitted",
            ": No space left on device",
            ": Read-only file system",
            "onnection refused",
            ": cannot ",
            ": Cannot ",
            ": can't ",
            ": invalid ",
            ": missing ",
            ": extra operand ",
            ": unrecognized ",
            ": unknown ",
            ": is unknown",
            ": failed to ",
            ": unable to ",
            "curl: (",
            ": Could not resolve hostname ",
            ": not in gzip format",
            ": Unmatched ",
            ": Invalid ",
            ": no such ",
            ": This does not look like ",
            "link_stat \"",
            "change_dir \"",
        ],
        lines: &[concat!(
            r"^(?:/\S*/)?(?:cp|mv|rm|ls|cat|tac|mkdir|rmdir|chmod|chown|chgrp|ln|touch|head|tail|sort|uniq|wc|cut|tr|tee|dd|df|du|stat|readlink|realpath",
            r"|install|mktemp|date|sleep|kill|env|timeout|nice|nohup|id|su|expr|seq|split|join|paste|comm|base64|od|xxd|cmp|diff|patch|tar|gzip|gunzip",
            r"|zip|unzip|xz|bzip2|zstd|curl|wget|rsync|ssh|scp|sftp|find|xargs|e?grep|fgrep|bc|m4|ar|nm|strip|objcopy|objdump|ranlib|strings|ldd|dpkg|apt-get|pkg-config",
            r"|md5sum|sha\d+sum|mount|umount|ping|dig|host|nc|telnet|ftp|cpio|which|pgrep|pkill|getent|chroot|sysctl|systemctl|journalctl|tclsh)(?: \(child\)|:\w+:\d+)?: +(?:\[\w+\] )?",
            r"(?<message>(?:error: |fatal: )?(?:\(\d+\) .+|[Cc]annot .+|This does not look like .+|invalid .+|missing .+|extra operand .+|unrecognized .+|unknown .+|failed to .+|unable to .+|Could not resolve .+",
            r"|(?:\S.*: )?(?:[Nn]o such \w+.*|Permission denied|(?:(?:Is|is|Not) a directory)|File exists|Directory not empty|Operation not permitted|No space left on device",
            r"|Read-only file system|Connection refused|Connection timed out|Invalid \w.*|not in gzip format|(?:is )?unknown.*|Unmatched .+|Is a directory.*)",
            r"|(?:link_stat|change_dir) .+ failed: .+|can't .+))$",
        )],
        ..LINE
    },
    // A file that is not there, without the name of the program.
    Row {
        id: "unix",
        triggers: &["o such file or directory"],
        lines: &[r#"^(?:couldn't read file )?(?<message>"?(?<file>[\w./+-]+\.\w+)"?: [Nn]o such file or directory)$"#],
        is_consequence: true,
        ..LINE
    },
    // What GNU tools say before they point at their help.
    Row {
        id: "unix",
        triggers: &["Try '", "Try `"],
        lines: &[r"^[\w.+-]+: (?<message>[^:]*\S.*)$", r"^Try ['`].+ --?help' for more .*$"],
        order: Order::Headed,
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "git",
        programs: &["git"],
        triggers: &["CONFLICT ("],
        lines: &[r"^CONFLICT \((?<code>[\w/ ]+)\): (?:Merge conflict in (?<file>\S.*)|.+)$"],
        defaults: ("", "Merge conflict"),
        ..LINE
    },
    Row {
        id: "git",
        triggers: &[
            "error: pathspec '",
            "error: failed to push ",
            "error: patch failed: ",
            "error: Your local changes ",
            "error: could not apply ",
            "error: No valid patches in input",
            "error: unknown switch `",
            "error: unknown option `",
            "error: cannot lock ref ",
            "error: src refspec ",
            "is not a git command",
        ],
        lines: &[concat!(
            r"^(?:error|git): (?<message>(?:pathspec '|failed to push |patch failed: |Your local changes |could not apply |No valid patches |unknown (?:switch|option) `",
            r"|cannot lock ref |src refspec |'.+' is not a git command).*?)(?:\. See 'git --help'\.)?$",
        )],
        ..LINE
    },
    Row {
        id: "git",
        triggers: &["fatal: "],
        lines: &[r"^(?:remote: )?fatal: (?<message>\S.*)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "unix",
        triggers: &["was not found in the pkg-config search path", "The connection to the server ", "(standard_in) ", "... failed: Connection ", "gnatmake: \""],
        lines: &[r#"^(?:Connecting to |\(standard_in\) \d+: |gnatmake: )?(?<message>Package \S+ was not found in the pkg-config search path|The connection to the server .+ was refused|syntax error|\S+\.\.\. failed: .+|"\S+" not found)(?:\.| - .*)?$"#],
        ..LINE
    },
    Row {
        id: "unix",
        triggers: &["Hunk #"],
        lines: &[r"^Hunk #\d+ (?<message>FAILED) at (?<line>\d+)\.?.*$"],
        ..LINE
    },
    // The last words of a program of C++.
    Row {
        id: "assertion",
        triggers: &["terminate called "],
        lines: &[r"^(?<message>terminate called .+)$"],
        more: &[r"^  what\(\):  (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "verilator",
        programs: &["verilator"],
        triggers: &["%Error: ", "%Error-", "%Warning-"],
        lines: &[r"^%(?<severity>Error|Warning)(?:-(?<code>[A-Z]\w+))?: (?:(?<file>{name}):(?<line>\d+):(?<column>\d+): )?(?<message>(?:[^\sE]|E[^x]).*)$"],
        ..LINE
    },
    Row {
        id: "nasm",
        programs: &["nasm"],
        triggers: &["nasm: "],
        lines: &[r"^nasm: (?:fatal|error): (?<message>.+)$"],
        ..LINE
    },
}
