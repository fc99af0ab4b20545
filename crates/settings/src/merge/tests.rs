use serde_json::json;

use super::*;
use crate::model::{Default, Field, ValueKind};

static FIELDS: [Field; 2] = [
    Field { name: "patterns", kind: ValueKind::TextList, default: Default::Absent, about: "Which. All." },
    Field {
        name: "cache_ttl",
        kind: ValueKind::Integer(0, 9999),
        default: Default::Absent,
        about: "Seconds.",
    },
];

const MAKE: PluginInfo =
    PluginInfo { summary: "Targets", noun: "target", config: &FIELDS, ..PluginInfo::new("make", "MAKE") };

const ABOUTS: [PluginInfo; 2] = [MAKE, PluginInfo { id: "scripts", summary: "Scripts", ..MAKE }];

fn entries() -> Vec<NewInstance> {
    let config = vec![(&FIELDS[0], json!(["a/*.sh", "*"])), (&FIELDS[1], json!(300))];
    let package = NewInstance {
        name: "ui".into(),
        about: ABOUTS[0],
        config: vec![],
        comment: "In ui".into(),
        stands: false,
    };
    vec![
        NewInstance {
            name: "scripts".into(),
            about: ABOUTS[1],
            config,
            comment: "Scripts".into(),
            stands: false,
        },
        package,
    ]
}

fn merged(old: &str) -> Result<String, String> {
    merge(old.as_bytes(), &entries(), &ABOUTS).map_err(|error| error.to_string())
}

/// The text of a merge, or the reason why there is none, line ends shown.
fn shown(old: &str) -> String {
    merged(old).unwrap_or_else(|why| format!("REFUSED: {why}")).replace('\r', "␍")
}

#[test]
fn new_entries_follow_the_style_of_the_file() {
    insta::assert_snapshot!(shown(
        "# Ours\nversion: '1'\nplugins:\n    make: # mine\n        enabled: false\t# off\n        # cache_ttl: 5\n\n# Below\nplugin_settings: {a: 1}\n"
    ), @r"
    # Ours
    version: '1'
    plugins:
        make: # mine
            enabled: false	# off
            # cache_ttl: 5

        # Scripts
        scripts:
            type: in_source
            module: opencuff.plugins.builtin.scripts
            config:
                # Which
                patterns:
                - a/*.sh
                - '*'
                # Seconds
                cache_ttl: 300

        # In ui
        ui:
            type: in_source
            module: opencuff.plugins.builtin.make

    # Below
    plugin_settings: {a: 1}
    ");
    insta::assert_snapshot!(shown("version: '1'\nplugins: {} # none\n"), @r"
    version: '1'
    plugins:  # none
      # Scripts
      scripts:
        type: in_source
        module: opencuff.plugins.builtin.scripts
        config:
          # Which
          patterns:
          - a/*.sh
          - '*'
          # Seconds
          cache_ttl: 300

      # In ui
      ui:
        type: in_source
        module: opencuff.plugins.builtin.make
    ");
    insta::assert_snapshot!(shown("version: '1'\nplugins: {make: {enabled: true}} # all\n"), @r#"
    version: '1'
    plugins: {make: {enabled: true}, scripts: {type: "in_source", module: "opencuff.plugins.builtin.scripts", config: {patterns: ["a/*.sh", "*"], cache_ttl: 300}}, ui: {type: "in_source", module: "opencuff.plugins.builtin.make"}} # all
    "#);
    insta::assert_snapshot!(shown("{version: '1', plugins: {}}"), @r#"{version: '1', plugins: {scripts: {type: "in_source", module: "opencuff.plugins.builtin.scripts", config: {patterns: ["a/*.sh", "*"], cache_ttl: 300}}, ui: {type: "in_source", module: "opencuff.plugins.builtin.make"}}}"#);
    insta::assert_snapshot!(shown("version: '1'\nplugins: {\n  make: {}, # 'mine\n  # } no\n}\n"), @r#"
    version: '1'
    plugins: {
      make: {}, # 'mine
      # } no
      scripts: {type: "in_source", module: "opencuff.plugins.builtin.scripts", config: {patterns: ["a/*.sh", "*"], cache_ttl: 300}},
      ui: {type: "in_source", module: "opencuff.plugins.builtin.make"}
    }
    "#);
}

/// Files as people write them.
#[rustfmt::skip]
const EDITED: &[&str] = &[
        "version: '1'",
        "version: '1'\n",
        "version: '1'\nplugins:",
        "version: '1'\nplugins:\n",
        "version: '1'\nplugins:   # later\n  # make:\n  #   enabled: true\nplugin_settings: {}\n",
        "plugins:\n  make:\nversion: '1'\n",
        "plugins:\n  make: {}\n  # the end",
        "plugins:\n make:\n  config:\n   patterns:\n   - a\n   - b\nversion: 1\n",
        "\u{feff}version: '1'\nplugins:\n  make: {}\n",
        "version: '1'\r\nplugins:\r\n  make:\r\n    enabled: true\r\n",
        "version: '1'\r\nplugins:",
        "---\nversion: '1'\nplugins:\n  make: {}\n...\n",
        "---\nversion: '1'\n...\n",
        "version: '1'\n\"plugins\" :\n  make: {}\n",
        "'plugins': \n  make: {}\n",
        "plugins:\n  make: &m\n    config: &c {cache_ttl: 5}\n  other: {module: x.make, config: *c}\n",
        "plugins: &all\n  make: {}\n",
        "plugin_settings:\n  base: &b {enabled: true}\nplugins:\n  make:\n    <<: *b\n    enabled: false\n",
        "plugins:\n  make:\n    config:\n      patterns: [a,\n        b]\n",
        "plugins:\n  make:\n    config:\n      patterns:\n      - |\n        # no comment\n\n        text\n\n\n# end\n",
        "plugins:\n  make: {} # a\ttab\n\n#\tafter\n\n\n",
        "plugins: {make: {}, }\n",
        "plugins: { make: {config: {patterns: ['it''s', \"a\\\"}\", don't, x#y]}} }\nversion: 1\n",
        "plugins:\n  {make: {}}\n",
        "plugins: {\n  make: {},\n  other: {module: x.make} # last\n}\n",
        "plugins: {\n}\n",
        "version: '1'\nplugins: {make: {}\n  }\n",
        "{version: '1'}",
        "{version: '1', plugins: {make: {}}} # all\n",
        "# only\n{\n  version: '1',\n}\n",
        "plugins:\n  make: {config: {cache_ttl: wrong}}\n",
];

/// All of an old file stays, and the new entries are there, in every kind of file.
#[test]
fn nothing_of_the_old_file_is_lost() {
    for old in EDITED {
        let new = merged(old).unwrap_or_else(|why| panic!("{old:?}: {why}"));
        let mut rest = new.chars();
        assert!(old.chars().all(|c| rest.any(|other| other == c)), "{old:?}\n{new}");
        let old_lines: Vec<&str> = old.lines().filter(|line| line.trim_start().starts_with('#')).collect();
        let new_lines: Vec<&str> = new.lines().collect();
        assert!(old_lines.iter().all(|line| new_lines.contains(line)), "comments: {old:?}\n{new}");
        assert_eq!(
            new.matches('\r').count(),
            if old.contains('\r') { new.matches('\n').count() } else { 0 },
            "{new:?}"
        );
        let standing = existing_entries(new.as_bytes(), &ABOUTS).unwrap();
        let names: Vec<&str> = standing.iter().map(|standing| standing.name.as_str()).collect();
        assert!(names.ends_with(&["scripts", "ui"]), "{old:?}: {names:?}");
        assert!(merged(&new).unwrap_err().contains("would change"), "a key is never there twice");
    }
    for (old, gone) in [
        ("plugins: {} # none\n", "{}"),
        ("plugins: null\nversion: 1", "null"),
        ("plugins: ~\r\n", "~"),
        ("plugins: { }\n", "{ }"),
    ] {
        let new = merged(old).unwrap_or_else(|why| panic!("{old:?}: {why}"));
        assert!(
            new.starts_with(&old.replacen(gone, "", 1).lines().next().unwrap().to_owned()),
            "{old:?}\n{new}"
        );
    }
}

#[test]
fn files_that_a_person_must_edit_are_refused_with_the_reason() {
    let table = [
        "",
        " # nothing\n",
        "version: '1'\nplugins: {}\n---\nversion: '1'\n",
        "plugins: [make]\n",
        "plugins: text\n",
        "plugins: {make: {}\n",
        "plugins:\n\tmake: {}\n",
        "plugin_settings: &p\n  make: {}\nplugins: *p\n",
        "plugins: &p\n  make: {}\nplugin_settings: *p\n",
        "plugins:\n  make: {}\nplugins:\n  other: {}\n",
        "? plugins\n: make: {}\n",
        "version: '2'\nplugins: {}\n",
        "plugins:\n  scripts: {}\n",
        "plugins: !!map {make: {}}\n",
        "- a\n",
    ];
    let said: Vec<String> = table.iter().map(|old| format!("{old:?}\n  {}", shown(old))).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    ""
      REFUSED: line 1, column 1: the settings are empty
    " # nothing\n"
      REFUSED: line 2, column 1: the settings are empty
    "version: '1'\nplugins: {}\n---\nversion: '1'\n"
      REFUSED: the settings are not valid YAML: there is more than one document
    "plugins: [make]\n"
      REFUSED: line 1, column 1: `plugins` must be a mapping, not a list
    "plugins: text\n"
      REFUSED: line 1, column 1: `plugins` must be a mapping, not a string
    "plugins: {make: {}\n"
      REFUSED: line 2, column 1: the settings are not valid YAML: did not find expected ',' or '}'
    "plugins:\n\tmake: {}\n"
      REFUSED: line 2, column 1: the settings are not valid YAML: found character that cannot start any token
    "plugin_settings: &p\n  make: {}\nplugins: *p\n"
      REFUSED: `plugins` is an alias of what stands elsewhere
    "plugins: &p\n  make: {}\nplugin_settings: *p\n"
      REFUSED: put into this file as text, they would change what it says
    "plugins:\n  make: {}\nplugins:\n  other: {}\n"
      REFUSED: line 3, column 1: `plugins` is there twice
    "? plugins\n: make: {}\n"
      REFUSED: put into this file as text, they would change what it says
    "version: '2'\nplugins: {}\n"
      REFUSED: line 1, column 10: settings of version 2 are not understood
    "plugins:\n  scripts: {}\n"
      REFUSED: put into this file as text, they would change what it says
    "plugins: !!map {make: {}}\n"
      REFUSED: put into this file as text, they would change what it says
    "- a\n"
      REFUSED: line 1, column 1: the settings must be a mapping, not a list
    "#);
    assert!(merge(b"\xff\xfe", &entries(), &ABOUTS).unwrap_err().to_string().contains("UTF-16"));
    let full = format!("plugins: {{}}\n#{}\n", "x".repeat(256 * 1024 - 100));
    assert!(merged(&full).is_err(), "nobody could read it again");
}

/// An instance that stands gets what its config lacks.
fn grown(old: &str) -> String {
    let entry = NewInstance {
        name: "make".into(),
        about: ABOUTS[0],
        config: vec![(&FIELDS[0], json!(["ship", "a*: b"]))],
        comment: "More".into(),
        stands: true,
    };
    let new = merge(old.as_bytes(), &[entry], &ABOUTS);
    new.map_or_else(|why| format!("REFUSED: {why}"), |text| text.replace('\r', "␍"))
}

#[test]
fn an_instance_that_stands_gets_what_its_config_lacks() {
    let table = [
        "plugins:\n  make:\n",
        "plugins:\n  make: {}\n",
        "plugins:\n  make: {enabled: true} # on\n",
        "plugins: {make: {config: {cache_ttl: 5}}, other: {module: x.make}}\n",
        "plugins:\n    make:\n        enabled: true\n        # why\n\n    other: {module: x.make}\n",
        "plugins:\n  make:\n    config:\n      # no more\n      cache_ttl: 5 # s\n    enabled: true\n# end\n",
        "plugins:\n  make:\n    config:\n      patterns: # those\n      - a # first\n      # - b\n      cache_ttl: 5\n",
        "plugins:\r\n  make:\r\n    config:\r\n      patterns:\r\n        -  'a'",
        "plugins:\n  make:\n    config: {patterns: [a, 'b]', ], cache_ttl: 5}\n",
        "plugins:\n  make:\n    config:\n      patterns: [\n        a, # one\n        b # two\n      ]\n",
        "plugins:\n  make:\n    config:\n      patterns: []\n",
        "plugins:\n  make:\n    config: null\n",
        "plugins:\n  make:\n    config: &c {patterns: [a]}\n  other: {module: x.make, config: *c}\n",
        "plugins:\n  make:\n    config: {patterns: true}\n",
        "plugins:\n  make: {config: {patterns: }}\n",
        "plugins:\n  other: {module: x.make}\n",
    ];
    let said: Vec<String> = table.iter().map(|old| format!("{old:?}\n{}", grown(old))).collect();
    insta::with_settings!({snapshot_path => "../../../../snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("settings-grown.txt", said.join("\n----\n"));
    });
}
