//! The language of all that is read: no sentence begins with a relative clause, and sentences of the pages are short.

use std::fs;
use std::sync::LazyLock;

use regex::Regex;

/// Words in a sentence of README.md and docs/, on average.
const MEAN_WORDS: usize = 16;
/// Doc comments that may begin so: fewer than these.
const DOC_COMMENTS: usize = 20;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours")
}

/// A sentence that begins with a relative clause. A question is none.
fn begins_with_a_relative_clause(sentence: &str) -> bool {
    static CLAUSE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"^["“(]?(What|Who|Whoever|Whose|Whichever|Whatever|That which)\b"#));
    CLAUSE.is_match(sentence) && !sentence.ends_with('?')
}

/// The sentences of a paragraph. Code is one word, and a link is its text.
fn sentences(paragraph: &str) -> Vec<String> {
    static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"`[^`]*`"));
    static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\]]*)\]\([^)]*\)"));
    static END: LazyLock<Regex> = LazyLock::new(|| pattern(r#"([.!?:])\s+(["“(]?[A-Z])"#));
    let text = CODE.replace_all(paragraph, "Code");
    let text = LINK.replace_all(&text, "$1");
    let end = END.replace_all(&text, "$1\n$2");
    end.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// The paragraphs of a page: lists by their entries, tables by their cells, without code and headings. Cells are marked,
/// since they are phrases rather than sentences.
fn paragraphs(page: &str) -> Vec<(bool, String)> {
    let mut found: Vec<(bool, String)> = Vec::new();
    let (mut is_code, mut goes_on) = (false, false);
    let item = pattern(r"^([-*]|\d+\.)\s+");
    for line in page.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.is_empty() || line.starts_with(['#', '<', '!']) || line.starts_with("```") {
            goes_on = false;
        } else if line.starts_with('|') {
            goes_on = false;
            let cells = line.trim_matches('|').split('|').map(str::trim);
            found.extend(
                cells
                    .filter(|cell| !cell.trim_matches(['-', ':']).is_empty())
                    .map(|cell| (true, cell.to_owned())),
            );
        } else {
            let text = item.replace(line, "").into_owned();
            match found.last_mut() {
                Some((_, last)) if goes_on && !item.is_match(line) => {
                    last.push(' ');
                    last.push_str(&text);
                }
                _ => found.push((false, text)),
            }
            goes_on = true;
        }
    }
    found
}

#[test]
fn pages_begin_no_sentence_with_a_relative_clause() {
    let mut offenders = Vec::new();
    for file in super::pages::pages() {
        let text = fs::read_to_string(&file).expect("a page of ours");
        for (_, paragraph) in paragraphs(&text) {
            let wrong = sentences(&paragraph).into_iter().filter(|text| begins_with_a_relative_clause(text));
            offenders.extend(wrong.map(|text| format!("{}: {text}", file.display())));
        }
    }
    super::none(&offenders, "name the subject first");
}

#[test]
fn sentences_of_the_pages_are_short() {
    let (mut words, mut count) = (0, 0);
    for file in super::pages::pages() {
        let name = file.strip_prefix(super::root()).expect("a page of ours").to_string_lossy().into_owned();
        if name == "CHANGELOG.md" || name.starts_with("src/") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a page of ours");
        for sentence in
            paragraphs(&text).iter().filter(|(is_cell, _)| !is_cell).flat_map(|(_, text)| sentences(text))
        {
            words += sentence.split_whitespace().count();
            count += 1;
        }
    }
    assert!(count > 300, "{count} sentences were found");
    assert!(words < MEAN_WORDS * count, "{words} words in {count} sentences");
}

#[test]
fn help_begins_no_sentence_with_a_relative_clause() {
    let mut offenders = Vec::new();
    let begins = Regex::new(r"(^\s*|\s{2,}|[.!:] )(What|Who|Whoever|Whose)\b").unwrap();
    for (number, line) in
        fs::read_to_string(super::root().join("snapshots/help.txt.snap")).unwrap().lines().enumerate()
    {
        if begins.is_match(line) {
            offenders.push(format!("snapshots/help.txt.snap:{}: {}", number + 1, line.trim()));
        }
    }
    super::none(&offenders, "name the subject first");
}

#[test]
fn doc_comments_name_the_thing_first() {
    let comment = Regex::new(r"^\s*//[/!]\s?(.*)").unwrap();
    let mut offenders = Vec::new();
    for (name, text) in super::texts() {
        let mut paragraph = String::new();
        for line in text.lines().chain([""]) {
            match comment.captures(line).map(|found| found[1].trim().to_owned()) {
                Some(words) if !words.is_empty() => {
                    paragraph.push_str(&words);
                    paragraph.push(' ');
                }
                _ => {
                    let wrong =
                        sentences(&paragraph).into_iter().filter(|text| begins_with_a_relative_clause(text));
                    offenders.extend(wrong.map(|text| format!("{name}: {text}")));
                    paragraph.clear();
                }
            }
        }
    }
    assert!(
        offenders.len() < DOC_COMMENTS,
        "{} doc comments begin with a relative clause:\n  {}",
        offenders.len(),
        offenders.join("\n  ")
    );
}

#[test]
fn a_relative_clause_is_found() {
    for (sentence, is_one) in [
        ("What a call brings.", true),
        ("Who runs it sees it.", true),
        ("“Whoever asks” is wrong.", true),
        ("What is a run?", false),
        ("Whole words only.", false),
        ("The call, and what it brings.", false),
    ] {
        assert_eq!(begins_with_a_relative_clause(sentence), is_one, "{sentence}");
    }
    let page = "# What\n\nOne sentence. What two? `Who.` Three\ngoes on: it ends.\n- What four.\n\n| What | b |\n|---|---|\n\n```\nWho\n```\n";
    let found: Vec<String> = paragraphs(page).iter().flat_map(|(_, text)| sentences(text)).collect();
    assert_eq!(
        found,
        ["One sentence.", "What two?", "Code Three goes on: it ends.", "What four.", "What", "b"]
    );
}
