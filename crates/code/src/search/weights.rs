//! How much words count, by their places and by their relation to the query.

/// How many places a word can stand in.
pub(super) const PLACES: usize = 6;

/// A place where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WordPlace {
    Name,
    Server,
    /// The first sentence of a description.
    Summary,
    Description,
    Parameter,
    /// The description of a parameter.
    Explanation,
}

impl WordPlace {
    pub(super) const ALL: [Self; PLACES] =
        [Self::Name, Self::Server, Self::Summary, Self::Description, Self::Parameter, Self::Explanation];

    /// As people call it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Server => "server",
            Self::Summary | Self::Description => "description",
            Self::Parameter | Self::Explanation => "parameter",
        }
    }
}

// All constants of the search were found with the odd lines of `fixtures/search/queries.tsv`.

/// How much a word counts by its place.
pub(super) const BY_PLACE: [f64; PLACES] = [1.2, 3.0, 2.0, 0.3, 0.85, 0.5];

/// How much long texts are held back, by place.
pub(super) const LENGTHS: [f64; PLACES] = [0.4, 0.0, 0.7, 0.3, 0.4, 0.6];

/// How soon repetition stops to count.
pub(super) const SATURATION: f64 = 1.2;

pub(super) const SYNONYM: f64 = 0.7;

pub(super) const SLIP: f64 = 0.7;

/// How much an abbreviation counts beside its words, and they beside it.
pub(super) const SHORT: f64 = 0.9;

/// How much a tool that lacks words of the query falls behind.
pub(super) const COVERAGE: f64 = 0.4;

/// How much a name counts that says nothing else.
pub(super) const EXACTNESS: f64 = 0.25;

/// The factor for a tool whose verb is another than that of the query.
pub(super) const OTHER_VERB: f64 = 0.8;

/// The bonus for two words that are neighbours in the tool as in the query.
pub(super) const BESIDE: f64 = 0.1;

/// By how much a tool goes before the others where the query is its name.
pub(super) const SAME_NAME: f64 = 2.0;
