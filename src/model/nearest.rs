//! Near misses: what somebody probably meant.

/// The candidate nearest to a mistyped name, or `None` when nothing is near enough to be meant.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = typed.chars().count();
    let allowed = (length / 3).max(1);
    candidates
        .into_iter()
        // The lengths alone rule it out; a name of a megabyte must not be compared letter by letter.
        .filter(|candidate| length.abs_diff(candidate.chars().count()) <= allowed)
        .map(|candidate| (strsim::damerau_levenshtein(typed, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
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
        assert_eq!(nearest(&"default_timeout".repeat(100_000), names), None);
    }
}
