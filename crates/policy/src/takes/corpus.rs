//! 300 texts of scripts of public packages, each with harmless and harmful words: how many are accepted.

use std::fmt::Write as _;

use serde::Deserialize;

use super::tests::{ground, refused};
use crate::tests::Ground;

/// A script, with those that it runs, and words for it. Harmful words load code, write elsewhere, start another program, or
/// run another tool.
#[derive(Debug, Deserialize)]
struct Sample {
    name: String,
    scripts: serde_json::Map<String, serde_json::Value>,
    harmless: Vec<String>,
    harmful: Vec<String>,
}

#[test]
fn harmful_words_are_refused_or_act_inside_the_containment_and_harmless_ones_pass() {
    let samples: Vec<Sample> =
        serde_json::from_str(include_str!("../../../../tests/words/scripts.json")).expect("the samples");
    let (mut figures, mut leaks) = (String::new(), Vec::new());
    for is_contained in [true, false] {
        let mut counts = [0; 4];
        for sample in &samples {
            let text = sample.scripts[&sample.name].as_str().expect("a text");
            let ground =
                Ground { is_contained, ..ground(&serde_json::Value::Object(sample.scripts.clone())) };
            for (kind, words) in [&sample.harmless, &sample.harmful].into_iter().enumerate() {
                for words in words {
                    let refusal = refused(text, words, &ground);
                    counts[kind * 2 + usize::from(refusal.is_some())] += 1;
                    if let Some(refusal) = refusal {
                        assert!(refusal.help.contains(": {words: "), "{refusal:?}");
                    } else if kind == 1 && !is_contained {
                        leaks.push(format!("{text} <- {words}"));
                    }
                }
            }
        }
        let [passed, refused, harmful, stopped] = counts;
        _ = writeln!(
            figures,
            "contained: {is_contained}; harmless: {passed} accepted, {refused} refused; harmful: {harmful} accepted, {stopped} refused"
        );
    }
    assert_eq!(leaks, Vec::<String>::new(), "harmful, and accepted where nothing is contained");
    assert_eq!(samples.len(), 300);
    insta::assert_snapshot!(figures, @r#"
    contained: true; harmless: 520 accepted, 5 refused; harmful: 378 accepted, 635 refused
    contained: false; harmless: 383 accepted, 142 refused; harmful: 0 accepted, 1013 refused
    "#);
}
