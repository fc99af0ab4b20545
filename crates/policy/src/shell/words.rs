//! A word of a shell's text without its quotes.

use brush_parser::ParserOptions;
use brush_parser::word::{WordPiece, WordPieceWithSource};

/// Returns a word as the program gets it, as far as the text shows, and the texts of the substitutions in it.
///
/// Variables and substitutions stay as they are written. A word that cannot be parsed is returned without its
/// quotes.
pub(crate) fn unquoted(raw: &str, options: &ParserOptions) -> (String, Vec<String>) {
    if !raw.contains(['\'', '"', '\\', '`', '$']) {
        return (raw.to_owned(), Vec::new());
    }
    let mut word = Unquoted { raw, text: String::new(), substitutions: Vec::new() };
    match brush_parser::word::parse(raw, options) {
        Ok(pieces) => word.take(&pieces),
        Err(_) => word.text = raw.replace(['\'', '"', '\\'], ""),
    }
    (word.text, word.substitutions)
}

struct Unquoted<'a> {
    raw: &'a str,
    text: String,
    substitutions: Vec<String>,
}

impl Unquoted<'_> {
    fn take(&mut self, pieces: &[WordPieceWithSource]) {
        for piece in pieces {
            let source = self.raw.get(piece.start_index..piece.end_index).unwrap_or_default();
            match &piece.piece {
                WordPiece::Text(text)
                | WordPiece::SingleQuotedText(text)
                | WordPiece::AnsiCQuotedText(text) => {
                    self.text.push_str(text);
                }
                WordPiece::EscapeSequence(escape) => {
                    self.text.push_str(escape.strip_prefix('\\').unwrap_or(escape));
                }
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.take(inner);
                }
                WordPiece::CommandSubstitution(text) | WordPiece::BackquotedCommandSubstitution(text) => {
                    self.substitutions.push(text.clone());
                    self.text.push_str(source);
                }
                WordPiece::TildePrefix(_)
                | WordPiece::ParameterExpansion(_)
                | WordPiece::ArithmeticExpression(_) => {
                    // `${x:-$(command)}` and `$(( $(command) ))`: the parser leaves the inner part as text.
                    self.substitutions.extend(within(source));
                    self.text.push_str(source);
                }
            }
        }
    }
}

/// The texts behind each `$(` and between backticks of an expansion. They may end too late: more is found, never less.
fn within(expansion: &str) -> Vec<String> {
    let behind = expansion.match_indices("$(").map(|(at, _)| &expansion[at + 2..]);
    let behind =
        behind.filter(|text| !text.starts_with('(')).map(|text| text.trim_end_matches([')', '}']).to_owned());
    behind.chain(expansion.split('`').skip(1).step_by(2).map(String::from)).collect()
}
