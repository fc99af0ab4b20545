//! Flags from schemas, and what words and arguments become.

use serde_json::{Map, Value, json};

use super::{Flag, arguments, flags, line, missing};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "The title\nof it"},
            "labels": {"type": "array", "items": {"type": "string"}},
            "maxResults": {"type": "integer"},
            "min_score": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "draft": {"type": "boolean"},
            "state": {"$ref": "#/$defs/state"},
            "meta": {"type": "object"},
            "any": {},
            "timeout": {"type": "integer"},
            "a_b": {"type": "string"},
            "aB": {"type": "string"},
        },
        "required": ["title", "timeout"],
        "$defs": {"state": {"type": "string", "enum": ["open", "closed"]}},
    })
}

fn read(words: &[&str]) -> Result<Value, String> {
    arguments(&flags(&schema()), "github.create_issue", words, Map::new())
        .map(Value::Object)
        .map_err(|failed| format!("{} | {}", failed.message, failed.help.unwrap_or_default()))
}

#[test]
fn each_property_is_a_flag() {
    let shown: Vec<String> =
        flags(&schema()).iter().map(|flag| format!("{}: {}", flag.usage(), flag.details())).collect();
    assert_eq!(
        shown,
        [
            "--title TEXT: The title [required]",
            "--labels TEXT …: ",
            "--max-results N: ",
            "--min-score NUMBER: ",
            "--draft: ",
            "--state TEXT: [one of open, closed]",
            "--meta JSON: ",
            "--any JSON: ",
            "--timeout N: [required; after `--`, since `cuff run` has an option of this name]",
            "--a_b TEXT: ",
            "--aB TEXT: ",
        ]
    );
    for schema in [json!(null), json!({}), json!({"properties": 5}), json!({"$ref": "#"})] {
        assert_eq!(flags(&schema), [], "{schema}");
    }
}

#[test]
fn words_become_arguments_of_the_right_type() {
    for (words, expected) in [
        (&["--title", "x"][..], json!({"title": "x"})),
        (&["--title=-x"], json!({"title": "-x"})),
        (&["--title", "-x"], json!({"title": "-x"})),
        (&["--title=a=b"], json!({"title": "a=b"})),
        (&["--labels", "a", "--labels=5"], json!({"labels": ["a", "5"]})),
        (&["--max-results", "-5", "--draft"], json!({"maxResults": -5, "draft": true})),
        (&["--max_results=5", "--draft=false"], json!({"maxResults": 5, "draft": false})),
        (&["--maxResults=5", "--draft", "false"], json!({"maxResults": 5, "draft": false})),
        (&["--min-score", "1.5"], json!({"min_score": 1.5})),
        (&["--min-score", "null"], json!({"min_score": null})),
        (&["--meta", "{\"a\": [1]}"], json!({"meta": {"a": [1]}})),
        (&["--any", "x", "--timeout", "5"], json!({"any": "x", "timeout": 5})),
        (&["--any", "5"], json!({"any": 5})),
        (&["--a_b", "x", "--aB", "y"], json!({"a_b": "x", "aB": "y"})),
    ] {
        assert_eq!(read(words), Ok(expected), "{words:?}");
    }
}

#[test]
fn a_word_that_does_not_fit_is_named() {
    for (words, expected) in [
        (&["--titel", "x"][..], "`github.create_issue` takes no --titel | did you mean `--title`?"),
        (&["--title"], "--title needs a value | type `--title TEXT`"),
        (&["--max-results", "many"], "--max-results must be a whole number, not `many` | "),
        (&["--min-score", "x"], "--min-score must be a number, not `x` | "),
        (
            &["--draft=maybe"],
            "--draft must be true or false, not `maybe` | `--draft` alone means true, `--draft=false` false",
        ),
        (
            &["--meta", "x"],
            "--meta must be JSON text, not `x` | quote it for the shell: --meta='{\"key\": 1}'",
        ),
        (&["--title", "x", "--title", "y"], "--title is given twice | give it once"),
    ] {
        assert_eq!(read(words), Err(expected.to_owned()), "{words:?}");
    }
    for (words, start) in [
        (&["x"][..], "`github.create_issue` takes flags, not the word `x` | it takes --title, --labels,"),
        (&["-t", "x"], "`github.create_issue` takes flags, not the word `-t`"),
        (&["--zzzzzz"], "`github.create_issue` takes no --zzzzzz | it takes --title,"),
        (&["--ab", "x"], "`github.create_issue` takes no --ab"),
    ] {
        let said = read(words).unwrap_err();
        assert!(said.starts_with(start), "{said}");
    }
}

#[test]
fn flags_go_before_a_document_and_what_is_lacking_is_listed() {
    let flags = flags(&schema());
    let given = json!({"title": "old", "labels": ["a"]}).as_object().unwrap().clone();
    let whole = arguments(&flags, "t", &["--title", "new"], given).unwrap();
    assert_eq!(Value::Object(whole.clone()), json!({"title": "new", "labels": ["a"]}));
    let failed = missing(&flags, "t", &whole).unwrap();
    assert_eq!((failed.message.as_str(), failed.code), ("`t` needs --timeout", 64));
    assert!(failed.help.unwrap().contains("--timeout goes after `--`"));
    let failed = missing(&flags, "t", &Map::new()).unwrap();
    assert_eq!(failed.message, "`t` needs --title, --timeout");
}

#[test]
fn the_line_for_arguments_is_read_back_as_the_same() {
    let flags: Vec<Flag> = flags(&schema());
    let given = json!({
        "timeout": 5, "title": "-x y", "labels": ["a", "b"], "draft": true, "meta": {"a": 1}, "min_score": null,
        "maxResults": -1,
    });
    let words = line(&flags, given.as_object().unwrap());
    assert_eq!(
        words.join(" "),
        "--title=-x y --labels a --labels b --draft --meta {\"a\":1} --min-score null --max-results=-1 -- --timeout 5"
    );
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "--").collect();
    assert_eq!(Value::Object(arguments(&flags, "t", &words, Map::new()).unwrap()), given);
}
