//! Functions of a Python file that decorators make tasks of a runner, read as text.

/// A function with one decorator. One with several stands here once for each.
#[derive(Debug)]
pub(in crate::plugins) struct DecoratedFunction {
    /// The decorator with its arguments, without line breaks.
    pub(in crate::plugins) decorator: String,
    /// The function's name.
    pub(in crate::plugins) function: String,
    /// The first line of its docstring.
    pub(in crate::plugins) description: Option<String>,
    /// The line of its definition.
    pub(in crate::plugins) line: usize,
}

impl DecoratedFunction {
    /// The name that the decorator gives.
    pub(in crate::plugins) fn given_name(&self) -> Option<String> {
        let plain: String = self.decorator.split_whitespace().collect();
        let (_, rest) = plain.split_once("(name=").or_else(|| plain.split_once(",name="))?;
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (name, _) = rest[1..].split_once(quote)?;
        Some(name.to_owned())
    }
}

/// The functions of a file with one of these decorators: `@nox.session`.
pub(in crate::plugins) fn decorated(text: &str, beginnings: &[&str]) -> Vec<DecoratedFunction> {
    let mut found = Vec::new();
    let mut decorators: Vec<String> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if beginnings.iter().any(|beginning| line.starts_with(beginning)) {
            decorators.push(String::new());
        }
        let Some(decorator) = decorators.last_mut() else { continue };
        let Some(rest) = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def ")) else {
            decorator.push_str(line);
            continue;
        };
        let function = rest.split('(').next().unwrap_or_default().trim();
        let body = lines[at..].iter().skip_while(|line| !line.trim_end().ends_with(':')).skip(1);
        let description = docstring(body.map(|line| line.trim()));
        found.extend(decorators.drain(..).map(|decorator| DecoratedFunction {
            decorator,
            function: function.to_owned(),
            description: description.clone(),
            line: at + 1,
        }));
    }
    found
}

/// The first line of the text that describes a function with this body.
fn docstring<'l>(body: impl Iterator<Item = &'l str>) -> Option<String> {
    let mut lines = body.skip_while(|line| line.is_empty() || line.starts_with('#'));
    let first = lines.next()?.trim_start_matches(['r', 'R', 'u', 'U']);
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| first.starts_with(quote))?;
    for line in std::iter::once(&first[quote.len()..]).chain(lines) {
        let (text, is_end) = line.split_once(quote).map_or((line, false), |(text, _)| (text, true));
        if is_end || !text.trim().is_empty() {
            return Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        }
    }
    None
}
