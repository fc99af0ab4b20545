//! The programs of `fixtures/programs`, whose values are known from another project: equal, or refused by name.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use cuff::sandbox::Outcome;
use serde_json::Value;

use super::programs::{limits, run_within};

#[test]
fn a_program_gives_the_value_of_another_engine_or_is_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/programs");
    let expected = fs::read(folder.join("expected.json")).expect("the recorded values");
    let expected: serde_json::Map<String, Value> = serde_json::from_slice(&expected).expect("an object");
    let count = fs::read_dir(&folder).expect("a folder").flatten();
    let count = count.filter(|file| file.path().extension().is_some_and(|ending| ending == "ts")).count();
    assert!(count == expected.len() && count >= 100, "{count} programs, {} values", expected.len());
    let (mut refused, mut wrong) = (String::new(), String::new());
    for (name, expected) in &expected {
        let source = fs::read_to_string(folder.join(format!("{name}.ts"))).expect("a program");
        let refusal = match run_within(&source, &limits()).0.outcome {
            Outcome::Returned(given) => {
                let given = given.unwrap_or(Value::Null);
                if given != *expected {
                    let _ = writeln!(wrong, "{name}: {given} and not {expected}");
                }
                continue;
            }
            Outcome::Rejected(findings) => findings.first().map(|finding| finding.message.clone()),
            Outcome::Failed(failure) => Some(format!("{}: {}", failure.name, failure.message)),
        };
        let _ = writeln!(refused, "{name}: {}", refusal.unwrap_or_default());
    }
    assert_eq!(wrong, "");
    insta::assert_snapshot!(refused, @r#"
    accessors: `accessor` is not supported
    case-turkish-variable: RangeError: `toLocaleUpperCase` with the locale `tr-TR` is not available: programs have the locale en-US alone, and letters change their case as in English; replace those that differ first
    case-turkish: `toLocaleUpperCase` with the locale `tr` is not available
    date-24-hours: `toLocaleTimeString` with `hour12: false` is not available
    date-british: `toLocaleDateString` with the locale `en-GB` is not available
    date-tokyo: `toLocaleString` with the time zone `Asia/Tokyo` is not available
    date-zone-name: `toLocaleTimeString` with the option `timeZoneName` is not available
    date-zone-of-a-variable: RangeError: `toLocaleString` with `timeZone: "America/New_York"` is not available: programs have the locale en-US alone, and the time zone UTC; write it by hand, with `toFixed`, `toISOString` and `padStart`
    decorators: decorators are not supported
    fetch: `fetch` is not available
    integer-literal: no number is exactly this one: above 2^53 only some integers are
    intl-collator: `Intl` is not available
    intl-date: `Intl` is not available
    intl-number: `Intl` is not available
    intl-plural: `Intl` is not available
    intl-segmenter: `Intl` is not available
    number-compact: `toLocaleString` with `notation: "compact"` is not available
    number-german: `toLocaleString` with the locale `de-DE` is not available
    number-locale-of-a-variable: RangeError: `toLocaleString` with the locale `fr-FR` is not available: programs have the locale en-US alone, and the time zone UTC; write it by hand, with `toFixed`, `toISOString` and `padStart`
    number-unit: RangeError: `toLocaleString` with `style: "unit"` is not available: programs have the locale en-US alone, and the time zone UTC; write it by hand, with `toFixed`, `toISOString` and `padStart`
    promise-compared: this is a promise, and its result is used at once
    promise-in-json: this is a promise, and its result is used at once
    promise-in-template: this is a promise, and its result is used at once
    sort-ignoring-punctuation: `localeCompare` with `ignorePunctuation: true` is not available
    sort-japanese: RangeError: `localeCompare` of a text with `い` is not available: programs have the locale en-US alone, and the order of English letters, digits and signs; compare with `<`, or by a key of your own
    sort-swedish: `localeCompare` with the locale `sv` is not available
    temporal: `Temporal` is not available
    "#);
}
