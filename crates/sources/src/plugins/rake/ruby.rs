//! The few shapes of Ruby that Rakefiles are written in: lines, blocks by their margins, literal names and lists.

/// The most lines that one list or one text takes.
const LONGEST: usize = 100;

/// A line of code. A list or a text of several lines is one.
#[derive(Debug, Clone)]
pub(super) struct Line<'t> {
    pub(super) code: &'t str,
    pub(super) margin: usize,
    /// The number of the line, counted from 1.
    pub(super) number: usize,
    /// The first line of the text that stands below it: `<<~DESC`.
    pub(super) heredoc: Option<String>,
}

impl<'t> Line<'t> {
    pub(super) fn starts(&self, words: &str) -> bool {
        self.code.starts_with(words)
    }

    /// Whether it ends a block at its margin or further in.
    pub(super) fn ends_block(&self) -> bool {
        let rest = self.code.strip_prefix("end").or_else(|| self.code.strip_prefix('}'));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    }

    /// The arguments of a call of this method without a receiver.
    pub(super) fn argument(&self, method: &str) -> Option<&'t str> {
        let rest = self.code.strip_prefix(method)?;
        rest.strip_prefix([' ', '(']).map(str::trim_start).filter(|rest| !rest.starts_with('='))
    }

    /// The list, the variables and the first words of a loop: `%w[a b].each do |name|`.
    pub(super) fn each(&self) -> Option<(&'t str, &'t str, &'t str)> {
        if let Some((variable, list)) =
            self.code.strip_prefix("for ").and_then(|code| code.split_once(" in "))
        {
            return Some((list.strip_suffix(" do").unwrap_or(list).trim(), variable.trim(), ""));
        }
        let (before, after) = self.code.split_once('|')?;
        let (variables, rest) = after.split_once('|')?;
        let before = before.trim_end();
        let before = before.strip_suffix("do").or_else(|| before.strip_suffix('{'))?.trim_end();
        before.contains(".each").then_some((before, variables.trim(), rest.trim()))
    }

    /// The class and the arguments of a new object of a library: `Rake::TestTask.new(:unit) do |task|`.
    pub(super) fn new_object(&self) -> Option<(&'t str, &'t str)> {
        let (class, rest) = self.code.split_once(".new").or_else(|| self.code.split_once(".create"))?;
        let class = class.rsplit([' ', '=']).next()?;
        let is_class = class.starts_with(char::is_uppercase)
            && class.chars().all(|c| c.is_alphanumeric() || "_:".contains(c))
            && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        is_class.then_some((class, rest.trim_start_matches(['(', ' '])))
    }

    /// The variable of the block that it begins: `do |task|`.
    pub(super) fn block_variable(&self) -> Option<&'t str> {
        let (_, behind) = self.code.split_once("do |").or_else(|| self.code.split_once("{ |"))?;
        behind.split(['|', ',']).next().map(str::trim)
    }

    /// Whether it only decides, sets a value, or is empty.
    pub(super) fn is_control(&self) -> bool {
        let first = self.code.split([' ', '(']).next().unwrap_or_default();
        let words =
            ["if", "unless", "else", "elsif", "case", "when", "begin", "rescue", "end", "}", "do", ""];
        words.contains(&first) || self.code.contains(" = ") || self.code.contains("||=")
    }
}

/// The lines of a text that hold code.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let code = text.split_once("\n__END__").map_or(text, |(code, _)| code);
    let mut rest = code;
    let mut next = 1;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let number = next;
            let mut end = line_end(rest, 0);
            if rest.starts_with("=begin") {
                let closed = rest.find("\n=end").map_or(rest.len(), |at| line_end(rest, at + 1));
                next += rest[..closed].matches('\n').count();
                rest = &rest[closed..];
                continue;
            }
            // A list, or a text that goes on behind a sign for that, is one line of code.
            for _ in 0..LONGEST {
                let own = rest[..end].trim_end();
                let opens = ["%w[", "%i[", "%w(", "%i("].iter().find_map(|open| own.rfind(open));
                let is_open =
                    opens.is_some_and(|at| !own[at + 3..].contains([']', ')'])) || is_open_value(own);
                if end == rest.len() || !(is_open || own.ends_with(['\\', '+'])) {
                    break;
                }
                end = line_end(rest, end);
            }
            let line = &rest[..end];
            let mut heredoc = None;
            if let Some(word) = heredoc_word(line) {
                let first = &rest[end..line_end(rest, end)];
                heredoc = Some(first.trim().to_owned());
                while end < rest.len() {
                    let closing = line_end(rest, end);
                    let is_last = rest[end..closing].trim() == word;
                    end = closing;
                    if is_last {
                        break;
                    }
                }
            }
            next += rest[..end].matches('\n').count();
            rest = &rest[end..];
            let code = line.trim();
            if !code.is_empty() && !code.starts_with('#') {
                return Some(Line { code, margin: line.len() - line.trim_start().len(), number, heredoc });
            }
        }
    })
}

/// Whether a line leaves a list or a hash open that begins it or is given to a name.
fn is_open_value(line: &str) -> bool {
    let given = ["= [", "= {"].iter().find_map(|open| line.rfind(open)).map(|at| &line[at + 2..]);
    let begins = Some(line.trim_start()).filter(|line| line.starts_with(['[', '{']));
    given.or(begins).is_some_and(|value| value.lines().fold(0, |depth, line| depth + depth_of(line)) > 0)
}

/// How many brackets a line opens more than it closes.
fn depth_of(line: &str) -> i32 {
    let (mut depth, mut quote, mut before) = (0, None, ' ');
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if open == c && before != '\\' => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') if before == ' ' => break,
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth -= 1,
            _ => {}
        }
        before = c;
    }
    depth
}

/// The place behind the line that begins here.
fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}

/// The word that ends the text below a line: `<<~DESC`.
fn heredoc_word(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<<~").or_else(|| line.split_once("<<-"))?;
    let rest = rest.trim_start_matches(['"', '\'']);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|word| word.starts_with(char::is_uppercase))
}

/// A block around a line.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) margin: usize,
    /// The name of the block, where it is a namespace.
    pub(super) namespace: Option<String>,
    /// The variables of a loop.
    pub(super) variables: Vec<String>,
    /// The values that they take in each round, if these are known.
    rows: Option<Rows>,
    pub(super) is_method: bool,
}

impl Block {
    const fn new(margin: usize) -> Self {
        Self { margin, namespace: None, variables: Vec::new(), rows: None, is_method: false }
    }

    pub(super) fn method(margin: usize) -> Self {
        Self { is_method: true, ..Self::new(margin) }
    }

    /// A namespace, whose name only Ruby may know.
    pub(super) fn namespace(margin: usize, name: Option<String>) -> Self {
        Self { namespace: Some(name.unwrap_or_else(|| place(""))), ..Self::new(margin) }
    }

    pub(super) fn loop_over(margin: usize, variables: &str, rows: Option<Rows>) -> Self {
        let variables: Vec<String> = variables.split(',').map(|name| name.trim().to_owned()).collect();
        // Ruby fills more or fewer variables in its own way.
        let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == variables.len()));
        Self { variables, rows, ..Self::new(margin) }
    }
}

/// The values of the variables of one round.
pub(super) type Round<'b> = Vec<(&'b str, &'b str)>;

/// The rounds of loops in each other; `None` where the words of one are not known, or there are too many.
pub(super) fn rounds<'b>(blocks: impl Iterator<Item = &'b Block>, most: usize) -> Option<Vec<Round<'b>>> {
    let mut rounds: Vec<Round<'b>> = vec![Vec::new()];
    for block in blocks {
        let rows = block.rows.as_ref()?;
        if rounds.len() * rows.len() > most {
            return None;
        }
        let with = |round: &Round<'b>, row: &'b Vec<Option<String>>| {
            let named = block.variables.iter().zip(row);
            let known = named.filter_map(|(variable, value)| Some((variable.as_str(), value.as_deref()?)));
            round.iter().copied().chain(known).collect()
        };
        rounds = rounds.iter().flat_map(|round| rows.iter().map(move |row| with(round, row))).collect();
    }
    Some(rounds)
}

/// The place of a variable in a text: `#{name}`.
pub(super) fn place(variable: &str) -> String {
    format!("#{{{variable}}}")
}

/// A text with the values of a round in it; `None` where more than those is pasted in.
pub(super) fn filled(text: &str, round: &Round<'_>) -> Option<String> {
    let filled =
        round.iter().fold(text.to_owned(), |text, (variable, word)| text.replace(&place(variable), word));
    (!filled.contains("#{")).then_some(filled)
}

/// The same for a text to read: what only Ruby knows is `…` there.
pub(super) fn shortened(text: &str, round: &Round<'_>) -> String {
    let mut filled =
        round.iter().fold(text.to_owned(), |text, (variable, word)| text.replace(&place(variable), word));
    while let Some(at) = filled.find("#{") {
        let end = filled[at..].find('}').map_or(filled.len(), |end| at + end + 1);
        filled.replace_range(at..end, "…");
    }
    filled
}

/// The name that a text begins with, literal or of one of these variables: `:name`, `name:`, `"name"`, `"#{variable}"`.
pub(super) fn literal(text: &str, variables: &[&str]) -> Option<String> {
    let text = text.trim_start_matches(['{', ' ']);
    let behind = text.strip_prefix(':').unwrap_or(text);
    let (name, rest) = if behind.starts_with(['"', '\'']) {
        quoted(behind)?
    } else {
        let end = behind.find(|c: char| !c.is_alphanumeric() && !"_?!".contains(c)).unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        let is_literal = behind.len() < text.len() || rest.starts_with(':') && !rest.starts_with("::");
        let is_variable = variables.contains(&name);
        if name.is_empty() || !(is_literal || is_variable) {
            return None;
        }
        (if is_literal { name.to_owned() } else { place(name) }, rest)
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix(".to_sym").or_else(|| rest.strip_prefix(".to_s")).unwrap_or(rest);
    let goes_on = rest.starts_with(['+', '.', '%', '[', '(']) || rest.starts_with("::");
    let is_name = !name.is_empty() && !name.contains(['[', ']']) && !name.contains(char::is_control);
    (is_name && !goes_on).then_some(name)
}

/// The text of a description: `"text"`, `'text' "more"`, `%q{text}`.
pub(super) fn text(code: &str) -> Option<String> {
    if let Some(rest) = code.strip_prefix('%') {
        let rest = rest.trim_start_matches(['q', 'Q']);
        let open = rest.chars().next()?;
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            other => other,
        };
        return rest[open.len_utf8()..].split_once(close).map(|(text, _)| text.to_owned());
    }
    let (mut text, mut rest) = quoted(code)?;
    while let Some((more, behind)) = quoted(rest.trim_start_matches([' ', '\\', '+', '\n', '\r', '\t'])) {
        text.push_str(&more);
        rest = behind;
    }
    Some(text)
}

/// The text in the quotes that this begins with, and what is behind them.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (mut inside, mut depth) = (String::new(), 0_u32);
    let mut letters = text[1..].char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' if depth == 0 => inside.extend(letters.next().map(|(_, escaped)| escaped)),
            '#' if quote == '"' && letters.peek().is_some_and(|(_, next)| *next == '{') => {
                depth += 1;
                inside.push(c);
            }
            '}' if depth > 0 => {
                depth -= 1;
                inside.push(c);
            }
            c if c == quote && depth == 0 => return Some((inside, &text[at + 2..])),
            c => inside.push(c),
        }
    }
    None
}

/// All texts in quotes of a line, without the folder of the file itself before them.
pub(super) fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let Some((text, behind)) = quoted(&rest[at..]) else { break };
        let own = ["#{__dir__}/", "#{File.dirname(__FILE__)}/", "./"];
        let own = own.iter().find_map(|folder| text.strip_prefix(folder)).unwrap_or(&text);
        found.push(own.to_owned());
        rest = behind;
    }
    found
}

/// The values that the variables of a loop take in each round; `None` is one that only Ruby knows.
pub(super) type Rows = Vec<Vec<Option<String>>>;

/// The rounds of a loop over a literal: `%w[a b].each`, `{a: 1}.each_pair`, `LIST.each_with_index`. Other methods may change it.
pub(super) fn rows(code: &str, constants: &[(String, Rows)]) -> Option<Rows> {
    let first = |rows: Rows| rows.into_iter().map(|row| row.into_iter().take(1).collect()).collect();
    let called = code.rsplit_once('.').filter(|(_, method)| method.starts_with("each"));
    // `for name in %w[a b]` calls nothing.
    let Some((value, method)) = called else { return literal_rows(code, constants) };
    let value = value.strip_suffix(".freeze").unwrap_or(value);
    let keys = value.strip_suffix(".keys");
    match method {
        "each_key" => Some(first(literal_rows(value, constants)?)),
        "each" if keys.is_some() => Some(first(literal_rows(keys?, constants)?)),
        "each" | "each_pair" => literal_rows(value, constants),
        "each_with_index" => {
            let rows = literal_rows(value, constants)?.into_iter().enumerate();
            Some(rows.map(|(at, row)| row.into_iter().chain([Some(at.to_string())]).collect()).collect())
        }
        _ => None,
    }
}

/// The rows of a literal list or hash, or of a constant with one: `%w[a b]`, `[:a, "b"]`, `[[:a, "b"]]`, `{a: "b"}`.
fn literal_rows(code: &str, constants: &[(String, Rows)]) -> Option<Rows> {
    let code = code.trim();
    if let Some((_, rows)) = constants.iter().find(|(name, _)| name == code) {
        return Some(rows.clone());
    }
    if let Some(rest) = code.strip_prefix("%w").or_else(|| code.strip_prefix("%i")) {
        let (inside, behind) = rest.get(1..)?.split_once([']', ')', '}', '|'])?;
        return is_end(behind)
            .then(|| inside.split_whitespace().map(|word| vec![Some(word.to_owned())]).collect());
    }
    let code = code.strip_suffix(".freeze").unwrap_or(code);
    if let Some(inside) = code.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return parts(inside)?.into_iter().map(pair).collect();
    }
    let inside =
        |code: &'_ str| code.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::to_owned);
    let row = |part: &str| match inside(part) {
        Some(inside) => Some(parts(&inside)?.into_iter().map(value).collect()),
        None => literal(part, &[]).filter(|name| !name.contains("#{")).map(|name| vec![Some(name)]),
    };
    parts(&inside(code)?)?.into_iter().map(row).collect()
}

/// The parts between commas that stand in no brackets; `None` where the brackets do not match.
fn parts(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    Some(parts)
}

/// The key and the value of an entry of a hash: `a: 1`, `"a" => 1`, `:a => 1`.
fn pair(entry: &str) -> Option<Vec<Option<String>>> {
    let key = literal(entry, &[]).filter(|key| !key.contains("#{"))?;
    let behind = match quoted(entry) {
        Some((_, rest)) => rest.trim_start().strip_prefix("=>").or_else(|| rest.strip_prefix(':'))?,
        None if entry.starts_with(':') => entry.split_once("=>")?.1,
        None => entry.split_once(':')?.1,
    };
    Some(vec![Some(key), value(behind.trim())])
}

/// A literal text, name or number.
fn value(code: &str) -> Option<String> {
    let is_number = !code.is_empty() && code.chars().all(|c| c.is_ascii_digit());
    let known = match code.strip_prefix(':') {
        Some(_) => literal(code, &[]),
        None => quoted(code).filter(|(_, rest)| rest.trim().is_empty()).map(|(text, _)| text),
    };
    known.filter(|text| !text.contains("#{")).or_else(|| is_number.then(|| code.to_owned()))
}

/// Whether nothing changes a list behind its bracket.
fn is_end(behind: &str) -> bool {
    behind.strip_prefix(".freeze").unwrap_or(behind).trim_start().is_empty()
}

/// The names that a text gives to literal lists and hashes.
pub(super) fn constants(text: &str) -> Vec<(String, Rows)> {
    let constant = |line: Line<'_>| {
        let (name, value) = line.code.split_once(" = ")?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        Some((name.to_owned(), is_name.then(|| literal_rows(value, &[]))??))
    };
    lines(text).filter_map(constant).collect()
}
