//! What `cuff init` saw, for people: a line each, and below it what they should know.

use console::{Style, measure_text_width};

use crate::engine::{Offer, Survey};
use crate::model::{listed, visible, visible_lines};

/// How many packages of a workspace are named in a line.
const MOST_NAMES: usize = 6;

/// The lines of what a plugin found, with the offers that came of it, coloured and safe to print. What is `asked` for
/// later is not told before.
pub(super) fn lines(survey: &Survey, offers: &[&Offer], verbose: bool, asked: bool) -> Vec<String> {
    let id = survey.about.id;
    let mut lines = Vec::new();
    if let Some(suggestion) = &survey.suggestion {
        lines.push(format!("  [+] {id}: {}", visible(&suggestion.description)));
        lines
            .extend(suggestion.risks.iter().map(|risk| marked(&Style::new().red().bold(), "SECURITY", risk)));
        lines.extend(suggestion.warnings.iter().map(|text| marked(&Style::new().yellow(), "Warning", text)));
        lines.extend(suggestion.notes.iter().map(|text| marked(&Style::new().dim(), "Note", text)));
        lines.extend(suggestion.undecided.iter().filter(|_| !asked).map(|undecided| {
            let usual = undecided.answers.first().map_or("", |(words, _)| words);
            let because = undecided.because.join("; ");
            let text = format!("{} {because}. Taken: {usual}", undecided.question);
            marked(&Style::new().yellow(), "Question", &text)
        }));
        if verbose {
            lines.extend(suggestion.items.iter().map(|item| format!("      {id}.{}", visible(item))));
        }
        lines.extend(packages(offers, verbose));
    }
    lines.extend(survey.remark.iter().map(|remark| format!("  [-] {id}: {}", visible(remark))));
    for problem in &survey.problems {
        lines.push(visible_lines(&format!("  [!] {id}: {problem}")).into_owned());
        lines.extend(problem.help.iter().map(|help| format!("      {}", visible(help))));
    }
    if lines.is_empty() && verbose {
        lines.push(format!("  [-] {id}: does not apply"));
    }
    lines
}

/// The packages of a workspace, each by its instance's name.
fn packages(offers: &[&Offer], verbose: bool) -> Vec<String> {
    let members: Vec<(&Offer, &str)> =
        offers.iter().filter_map(|offer| Some((*offer, offer.folder.as_deref()?))).collect();
    if verbose {
        let member = |(offer, folder): &(&Offer, &str)| {
            let items = offer.suggestion.items.join(", ");
            format!("      {}: {} ({})", offer.name, visible(folder), visible(&items))
        };
        return members.iter().map(member).collect();
    }
    let names: Vec<&str> = members.iter().map(|(offer, _)| offer.name.as_str()).collect();
    let packages = || format!("      Packages: {}", listed(&names, MOST_NAMES));
    if names.is_empty() { Vec::new() } else { vec![packages()] }
}

/// A word that stands out, with colours or without, and a text.
pub(super) fn marked(style: &Style, word: &str, text: &str) -> String {
    format!("      {} {}", style.apply_to(format!("{word}:")), visible(text))
}

/// A line in as many as a terminal of this width needs, broken between words; the rest stands below its text.
pub(super) fn wrapped(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut text = String::new();
    let mut column = 0;
    for (at, word) in line.trim_start().split(' ').enumerate() {
        let length = measure_text_width(word);
        if at == 0 {
            text.push_str(&line[..indent]);
            column = indent;
        } else if column + 1 + length > width && column > indent + 2 {
            text.push('\n');
            text.push_str(&" ".repeat(indent + 2));
            column = indent + 2;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_between_words_and_never_beyond_the_edge_unless_a_word_is_longer() {
        let line = "  [+] a: Found much, and an-extraordinarily-long-word in it";
        assert_eq!(wrapped(line, usize::MAX), line);
        let expected = "  [+] a: Found\n    much, and\n    an-extraordinarily-long-word\n    in it";
        assert_eq!(wrapped(line, 16), expected);
        let coloured = format!("      {} x y", Style::new().force_styling(true).red().apply_to("SECURITY:"));
        assert_eq!(wrapped(&coloured, 19), coloured, "colours take no room");
        assert_eq!(wrapped("", 10), "");
    }
}
