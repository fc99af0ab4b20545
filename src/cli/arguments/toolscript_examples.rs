//! The examples of `cuff toolscript`, by the words that stand for each command.

/// The examples of a command: its words, and each line with its purpose.
pub(super) type Examples = (&'static str, &'static [(&'static str, &'static str)]);

pub(super) const OF_TOOLSCRIPT: &[Examples] = &[
    (
        "toolscript",
        &[
            ("cuff toolscript exec 'return 1 + 1'", "run a program"),
            ("cuff toolscript list-tools", "show the functions that programs can call"),
        ],
    ),
    (
        "toolscript exec",
        &[
            (
                "cuff toolscript exec 'return (await tools.npm.npmTest()).success'",
                "run a program, and print its result",
            ),
            ("cuff toolscript exec -f report.ts --read-only", "allow only tools that change nothing"),
            ("cuff toolscript exec --check report.ts", "check a program, and run nothing"),
            (
                "cuff toolscript exec --json --timeout 60 -",
                "run a program from standard input, and print JSON",
            ),
        ],
    ),
    ("toolscript list-servers", &[("cuff toolscript list-servers", "show the MCP servers and their state")]),
    (
        "toolscript list-tools",
        &[
            ("cuff toolscript list-tools", "show all functions"),
            ("cuff toolscript list-tools github --json", "show those of one server, for a program"),
        ],
    ),
    (
        "toolscript get-types",
        &[(
            "cuff toolscript get-types --filter github,fs__read_file",
            "print the types of a server and of a tool",
        )],
    ),
    (
        "toolscript search",
        &[
            ("cuff toolscript search create issue", "find tools by words"),
            (
                "cuff toolscript search --output types --limit 3 read file",
                "print the types of the best three",
            ),
        ],
    ),
    (
        "toolscript gateway",
        &[
            ("cuff toolscript gateway list", "list the gateways of your sessions"),
            ("cuff toolscript gateway start --detach", "start one, and print its address"),
        ],
    ),
    (
        "toolscript gateway start",
        &[
            ("cuff toolscript gateway start", "serve until Ctrl-C"),
            (
                "cuff toolscript gateway start --detach --session mine",
                "start in the background, for a session of this name",
            ),
            ("cuff toolscript gateway start --detach --watch-pid 4711", "stop when this process ends"),
        ],
    ),
    (
        "toolscript gateway status",
        &[
            ("cuff toolscript gateway status", "show the state of a gateway and its servers"),
            ("cuff toolscript gateway status --test --json", "connect to each server, for a program"),
        ],
    ),
    (
        "toolscript gateway stop",
        &[
            ("cuff toolscript gateway stop", "stop the gateway of this session"),
            ("cuff toolscript gateway stop --all", "stop all of yours"),
        ],
    ),
    ("toolscript gateway list", &[("cuff toolscript gateway list --json", "list them, for a program")]),
    (
        "toolscript hook",
        &[("cuff toolscript hook session-start", "run by the plugin, with JSON on standard input")],
    ),
    (
        "toolscript hook session-start",
        &[(
            "cuff toolscript hook session-start",
            "start the gateway of a session, with JSON on standard input",
        )],
    ),
    (
        "toolscript hook session-end",
        &[("cuff toolscript hook session-end", "stop the gateway of a session, with JSON on standard input")],
    ),
    (
        "toolscript doctor",
        &[("cuff toolscript doctor", "show problems of programs, and what to do about each")],
    ),
    (
        "toolscript completions",
        &[("cuff toolscript completions zsh", "print the script; its first lines say where it goes")],
    ),
    ("toolscript status", &[("cuff toolscript status", "connect to each MCP server")]),
];
