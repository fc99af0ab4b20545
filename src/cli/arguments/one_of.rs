//! Words of the command line that stand for values of other parts of cuff.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these words as its value.
pub(super) fn one_of<Kind: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, Kind)],
) -> impl TypedValueParser<Value = Kind> {
    let value = |word: &str| words.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    PossibleValuesParser::new(words.iter().map(|(name, _)| *name))
        .try_map(move |word| value(&word).ok_or("there is no such word"))
}

/// The word that stands for a value.
pub(super) fn word_of<Kind: PartialEq>(words: &[(&'static str, Kind)], wanted: &Kind) -> &'static str {
    words.iter().find(|(_, value)| value == wanted).map_or("", |(name, _)| name)
}
