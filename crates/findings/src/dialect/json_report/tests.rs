//! Reports in pieces, cut, and of other programs.

use std::fmt::Write as _;

use super::LINTERS;
use crate::diagnostics::Reader;
use crate::dialect::Format;
use crate::dialect::trial::{findings, findings_of, lines};
use crate::model::{Chunk, LintSummary, Stream};

/// That of eslint.
const FORMAT: Format = LINTERS[0];

/// As biome 2 prints it.
#[test]
fn biome() {
    let log = r#"The `json` and `json-pretty` reporters are experimental and may change in patch releases.
{"summary":{"changed":0,"errors":1},"diagnostics":[{"severity":"error","message":"Using == may be unsafe.","category":"lint/suspicious/noDoubleEquals","location":{"path":"bio/a b.ts","start":{"line":2,"column":7},"end":{"line":2,"column":9}},"advices":[]}],"command":"lint"}
"#;
    assert_eq!(
        findings_of("biome_json", log),
        ["error bio/a b.ts:2:7 lint/suspicious/noDoubleEquals Using == may be unsafe. [2-2]"]
    );
}

/// As ruff 0.17 prints it.
#[test]
fn rdjson() {
    let log = r#"{
  "diagnostics": [
    {
      "code": {
        "url": "https://docs.astral.sh/ruff/rules/unused-import",
        "value": "F401"
      },
      "location": { "path": "/w/a.py", "range": { "end": { "column": 10, "line": 1 }, "start": { "column": 8, "line": 1 } } },
      "message": "`os` imported but unused",
      "suggestions": [ { "range": { "end": { "column": 1, "line": 2 } }, "text": "" } ]
    }
  ],
  "severity": "WARNING",
  "source": { "name": "ruff", "url": "https://docs.astral.sh/ruff" }
}
"#;
    assert_eq!(findings_of("rdjson", log), ["error /w/a.py:1:8 F401 `os` imported but unused [3-11]"]);
}

/// As biome 2 prints it.
#[test]
fn a_message_before_the_key_that_begins_a_report() {
    let finding = r#"  {
    "description": "Using == may be \"unsafe\".",
    "check_name": "lint/suspicious/noDoubleEquals",
    "fingerprint": "13674275212190183729",
    "severity": "critical",
    "location": { "path": "bio/a.ts", "lines": { "begin": 2 } }
  }"#;
    let other = finding.replace("==", "!=");
    let expected = [
        "error bio/a.ts:2 lint/suspicious/noDoubleEquals Using == may be \"unsafe\". [4-8]",
        "error bio/a.ts:2 lint/suspicious/noDoubleEquals Using != may be \"unsafe\". [9-15]",
    ];
    assert_eq!(findings_of("gitlab", &format!("[\n{finding},\n{other}\n]\n")), expected);
}

#[test]
fn ruff() {
    let finding = r#"{"cell": null, "code": "F401", "end_location": {"column": 9, "row": 2}, "filename": "/p/a b.py",
            "fix": {"edits": [{"content": "", "location": {"row": 7, "column": 7}}], "message": "Remove import", "applicability": "safe"},
            "location": {"column": 8, "row": 1}, "message": "`os` imported but unused", "noqa_row": 1, "severity": "error"}"#;
    let syntax = r#"{"cell":null,"code":null,"filename":"/p/c.py","location":{"column":1,"row":3},"message":"SyntaxError: x"}"#;
    let log = format!("warning: x\n[\n  {finding},\n  {syntax}\n]\nFound 2 errors.\n");
    assert_eq!(
        findings_of("ruff_json", &log),
        ["error /p/a b.py:1:8 F401 `os` imported but unused [3-5]", "error /p/c.py:3:1 SyntaxError: x [6-6]"]
    );
    // A finding in each line, and one that is cut.
    let lines = format!("{syntax}\n{syntax}\n{}\nKilled\n", &syntax[..60]).replacen("c.py", "d.py", 1);
    assert_eq!(
        findings_of("ruff_json", &lines),
        ["error /p/d.py:3:1 SyntaxError: x [1-1]", "error /p/c.py:3:1 SyntaxError: x [2-2]"]
    );
}

#[test]
fn files_with_their_findings() {
    let log = r#"{"metadata":{"rubocop_version":"1.39.0"},"files":[{"path":"lib/a.rb","offenses":[{"severity":"fatal","message":"unexpected token","cop_name":"Lint/Syntax","location":{"start_line":2,"start_column":1,"line":2,"column":1}}]},{"path":"b.rb","offenses":[]},{"path":"c.rb","offenses":[{"severity":"convention","message":"m","cop_name":"Style/X","location":{"line":1,"column":3}}]}],"summary":{"offense_count":2}}"#;
    assert_eq!(
        findings_of("rubocop_json", log),
        ["error lib/a.rb:2:1 Lint/Syntax unexpected token [1-1]", "warning c.rb:1:3 Style/X m [1-1]"]
    );
    let log = r#"{"totals":{"errors":1,"warnings":1,"fixable":0},"files":{"\/p\/a.php":{"errors":1,"warnings":0,"messages":[{"message":"No \"x\"","source":"PSR12.X","severity":5,"fixable":true,"type":"ERROR","line":1,"column":2}]},"\/p\/b.php":{"errors":0,"warnings":1,"messages":[{"message":"Long","source":"Line","severity":5,"fixable":false,"type":"WARNING","line":4,"column":130}]}}}"#;
    assert_eq!(
        findings_of("phpcs_json", log),
        ["error /p/a.php:1:2 PSR12.X No \"x\" [1-1]", "warning /p/b.php:4:130 Line Long [1-1]"]
    );
}

#[test]
fn lists_of_findings() {
    let log = r#"[{"file":"b c.sh","line":3,"endLine":3,"column":6,"endColumn":6,"level":"error","code":1073,"message":"Couldn't parse.","fix":null},{"file":"a.sh","line":2,"endLine":2,"column":6,"level":"style","code":2086,"message":"Quote.","fix":{"replacements":[{"column":9,"line":9}]}}]"#;
    assert_eq!(
        findings_of("shellcheck_json", log),
        ["error b c.sh:3:6 1073 Couldn't parse. [1-1]", "info a.sh:2:6 2086 Quote. [1-1]"]
    );
    let log = "{\n  \"messages\": [\n    {\n      \"type\": \"error\",\n      \"symbol\": \"syntax-error\",\n      \"message\": \"Parsing failed\",\n      \
                   \"line\": 1,\n      \"column\": 0,\n      \"path\": \"a.py\"\n    },\n    {\n      \"type\": \"convention\",\n      \"symbol\": \"x\",\n      \
                   \"message\": \"m\",\n      \"line\": 2,\n      \"path\": \"a.py\"\n    }\n  ]\n}\nbye\n";
    assert_eq!(
        findings_of("pylint_json", log),
        ["error a.py:1 syntax-error Parsing failed [4-10]", "warning a.py:2 x m [11-17]"]
    );
    let log = r#"[{"check_name":"F401","description":"unused","severity":"major","fingerprint":"7","location":{"path":"a.py","positions":{"begin":{"line":1,"column":8},"end":{"line":2,"column":9}}}}]"#;
    assert_eq!(findings_of("gitlab", log), ["error a.py:1:8 F401 unused [1-1]"]);
}

#[test]
fn sarif() {
    let log = r#"{"$schema":"x","runs":[{"results":[{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///p/mit%20leer/a.py"},"region":{"endLine":1,"startColumn":2,"startLine":1}}}],"message":{"text":"Missing notice"},"ruleId":"CPY001"},{"message":{"text":"No place"},"ruleId":"X"}],"tool":{"driver":{"name":"ruff","rules":[{"id":"CPY001","shortDescription":{"text":"no"}}]}}}],"version":"2.1.0"}"#;
    assert_eq!(
        findings_of("sarif", log),
        ["error /p/mit leer/a.py:1:2 CPY001 Missing notice [1-1]", "warning X No place [1-1]"]
    );
}

/// As markdownlint-cli 0.45, pyright 1.1.414, bandit 1.9.4, and oxlint 1 print them.
#[test]
fn other_keys() {
    let log = r#"[
  { "fileName": "docs/a b.md", "lineNumber": 1, "ruleNames": ["MD034", "no-bare-urls"], "ruleDescription": "Bare URL used",
    "errorDetail": null, "errorRange": [6, 18], "fixInfo": { "lineNumber": 3 }, "severity": "error" },
  { "fileName": "b.md", "lineNumber": 2, "ruleNames": ["MD022"], "ruleDescription": "Blank lines",
    "errorDetail": "Expected: 1; Actual: 0", "errorRange": null, "fixInfo": null, "severity": "error" }
]
"#;
    assert_eq!(
        findings_of("markdownlint_json", log),
        [
            "error docs/a b.md:1:6 MD034 Bare URL used [2-3]",
            "error b.md:2 MD022 Blank lines [Expected: 1; Actual: 0] [4-5]"
        ]
    );
    let log = r#"{"version": "1", "generalDiagnostics": [
  {"file": "/p/a.py", "severity": "error", "message": "\"x\" is not defined",
   "range": {"start": {"line": 0, "character": 39}, "end": {"line": 0, "character": 45}}, "rule": "reportUndefinedVariable"},
  {"file": "/p/a.py", "severity": "error", "message": "Expected expression", "range": {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}}
], "summary": {"errorCount": 2}}
"#;
    assert_eq!(
        findings_of("pyright_json", log),
        [
            "error /p/a.py:1:40 reportUndefinedVariable \"x\" is not defined [2-3]",
            "error /p/a.py:3:1 Expected expression [4-4]"
        ]
    );
    let log = r#"{"errors": [], "generated_at": "2026-11-28T00:59:32Z", "metrics": {"_totals": {"loc": 77}}, "results": [
{"code": "1 import x", "col_offset": 0, "filename": "src/m.py", "issue_cwe": {"id": 78}, "issue_severity": "LOW",
 "issue_text": "Possible hardcoded password", "line_number": 18, "line_range": [18, 19], "test_id": "B105", "test_name": "blacklist"}
]}
"#;
    assert_eq!(findings_of("bandit_json", log), ["error src/m.py:18 B105 Possible hardcoded password [2-3]"]);
    let log = r#"{ "diagnostics": [{"message": "Unreachable code.","code": "eslint(no-unreachable)","severity": "warning","filename": "a b.mjs","labels": [{"span": {"offset": 158,"length": 6,"line": 4,"column": 38}}]},
{"message": "Unexpected token","severity": "error","filename": "c.mjs","labels": [{"span": {"offset": 1,"line": 4,"column": 1}}]}],
"number_of_files": 9 }
"#;
    assert_eq!(
        findings_of("oxlint_json", log),
        [
            "warning a b.mjs:4:38 eslint(no-unreachable) Unreachable code. [1-1]",
            "error c.mjs:4:1 Unexpected token [2-2]"
        ]
    );
}

/// As knip 5 prints it.
#[test]
fn lists_of_names() {
    let issues = r#""issues":[{"file":"package.json","owners":[{"name":"@team"}],"dependencies":[{"name":"lodash"}],"unlisted":[]},{"file":"a b.ts","dependencies":[],"exports":[{"name":"unused","line":2,"col":14,"pos":33}]}]}"#;
    let expected = [
        "error dead.ts Unused file [1-1]",
        "error package.json dependencies lodash [1-1]",
        "error a b.ts:2:14 exports unused [1-1]",
    ];
    assert_eq!(findings_of("knip_json", &format!("{{\"files\":[\"dead.ts\"],{issues}\n")), expected);
    assert_eq!(findings_of("knip_json", &format!("{{{issues}\n")), expected[1..]);
    assert_eq!(findings_of("knip_json", "{\"files\":[\"a.ts\"],\"include\":[{\"name\":3}]}\n"), [""; 0]);
}

/// As vitest 3, jest 29, mocha 11 and rspec 3.12 print them.
#[test]
fn tests_that_failed() {
    let failed = r#"{"ancestorTitles":["calc"],"fullName":"calc halves","status":"failed","title":"halves","failureMessages":["AssertionError: expected 2 to be 3\n    at /p/calc.test.ts:7:30\n    at file:///p/node_modules/a.js:1:2"],"meta":{}}"#;
    let nowhere = failed.replace("\\n    at /p/calc.test.ts:7:30", "").replace("halves", "fails");
    let passed = failed.replace("\"failed\"", "\"passed\"");
    let log = format!(
        r#"{{"numTotalTestSuites":3,"numFailedTestSuites":2,"testResults":[{{"assertionResults":[{failed},{nowhere},{passed}],"status":"failed","message":"x","name":"/p/calc.test.ts"}},{{"assertionResults":[],"message":"  ● Test suite failed to run\n\n    Cannot find module './gone'\n\n      at Object.<anonymous> (b.test.js:1:15)","name":"/p/b.test.js","status":"failed"}}]}}"#
    );
    assert_eq!(
        findings_of("jest_json", &log),
        [
            "error /p/calc.test.ts:7:30 calc halves\nAssertionError: expected 2 to be 3 [1-1]",
            "error /p/calc.test.ts calc fails\nAssertionError: expected 2 to be 3 [1-1]",
            "error b.test.js:1:15 /p/b.test.js\nCannot find module './gone' [1-1]"
        ]
    );
    let cut =
        format!("{{\"numFailedTestSuites\":2,\"testResults\":[{{\"assertionResults\":[{nowhere},\nKilled\n");
    assert_eq!(
        findings_of("jest_json", &cut),
        ["error calc fails\nAssertionError: expected 2 to be 3 [1-1]"]
    );
    let test = r#"{"title":"is x","fullTitle":"it is x","file":"/p/a.spec.js","err":{"message":"x","stack":"Error: x\n    at Context.<anonymous> (a.spec.js:7:28)","name":"Error"}}"#;
    let log = format!(
        "{{\n  \"stats\": {{ \"failures\": 1 }},\n  \"tests\": [{test}], \"failures\": [{test}],\n  \"passes\": [{}]\n}}",
        test.replace("\"message\"", "\"x\"")
    );
    assert_eq!(findings_of("mocha_json", &log), ["error a.spec.js:7:28 it is x\nError: x [3-3]"]);
    let log = r#"{"version":"3.12.0","examples":[{"id":"./a_spec.rb[1:2]","description":"reads","full_description":"Calc reads","status":"failed","file_path":"./a_spec.rb","line_number":17,"exception":{"class":"Errno::ENOENT","message":"No such file","backtrace":["/p/calc.rb:5:in `read'"]}},{"full_description":"Calc prints","status":"passed","file_path":"./a_spec.rb","line_number":20,"pending_message":null}],"summary_line":"2 examples, 1 failure"}"#;
    assert_eq!(findings_of("rspec_json", log), ["error ./a_spec.rb:17 Calc reads\nNo such file [1-1]"]);
}

#[test]
fn the_largest_number_is_no_line() {
    let log = r#"{"generalDiagnostics": [{"file": "/p/a.py", "severity": "error", "message": "m", "range": {"start": {"line": 18446744073709551615, "character": 99999999999999999999}}}]}"#;
    assert_eq!(findings_of("pyright_json", log), ["error /p/a.py m [1-1]"]);
    let log = log.replace("18446744073709551615", "0").replace("99999999999999999999", "-1");
    assert_eq!(findings_of("pyright_json", &log), ["error /p/a.py:1 m [1-1]"]);
}

#[test]
fn other_json_is_none() {
    for log in [
        r#"{"type": "error", "message": "nothing here is a rule", "line": 3}"#,
        "\"runs\": 3 of 4\n[{\"file\":",
        "\"cell\":\n\n\nall is well\n",
    ] {
        for id in ["ruff_json", "shellcheck_json", "pylint_json", "sarif", "knip_json", "jest_json"] {
            assert_eq!(findings_of(id, log), [""; 0], "{log}");
        }
    }
}

const RESULT: &str = r#"{"filePath":"C:\\a b.js","messages":[{"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error: a\nb","line":1,"column":0},{"ruleId":"x/y","severity":1,"message":"Says \"{[\" ü.","line":3,"column":4,"fix":{"range":[1,2],"text":"}]"},"suggestions":[{"desc":"x","fix":{"text":"message"}}]}],"suppressedMessages":[{"ruleId":"no","severity":2,"message":"hidden","line":1}],"errorCount":1,"source":"[{\"filePath\":\"/no.js\"}]","usedDeprecatedRules":[{"ruleId":"z","replacedBy":[]}]}"#;

fn both(at: &str) -> [String; 2] {
    [
        format!("error C:\\a b.js:1 Parsing error: a\nb [{at}]"),
        format!("warning C:\\a b.js:3:4 x/y Says \"{{[\" ü. [{at}]"),
    ]
}

#[test]
fn in_one_line() {
    assert_eq!(findings(&FORMAT, &format!("[{RESULT}]\r\n")), both("1-1"));
    let log = format!("> lint\nYes: [{RESULT},{{\"filePath\":\"/b.js\",\"messages\":[]}}] done\nbye\n");
    assert_eq!(findings(&FORMAT, &log), both("2-2"));
    let with_metadata = format!("{{\"results\":[{RESULT}],\"metadata\":{{\"cwd\":\"/\"}}}}");
    assert_eq!(findings(&FORMAT, &with_metadata), both("1-1"));
}

#[test]
fn complete_messages_of_a_cut_report_count() {
    for end in 0..RESULT.len() {
        let Some(cut) = RESULT.get(..end) else { continue };
        let found = findings(&FORMAT, &format!("[{cut}\nKilled\n"));
        assert!(both("1-1").starts_with(&found), "{cut}: {found:?}");
        let again = findings(&FORMAT, &format!("[{cut}\nnpm error\n[{RESULT}]\n"));
        assert!(again.len() >= 2, "{cut}: {again:?}");
    }
}

#[test]
fn complete_reports_say_what_they_are_about() {
    let fixed = r#"{"filePath":"/b.js","messages":[],"output":"[]","source":null}"#;
    let lint = |log: &str| {
        let mut reader = Reader::of(std::slice::from_ref(&FORMAT)).expecting(FORMAT.id);
        reader.push(Chunk::new(Stream::Out, log.as_bytes()));
        reader.finish().lint.map(|lint| {
            let LintSummary { files, affected, errors, warnings, fixed, fixed_total } = lint;
            format!("{files} {affected} {errors} {warnings} {fixed:?} {fixed_total}")
        })
    };
    for (log, expected) in [
        (format!("[{RESULT},{fixed}]"), Some("2 1 1 1 [\"/b.js\"] 1")),
        (format!("noise\n[{RESULT}]\n[{fixed}]\n"), Some("2 1 1 1 [\"/b.js\"] 1")),
        ("[]\n".to_owned(), Some("0 0 0 0 [] 0")),
        ("noise\n []\n".to_owned(), Some("0 0 0 0 [] 0")),
        (format!("[{RESULT},{fixed}\n"), None),
        (format!("[{RESULT},{{\"filePath\":"), None),
        ("[] noise\n".to_owned(), None),
        (String::new(), None),
    ] {
        assert_eq!(lint(&log).as_deref(), expected, "{log}");
    }
}

/// A message of the first versions of 8 about an ignored file.
#[test]
fn a_message_without_a_rule_is_a_finding() {
    let log =
        r#"[{"filePath":"/a \"b\".js","messages":[{"fatal":false,"severity":1,"message":"File ignored."}]}]"#;
    assert_eq!(findings(&FORMAT, log), ["warning /a \"b\".js File ignored. [1-1]"]);
}

#[test]
fn over_many_lines() {
    let value: serde_json::Value = serde_json::from_str(&format!("[{RESULT},{RESULT}]")).unwrap();
    let log = serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n");
    let [first, second] = both("?").map(|line| line.replace("[?]", ""));
    assert_eq!(findings(&FORMAT, &log), [format!("{first}[5-12]"), format!("{second}[13-34]")]);
}

#[test]
fn over_many_parts() {
    let source = "x".repeat(200_000);
    let mut more = String::new();
    for n in 0..5000 {
        let message = format!("{{\"ruleId\":\"a\",\"severity\":2,\"message\":\"no {n}\"}}");
        let _ = write!(more, ",{{\"filePath\":\"/{n}.js\",\"messages\":[{message}],\"source\":\"s\"}}");
    }
    let log = format!(
        "{{}}\n[{{\"filePath\":\"/a.js\",\"messages\":[],\"source\":\"{source}\"}},{RESULT}{more}]\n"
    );
    let read = |size: usize| {
        let mut reader = Reader::of(std::slice::from_ref(&FORMAT));
        log.as_bytes().chunks(size).for_each(|chunk| reader.push(Chunk::new(Stream::Out, chunk)));
        reader.finish()
    };
    let found = read(usize::MAX);
    assert_eq!((found.errors, found.warnings), (5001, 1));
    assert_eq!(lines(&found)[0], both("2-2")[0]);
    assert_eq!(lines(&found)[999], "error /998.js a no 998 [2-2]");
    assert_eq!(read(1009), found);
}

#[test]
fn json_of_other_linters_is_none() {
    for log in [
        r#"{"filePath":"/a.js","level":"error","message":"x"}"#,
        r#"[{"filePath":"/a.js","messages":["x",{"severity":2}]}]"#,
        r#"[{"filePath":"/a.js","messages":[{"severity":"error","message":"x","ruleId":"y"}]}]"#,
        r#"[{"filePath":"/a.js","messages":[{"severity":2,"message":"x"}]}]"#,
        r#"{"filePath":"/a.js","messages":[{"severity":2,"message":"x""#,
        "\"filePath\": \"filePath\":\"filePath\":",
    ] {
        assert!(findings(&FORMAT, log).is_empty(), "{log}");
    }
}
