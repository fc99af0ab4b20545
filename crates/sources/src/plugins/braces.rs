//! Alternatives in braces: `{a,b}`.

/// The texts that a text with alternatives in braces stands for, in order. `each` says what one alternative is. Of about so many
/// on, braces stay as they are.
pub(super) fn alternatives(text: &str, most: usize, each: fn(&str) -> Vec<String>) -> Vec<String> {
    let (mut done, mut open) = (Vec::new(), vec![text.to_owned()]);
    while let Some(text) = open.pop() {
        let braces = text.find('{').and_then(|start| Some((start, start + text[start..].find('}')?)));
        match braces {
            Some((start, end)) if done.len() + open.len() < most => {
                let (before, behind) = (&text[..start], &text[end + 1..]);
                let words = text[start + 1..end].split(',').flat_map(each);
                let mut texts: Vec<String> = words.map(|word| format!("{before}{word}{behind}")).collect();
                texts.reverse();
                open.append(&mut texts);
            }
            _ => done.push(text),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alternative_is_a_text_and_there_are_not_too_many() {
        let each = |word: &str| vec![word.to_owned()];
        for (text, expected) in [("a", "a"), ("a{b,c}d{e,}", "abde abd acde acd"), ("{a", "{a"), ("a}", "a}")]
        {
            assert_eq!(alternatives(text, 100, each).join(" "), expected, "{text}");
        }
        let many = alternatives(&"{a,b}".repeat(1000), 100, each);
        assert!(many.len() < 200, "{}", many.len());
    }
}
