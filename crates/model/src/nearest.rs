//! Suggestions for mistyped names.

/// The candidate nearest to a mistyped name, or `None` if none is near enough.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .filter_map(|candidate| Some((slip(typed, candidate)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters a mistyped name is from this one; `None` when that is too far for a slip.
pub fn slip(typed: &str, candidate: &str) -> Option<usize> {
    let length = typed.chars().count();
    let allowed = (length / 3).max(1);
    // The lengths alone rule it out; a name of a megabyte must not be compared letter by letter.
    let is_alike = length.abs_diff(candidate.chars().count()) <= allowed;
    let distance = is_alike.then(|| strsim::damerau_levenshtein(typed, candidate));
    // If no typed letter remains, the candidate has nothing in common with it.
    distance.filter(|distance| *distance <= allowed && *distance < length)
}

/// The number of letters between a mistyped name and this one, for sorting. Long names are compared by their begin.
pub fn distance(typed: &str, candidate: &str) -> usize {
    /// The letters that are compared: a caller chooses how long a name is.
    const COMPARED: usize = 64;
    let begin = |text: &str| text.chars().take(COMPARED).collect::<String>();
    strsim::damerau_levenshtein(&begin(typed), &begin(candidate))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_found_and_a_stranger_is_not() {
        let names = ["default_timeout", "environment", "patterns"];
        assert_eq!(nearest("default_timout", names), Some("default_timeout"));
        assert_eq!(nearest("enviroment", names), Some("environment"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("ü", ["a", "ab"]), None);
        assert_eq!(nearest("rnu", ["runs", "run"]), Some("run"));
        assert_eq!(nearest(&"default_timeout".repeat(100_000), names), None);
    }
}
