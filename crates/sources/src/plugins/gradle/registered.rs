//! The tasks that a build file in Kotlin or Groovy registers by plain names. The file is read as text, by its braces.

use crate::plugins::literal::literal;

/// The most tasks of one file.
const MOST: usize = 1000;

/// How deep blocks are followed.
const DEEPEST: usize = 8;

/// A build file, read.
#[derive(Debug, Default)]
pub(super) struct BuildFile {
    pub(super) tasks: Vec<RegisteredTask>,
    /// The line of the first task whose name or presence only Gradle knows.
    pub(super) unsettled: Option<usize>,
}

/// A task of a build file.
#[derive(Debug)]
pub(super) struct RegisteredTask {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) line: usize,
}

/// A block of a build file.
enum BuildBlock {
    /// A block whose statements count as those around it: `allprojects`, `subprojects`.
    Plain,
    /// The same, where `register` is that of `tasks`.
    Tasks,
    /// The same for each of these words, which its variable stands for.
    Each(String, Vec<String>),
    /// The body of the tasks from this one on.
    Task(usize),
    /// Whether it is run only Gradle knows.
    Other,
}

/// Reads a text.
pub(super) fn read(text: &str) -> BuildFile {
    let (code, shape) = (masked(text, false), masked(text, true));
    let mut reading = BuildReading { found: BuildFile::default(), rounds: 0, blocks: Vec::new() };
    let (mut start, mut depth, mut line, mut counted) = (0, 0_usize, 1, 0);
    let mut depths: Vec<usize> = Vec::new();
    for (at, byte) in shape.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'\n' | b';' if depth > 0 => {}
            b'{' | b'}' | b'\n' | b';' => {
                let statement = &code[start..at];
                let begins = start + statement.len() - statement.trim_start().len();
                line += code[counted..begins].matches('\n').count();
                counted = begins;
                let block = reading.statement(statement.trim(), line);
                match byte {
                    b'{' => {
                        let variable = variable(&shape[at + 1..]);
                        reading.blocks.push(block.named(variable));
                        depths.push(std::mem::take(&mut depth));
                    }
                    b'}' => {
                        reading.blocks.pop();
                        depth = depths.pop().unwrap_or_default();
                    }
                    _ => {}
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    line += code[counted..].trim_end().matches('\n').count();
    _ = reading.statement(code[start..].trim(), line);
    reading.found
}

/// The text with blanks for its comments, and for the inside of its strings as well where those are `hidden`.
fn masked(text: &str, hidden: bool) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = |from: usize, close: &str| rest[from..].find(close).map(|at| from + at + close.len());
        let (length, is_hidden) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), true),
            '/' if rest.starts_with("/*") => (end(2, "*/").unwrap_or(rest.len()), true),
            '"' | '\'' => {
                let triple = if first == '"' { "\"\"\"" } else { "\'\'\'" };
                let length = if rest.starts_with(triple) { end(3, triple) } else { string_end(rest, first) };
                (length.unwrap_or(rest.len()), hidden)
            }
            other => (other.len_utf8(), false),
        };
        let (part, behind) = rest.split_at(length);
        if is_hidden {
            // A line that ends inside of a text ends no statement.
            let is_comment = first == '/';
            masked.extend(part.bytes().map(|byte| if byte == b'\n' && is_comment { '\n' } else { ' ' }));
        } else {
            masked.push_str(part);
        }
        rest = behind;
    }
    masked
}

/// The end of a string in its line.
fn string_end(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return Some(at),
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The variable that a block begins with: `name ->`.
fn variable(block: &str) -> Option<&str> {
    let block = block.trim_start();
    let end = block.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(block.len());
    let (name, rest) = block.split_at(end);
    rest.trim_start_matches(' ').strip_prefix("->").map(|_| name).filter(|name| is_name(name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

impl BuildBlock {
    /// The same block, with the name that it gives its variable.
    fn named(self, name: Option<&str>) -> Self {
        match (self, name) {
            (Self::Each(_, words), Some(name)) => Self::Each(name.to_owned(), words),
            (other, _) => other,
        }
    }
}

struct BuildReading {
    found: BuildFile,
    /// The rounds of loops that made tasks up to now.
    rounds: usize,
    blocks: Vec<BuildBlock>,
}

impl BuildReading {
    /// Reads a statement, or the words before a block; the block that these begin.
    fn statement(&mut self, code: &str, line: usize) -> BuildBlock {
        let code = match code.split_once("->") {
            Some((name, rest)) if is_name(name.trim()) => rest.trim(),
            _ => code,
        };
        if let Some(BuildBlock::Task(first)) = self.blocks.last() {
            if let Some(own) = code.strip_prefix("description") {
                let text = own.trim_start_matches([' ', '=', '(']);
                self.describe(*first, literal(text).map(|(text, _)| text));
            }
            return BuildBlock::Other;
        }
        if self.blocks.len() < DEEPEST {
            match code {
                "allprojects" | "subprojects" => return BuildBlock::Plain,
                "tasks" => return BuildBlock::Tasks,
                _ => {}
            }
            if let Some((variable, words)) = each(code) {
                return BuildBlock::Each(variable.to_owned(), words);
            }
        }
        let around = self.blocks.iter().rev().find(|block| !matches!(block, BuildBlock::Each(..)));
        let Some((name, own)) = declared(code, matches!(around, Some(BuildBlock::Tasks))) else {
            return BuildBlock::Other;
        };
        let is_plain =
            !self.blocks.iter().any(|block| matches!(block, BuildBlock::Other | BuildBlock::Task(_)));
        let first = self.found.tasks.len();
        let name = name.filter(|_| is_plain && self.rounds <= MOST);
        let mut names = name.map(|name| self.filled(&name)).unwrap_or_default();
        self.rounds += names.len();
        if names.is_empty() || !names.iter().all(|name| is_name(name)) || first + names.len() > MOST {
            self.found.unsettled.get_or_insert(line);
            return BuildBlock::Other;
        }
        names.retain(|name| self.found.tasks.iter().all(|other| other.name != *name));
        let task = |name| RegisteredTask { name, description: None, line };
        self.found.tasks.extend(names.into_iter().map(task));
        let described = own.split_once("description:").and_then(|(_, text)| literal(text));
        self.describe(first, described.map(|(text, _)| text));
        BuildBlock::Task(first)
    }

    /// The texts that a text stands for in the loops around it, one for each round.
    fn filled(&self, text: &str) -> Vec<String> {
        let mut texts = vec![text.to_owned()];
        for block in &self.blocks {
            let BuildBlock::Each(variable, words) = block else { continue };
            let places = [format!("${{{variable}}}"), format!("${variable}")];
            let round = |text: &String, word: &String| {
                places.iter().fold(text.clone(), |text, place| text.replace(place, word))
            };
            texts = texts
                .iter()
                .flat_map(|text| words.iter().map(|word| round(text, word)))
                .take(MOST + 1)
                .collect();
        }
        texts
    }

    /// Describes the tasks from this one on.
    fn describe(&mut self, first: usize, text: Option<&str>) {
        let Some(text) = text else { return };
        let texts = self.filled(text);
        for (task, text) in self.found.tasks[first..].iter_mut().zip(texts) {
            task.description.get_or_insert(text);
        }
    }
}

/// The name that a statement registers a task by, with the variables of loops in it, and the rest of the statement. A name
/// that only Gradle knows is `None`.
fn declared(code: &str, is_in_tasks: bool) -> Option<(Option<String>, &str)> {
    let front = ["private ", "internal ", "final "].iter().find_map(|word| code.strip_prefix(word));
    let mut code = front.unwrap_or(code);
    if let Some(rest) = ["val ", "var ", "def "].iter().find_map(|word| code.strip_prefix(word)) {
        if let Some((name, made)) = rest.split_once(" by ") {
            let made = made.trim_start();
            let made = made.strip_prefix("tasks.").or_else(|| is_in_tasks.then_some(made))?;
            let is_made = ["registering", "creating"].iter().any(|word| made.starts_with(word));
            return is_made.then(|| (name.split(':').next().map(|name| name.trim().to_owned()), ""));
        }
        code = rest.split_once('=')?.1.trim_start();
    }
    let methods = ["tasks.register", "tasks.create", "task", "register", "create"];
    let methods = &methods[..if is_in_tasks { 5 } else { 3 }];
    let rest = methods.iter().find_map(|own| code.strip_prefix(own))?;
    let is_plain = rest.starts_with(' ');
    // Copy in `register<Copy>("name")`.
    let rest = match rest.strip_prefix('<') {
        Some(behind) => behind.split_once(">(")?.1,
        None => rest.strip_prefix(['(', ' '])?.trim_start_matches([' ', '(']),
    };
    let rest = rest.trim_start();
    let is_end = |rest: &str| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with([')', ',', '(']) || rest.starts_with("<<")
    };
    if let Some((name, behind)) = literal(rest) {
        // Between single quotes a sign is itself.
        let is_known = is_end(behind) && !(rest.starts_with('\'') && name.contains('$'));
        return Some((is_known.then(|| name.to_owned()), behind));
    }
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    if code.starts_with("task ") && is_plain {
        // `task name(type: Copy)` of Groovy.
        return (!name.is_empty() && is_end(behind)).then(|| (Some(name.to_owned()), behind));
    }
    Some((is_end(behind).then(|| format!("${name}")), behind))
}

/// The variable and the words of a loop over a literal list: `listOf("a", "b").forEach`, `['a', 'b'].each`, `for (x in …)`.
fn each(code: &str) -> Option<(&str, Vec<String>)> {
    let (variable, list) = match code.strip_prefix("for") {
        Some(rest) => {
            let (variable, list) = rest.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(" in ")?;
            (variable.trim(), list)
        }
        None => ("it", [".forEach", ".each"].iter().find_map(|end| code.strip_suffix(end))?),
    };
    let mut rest =
        ["listOf(", "setOf(", "arrayOf(", "["].iter().find_map(|own| list.trim().strip_prefix(own))?;
    rest = rest.strip_suffix([')', ']'])?;
    let mut words = Vec::new();
    while !rest.trim().is_empty() {
        let (word, behind) = literal(rest)?;
        words.push(word.to_owned());
        rest = behind.trim_start();
        rest = if rest.is_empty() { rest } else { rest.strip_prefix(',')? };
    }
    Some((variable, words))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn picture(text: &str) -> String {
        let found = read(text);
        let mut out = String::new();
        for task in found.tasks {
            writeln!(out, "{} {}: {}", task.line, task.name, task.description.as_deref().unwrap_or("-"))
                .unwrap();
        }
        out + &found.unsettled.map(|line| format!("{line} only Gradle knows")).unwrap_or_default()
    }

    #[test]
    fn tasks_of_kotlin_are_read() {
        insta::assert_snapshot!(picture(
            r#"tasks.register("one") { description = "In one line"; group = "x" }
val two = tasks.register<Copy>("second") {
    from("{") // }
    description = "Braces in texts {"
}
private val three by tasks.registering(Copy::class) { description = "By delegate" }
val four: TaskProvider<Task> by tasks.creating
allprojects {
    repositories { mavenCentral() }
    tasks.register("all") { doLast { println("description = x") } }
}
subprojects { tasks.register("sub") }
tasks {
    register<Zip>("zip") { description = "In tasks" }
    val own by registering
    named("test") { description = "Not this" }
}
listOf("a", "b").forEach { tasks.register(it) { description = "Build $it" } }
for (kind in listOf("x", "y")) {
    listOf("1", "2").forEach { n ->
        tasks.register("run${kind}$n") {
            description = "Run"
        }
    }
}
/* tasks.register("comment") */
configurations { create("not") }
tasks.register(
    "lines",
)
val text = """
tasks.register("text")
"""
"#
        ), @"
        1 one: In one line
        2 second: Braces in texts {
        6 three: By delegate
        7 four: -
        10 all: -
        12 sub: -
        14 zip: In tasks
        15 own: -
        18 a: Build a
        18 b: Build b
        21 runx1: Run
        21 runx2: Run
        21 runy1: Run
        21 runy2: Run
        28 lines: -
        ");
        insta::assert_snapshot!(picture("if (x) {\n  tasks.register(\"a\")\n}\ntasks.register(\"b\")"), @"
        4 b: -
        2 only Gradle knows
        ");
        insta::assert_snapshot!(picture("tasks.register(name)"), @"1 only Gradle knows");
        insta::assert_snapshot!(picture("tasks.register(\"a$b\") {\n}"), @"1 only Gradle knows");
        insta::assert_snapshot!(picture("names.forEach { tasks.register(it) }"), @"1 only Gradle knows");
    }

    #[test]
    fn tasks_of_groovy_are_read() {
        insta::assert_snapshot!(picture(
            "task one(description: 'In brackets') { }\n\
             task two(type: Copy, description: \"Copy\") {\n  from 'a'\n}\n\
             task three {\n  description 'Plain'\n  group = 'x'\n}\n\
             task('four') { description = 'Four' }\n\
             def five = tasks.register('five', Copy) {\n  description = 'Five'\n}\n\
             tasks.register 'six'\n\
             ['a', 'b'].each { task \"x$it\" { description \"Do $it\" } }\n\
             ['c'].each { n ->\n  task \"y${n}\"(type: Copy)\n  tasks.create(n)\n}\n\
             tasks.test { description = 'no' }\n\
             taskGraph.whenReady { }\n\
             task old << { println 'x' }\n"
        ), @"
        1 one: In brackets
        2 two: Copy
        5 three: Plain
        9 four: Four
        10 five: Five
        13 six: -
        14 xa: Do a
        14 xb: Do b
        16 yc: -
        17 c: -
        21 old: -
        ");
        insta::assert_snapshot!(picture("task 'a' + b"), @"1 only Gradle knows");
        insta::assert_snapshot!(picture("['a'].each { task 'x$it' }"), @"1 only Gradle knows");
    }

    #[test]
    fn odd_texts_end() {
        for text in [
            "{",
            "}",
            "tasks.register(",
            "task ",
            "val x by ",
            "\"",
            "/*",
            "'''",
            "for (",
            "listOf(.forEach {",
        ] {
            assert!(read(text).tasks.is_empty(), "{text}");
        }
        let many = "listOf(\"a\", \"b\").forEach { N -> ".to_owned();
        let many: String = (0..40).map(|at| many.replace('N', &format!("n{at}"))).collect();
        assert_eq!(read(&format!("{many}tasks.register(\"x\")")).tasks.len(), 0);
    }
}
