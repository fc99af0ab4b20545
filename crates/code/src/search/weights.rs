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

/// All constants of the search.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// How much a word counts by its place.
    pub(super) places: [f64; PLACES],
    /// How much long texts are held back, by place.
    pub(super) lengths: [f64; PLACES],
    /// How soon repetition stops to count.
    pub(super) saturation: f64,
    pub(super) synonym: f64,
    pub(super) slip: f64,
    /// How much an abbreviation counts beside its words, and they beside it.
    pub(super) short: f64,
    /// How much a tool that lacks words of the query falls behind.
    pub(super) coverage: f64,
    /// How much a name counts that says nothing else.
    pub(super) exactness: f64,
    /// The factor for a tool whose verb is another than that of the query.
    pub(super) other_verb: f64,
    /// The bonus for two words that are neighbours in the tool as in the query.
    pub(super) beside: f64,
    /// By how much a tool goes before the others where the query is its name.
    pub(super) same_name: f64,
}

/// Found with the odd lines of `fixtures/search/queries.tsv`.
pub(super) const WEIGHTS: Weights = Weights {
    places: [1.2, 3.0, 2.0, 0.3, 0.85, 0.5],
    lengths: [0.4, 0.0, 0.7, 0.3, 0.4, 0.6],
    saturation: 1.2,
    synonym: 0.7,
    slip: 0.7,
    short: 0.9,
    coverage: 0.4,
    exactness: 0.25,
    other_verb: 0.8,
    beside: 0.1,
    same_name: 2.0,
};
