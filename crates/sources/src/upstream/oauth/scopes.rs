//! Sets of scopes as texts with spaces between.

/// Every scope of these texts once, in their order; `None` where there is none.
pub(super) fn union<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut all: Vec<&str> = Vec::new();
    for scope in texts.into_iter().flat_map(str::split_ascii_whitespace) {
        if !all.contains(&scope) {
            all.push(scope);
        }
    }
    (!all.is_empty()).then(|| all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_is_there_once() {
        assert_eq!(union(["a b", "", "b  c"]).as_deref(), Some("a b c"));
        assert_eq!(union(["", " "]), None);
    }
}
