//! Make's functions, as far as reading alone can evaluate them.

use super::Reader;
use super::expand::TOO_LONG;
use super::include::Found;
use crate::model::shown;
use crate::plugins::makefile::simple::conditions::Weight;
use crate::plugins::makefile::simple::scan::is_space;
use crate::plugins::makefile::simple::text::{cost, of_words};
use crate::plugins::makefile::simple::uname;
use crate::plugins::makefile::simple::variables::{HOLE, Local, Unset, unset};
use crate::plugins::makefile::simple::words::{joined, words};

/// A function's name, and its most arguments (0: any number); the last one includes all further commas.
const FUNCTIONS: &[(&str, usize)] = &[
    ("abspath", 1),
    ("addprefix", 2),
    ("addsuffix", 2),
    ("and", 0),
    ("basename", 1),
    ("call", 0),
    ("dir", 1),
    ("error", 1),
    ("eval", 1),
    ("file", 2),
    ("filter", 2),
    ("filter-out", 2),
    ("findstring", 2),
    ("firstword", 1),
    ("flavor", 1),
    ("foreach", 3),
    ("guile", 1),
    ("if", 3),
    ("info", 1),
    ("intcmp", 5),
    ("join", 2),
    ("lastword", 1),
    ("let", 3),
    ("notdir", 1),
    ("or", 0),
    ("origin", 1),
    ("patsubst", 3),
    ("realpath", 1),
    ("shell", 1),
    ("sort", 1),
    ("strip", 1),
    ("subst", 3),
    ("suffix", 1),
    ("value", 1),
    ("warning", 1),
    ("wildcard", 1),
    ("word", 2),
    ("wordlist", 3),
    ("words", 1),
];

impl Reader<'_> {
    /// Expands `name arguments` if that is a function; `false` when it is not.
    pub(super) fn function(&mut self, inner: &str, open: char, close: char, out: &mut String) -> bool {
        let end = inner.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(inner.len());
        let name = &inner[..end];
        let Some((name, most)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else { return false };
        if !inner[end..].starts_with(is_space) {
            return false;
        }
        let arguments = arguments(inner[end..].trim_start_matches(is_space), *most, open, close);
        match *name {
            "and" | "or" | "if" => self.choose(name, &arguments, out),
            "foreach" => self.for_each(&arguments, out),
            "call" => self.call(&arguments, out),
            "shell" | "guile" | "file" => {
                if *name == "shell"
                    && let Some(known) = self.known_output(arguments.first().copied().unwrap_or_default())
                {
                    out.push_str(known);
                    return true;
                }
                let text = format!("$({})", shown(inner.split('\n').next().unwrap_or(name)));
                self.hole(&text, out);
            }
            "error" | "info" | "warning" => self.say(name, &arguments, out),
            "let" | "intcmp" => self.hole(&format!("$({} …)", *name), out),
            _ => {
                let expanded: Vec<String> = arguments.iter().map(|text| self.argument(text)).collect();
                let expanded: Vec<&str> = expanded.iter().map(String::as_str).collect();
                self.plain(name, &expanded, out);
            }
        }
        true
    }

    /// The output of a shell command, if it is known without running it.
    fn known_output(&mut self, command: &str) -> Option<&'static str> {
        // The parts of an unknown command are not the cause of its hole.
        let outer = std::mem::take(&mut self.trace);
        let command = self.argument(command);
        let inner = std::mem::replace(&mut self.trace, outer);
        let known = uname::printed(&command)?;
        if let Some(variable) = inner.assumed {
            self.trace.assumed.get_or_insert(variable);
        }
        Some(known)
    }

    fn argument(&mut self, text: &str) -> String {
        let mut out = String::new();
        self.expand_into(text, &mut out);
        out
    }

    /// The functions whose arguments are all expanded first.
    fn plain(&mut self, name: &str, arguments: &[&str], out: &mut String) {
        match (name, arguments) {
            ("eval", [text]) => self.evaluate(text),
            ("wildcard", [patterns]) => self.wildcard(patterns, out),
            ("abspath" | "realpath", [names]) => {
                for (place, word) in words(names).enumerate() {
                    if place > 0 {
                        out.push(' ');
                    }
                    match self.absolute(word, name == "realpath") {
                        Some(path) => out.push_str(&path),
                        None => self.hole(&format!("$({name} {})", shown(&word.replace(HOLE, "…"))), out),
                    }
                }
            }
            ("value", [name]) => match self.variables.get(name.trim()) {
                Some(variable) => {
                    let value = variable.value.clone();
                    self.put(&value, out);
                }
                None => self.unknown_unless_unset(name.trim(), out),
            },
            ("origin" | "flavor", [variable]) => self.about(name, variable, out),
            _ if !self.spend(cost(name, arguments)) => self.hole(TOO_LONG, out),
            _ => {
                let text = of_words(name, arguments).unwrap_or_else(|| {
                    let given = joined(arguments.iter().copied()).replace(HOLE, "…");
                    self.trace.cause.get_or_insert_with(|| format!("$({name} {})", shown(&given)));
                    HOLE.to_string()
                });
                out.push_str(&text);
            }
        }
    }

    fn about(&mut self, question: &str, variable: &str, out: &mut String) {
        match (question, self.variables.get(variable)) {
            // Under a condition it may have been set otherwise, or not at all.
            (_, Some(found)) if found.value.contains(HOLE) => {
                self.hole(&format!("$({question} {})", shown(variable)), out);
            }
            ("origin", Some(found)) if found.assumed.is_none() => {
                out.push_str(if found.overriding { "override" } else { "file" });
            }
            ("flavor", Some(found)) => out.push_str(if found.recursive { "recursive" } else { "simple" }),
            (_, None) if unset(variable) == Unset::Assumed => {
                self.trace.assumed.get_or_insert_with(|| variable.to_owned());
                out.push_str("undefined");
            }
            _ => self.hole(&format!("$({question} {})", shown(variable)), out),
        }
    }

    fn unknown_unless_unset(&mut self, name: &str, out: &mut String) {
        match unset(name) {
            Unset::Elsewhere => self.hole(&format!("$(value {})", shown(name)), out),
            Unset::Empty => {}
            Unset::Assumed => _ = self.trace.assumed.get_or_insert_with(|| name.to_owned()),
        }
    }

    /// Reads the argument of `$(eval …)` like lines of the file.
    fn evaluate(&mut self, text: &str) {
        let here = self.at.clone();
        if let Some(line) = here.line {
            let text = text.replace(HOLE, UNKNOWN_WORD);
            let expanding = std::mem::take(&mut self.expanding);
            let trace = std::mem::take(&mut self.trace);
            self.depth += 1;
            self.read(&here.file, &text, Some(line));
            self.depth -= 1;
            self.trace = trace;
            self.expanding = expanding;
        }
        self.at = here;
    }

    fn wildcard(&mut self, patterns: &str, out: &mut String) {
        let mut found = Vec::new();
        for pattern in words(patterns) {
            if pattern.contains(HOLE) {
                found.push(pattern.to_owned());
                continue;
            }
            match self.searched(pattern) {
                Found::Paths(paths) => found.extend(paths),
                Found::NotYet => {}
                Found::Unknown => {
                    self.trace.cause.get_or_insert_with(|| format!("$(wildcard {})", shown(pattern)));
                    found.push(HOLE.to_string());
                }
            }
        }
        self.put(&joined(found.iter().map(String::as_str)), out);
    }

    /// `if`, `or`, `and`: arguments are expanded only as far as they count.
    fn choose(&mut self, name: &str, arguments: &[&str], out: &mut String) {
        if name == "if" {
            let [condition, then, otherwise @ ..] = arguments else { return };
            let holds = self.argument(condition.trim_matches(is_space));
            if holds.is_empty() {
                return self.expand_into(otherwise.first().copied().unwrap_or_default(), out);
            }
            if holds.trim_matches(HOLE).is_empty() {
                return out.push(HOLE);
            }
            return self.expand_into(then, out);
        }
        let mut last = String::new();
        for argument in arguments {
            last = self.argument(argument.trim_matches(is_space));
            if !last.is_empty() && last.trim_matches(HOLE).is_empty() {
                return out.push(HOLE);
            }
            if last.is_empty() == (name == "and") {
                break;
            }
        }
        out.push_str(&last);
    }

    fn for_each(&mut self, arguments: &[&str], out: &mut String) {
        let [name, list, body] = arguments else { return };
        let name = self.argument(name.trim_matches(is_space));
        let list = self.argument(list);
        let mut first = true;
        self.locals.push(Local::Each { name, value: String::new() });
        for word in words(&list) {
            if !first {
                out.push(' ');
            }
            first = false;
            if let Some(Local::Each { value, .. }) = self.locals.last_mut() {
                word.clone_into(value);
            }
            self.expand_into(body, out);
            if !self.spend(1) {
                self.hole(TOO_LONG, out);
                break;
            }
        }
        self.locals.pop();
    }

    /// `$(call name,arguments)`: the variable's value with `$(1)` and so on set.
    fn call(&mut self, arguments: &[&str], out: &mut String) {
        let expanded: Vec<String> = arguments.iter().map(|text| self.argument(text)).collect();
        let Some(name) = expanded.first().map(|name| name.trim_matches(is_space).to_owned()) else { return };
        if FUNCTIONS.iter().any(|(known, _)| *known == name) {
            let arguments: Vec<&str> = expanded[1..].iter().map(String::as_str).collect();
            return self.plain(&name, &arguments, out);
        }
        let Some(variable) = self.variables.get(&name) else {
            return self.unknown_unless_unset(&name, out);
        };
        let (value, cause) = (variable.value.clone(), variable.cause.clone());
        if value.contains(HOLE) {
            self.trace.cause.get_or_insert_with(|| cause.unwrap_or_else(|| format!("$({})", shown(&name))));
        }
        self.locals.push(Local::Call(expanded));
        self.expand_into(&value, out);
        self.locals.pop();
    }

    /// `error` ends make where it counts; `info` and `warning` print.
    fn say(&mut self, name: &str, arguments: &[&str], _out: &mut str) {
        let said = arguments.first().map(|text| self.argument(text)).unwrap_or_default();
        if name == "error" && self.conditions.weight() == Weight::Live {
            let said = shown(&said.replace(HOLE, "…"));
            self.doubt(format!("make stops here with the error \"{said}\", unless it is called otherwise"));
        }
    }
}

/// The word for a hole in text that is read again: a variable that is never known.
const UNKNOWN_WORD: &str = "$(…)";

/// The arguments of a function: split at commas outside of parentheses of its own kind.
fn arguments(text: &str, most: usize, open: char, close: char) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut begin, mut depth) = (0, 0_usize);
    for (place, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth = depth.saturating_sub(1);
        } else if letter == ',' && depth == 0 && out.len() + 1 != most {
            out.push(&text[begin..place]);
            begin = place + 1;
        }
    }
    out.push(&text[begin..]);
    out
}
