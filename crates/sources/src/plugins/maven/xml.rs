//! The tags of a text in XML, as far as they say whether it can be parsed.

/// The line of the first tag that makes a text no XML, and the reason. A text that is empty up to now has none.
pub(super) fn xml_fault(text: &str) -> Option<(usize, String)> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|found| at + found) {
        let tag = &text[start..];
        let Some(length) = length(tag) else { return Some((line(start), "a tag has no end".to_owned())) };
        at = start + length;
        let inside = &tag[1..length - 1];
        if inside.starts_with(['!', '?']) || inside.ends_with('/') {
            continue;
        }
        let name = inside.trim_start_matches('/').split(char::is_whitespace).next().unwrap_or_default();
        if !inside.starts_with('/') {
            open.push((name, start));
        } else if open.pop().is_none_or(|(other, _)| other != name) {
            return Some((line(start), format!("</{name}> closes no tag that is open there")));
        }
    }
    open.pop().map(|(name, start)| (line(start), format!("<{name}> is not closed")))
}

/// The length of the tag, the comment or the like that a text begins with.
fn length(text: &str) -> Option<usize> {
    let close = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
    if let Some((begin, end)) = close.iter().find(|(begin, _)| text.starts_with(begin)) {
        return Some(begin.len() + text[begin.len()..].find(end)? + end.len());
    }
    let (mut quote, mut depth, mut at) = (None, 0_usize, 0);
    while let Some(c) = text[at..].chars().next() {
        let inner = &text[at..];
        // A document type has comments and the like in it.
        let mut nested = close.iter().filter(|_| at > 0 && quote.is_none());
        if let Some((begin, end)) = nested.find(|(begin, _)| inner.starts_with(begin)) {
            at += begin.len() + inner[begin.len()..].find(end)? + end.len();
            continue;
        }
        at += c.len_utf8();
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '<') => depth += 1,
            (None, '>') if depth == 1 => return Some(at),
            (None, '>') => depth -= 1,
            _ => {}
        }
        // A tag has no other in it, but for the declarations of a document type.
        if depth > 1 && !text.starts_with("<!") {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_do_not_match_have_their_line() {
        let sound = "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY b \"<c>\">]>\n<!-- <d> -->\n<a x=\"1>0\">\n<b/>\
                     <![CDATA[<e>]]><c\n  y='/'>it's</c ></a>\n";
        for (text, expected) in [
            ("", "-"),
            (sound, "-"),
            ("<!DOCTYPE a [\n<!-- don't > -->\n<?x it's?>\n<!ENTITY b \"c\">]><a/>", "-"),
            ("<a>\n<b>\n</a>\n", "3: </a> closes no tag that is open there"),
            ("<a>\n<b>\n</b>\n", "1: <a> is not closed"),
            ("<a>\n<b\n</a>\n", "2: a tag has no end"),
            ("<a/>\n</a>\n", "2: </a> closes no tag that is open there"),
            ("<a>\n<!-- b\n</a>\n", "2: a tag has no end"),
        ] {
            let found = xml_fault(text).map(|(line, why)| format!("{line}: {why}"));
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{text}");
        }
    }
}
