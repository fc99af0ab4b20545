//! The findings of `cuff init`, for people: a line each, with notes below it.

use console::Style;

use crate::model::{Member, listed, shown, visible, visible_lines};
use crate::project::{Offer, Survey};

/// How many packages of a workspace are named in a line.
const MOST_NAMES: usize = 6;

/// The lines about a plugin's findings and the offers made of them, coloured and safe to print. `asked`
/// leaves out decisions that are asked about later.
pub(super) fn lines(survey: &Survey, offers: &[&Offer], verbose: bool, asked: bool) -> Vec<String> {
    let id = match survey.folder.as_str() {
        "." => survey.about.id.to_owned(),
        folder => format!("{} in {}", survey.about.id, shown(folder)),
    };
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

/// The packages of a workspace.
fn packages(offers: &[&Offer], verbose: bool) -> Vec<String> {
    let members: Vec<&Member> = offers.iter().flat_map(|offer| &offer.suggestion.members).collect();
    if verbose {
        let line = |member: &&Member| format!("      {}: {}", shown(member.label()), shown(&member.folder));
        return members.iter().map(line).collect();
    }
    let names: Vec<String> = members.iter().map(|member| shown(member.label())).collect();
    let packages = || format!("      Packages: {}", listed(&names, MOST_NAMES));
    if names.is_empty() { Vec::new() } else { vec![packages()] }
}

/// A word that stands out, with colours or without, and a text.
pub(super) fn marked(style: &Style, word: &str, text: &str) -> String {
    format!("      {} {}", style.apply_to(format!("{word}:")), visible(text))
}
