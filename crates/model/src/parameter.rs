//! The parameters that a project declares for a task of its own, and the words by which its program takes them.

use serde_json::{Map, Value, json};

use super::{BadCall, counted, shown};

/// One parameter of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: `target`.
    pub name: String,
    /// The project's words about it.
    pub about: Option<String>,
    /// The way in which it is given.
    pub form: ParameterForm,
    /// Whether a call must give it.
    pub is_required: bool,
    /// Whether it takes all words that are left, up to `most`.
    pub is_variadic: bool,
    /// The most words that it takes, if it is variadic and bounded.
    pub most: Option<usize>,
    /// Its value where a call leaves it out, if that is a plain text.
    pub default: Option<String>,
    /// The only values that it takes; all, if there are none here.
    pub choices: Vec<String>,
}

/// The way in which a parameter is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ParameterForm {
    /// By its place among the words.
    #[default]
    Placed,
    /// By an option, `--name=value` or `-n value`; a switch is an option without a value.
    Option {
        /// The long name, without dashes.
        long: Option<String>,
        /// The letter.
        short: Option<String>,
        /// Whether it takes no value.
        is_switch: bool,
    },
    /// As a variable of the task: `NAME=value`.
    Variable,
}

impl Parameter {
    /// A parameter that is given by its place.
    pub fn placed(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A variable of a task.
    pub fn variable(name: impl Into<String>) -> Self {
        Self { form: ParameterForm::Variable, ..Self::placed(name) }
    }

    /// Whether it is an option, with a value or without.
    pub fn is_option(&self) -> bool {
        matches!(self.form, ParameterForm::Option { .. })
    }

    fn is_switch(&self) -> bool {
        matches!(self.form, ParameterForm::Option { is_switch: true, .. })
    }

    /// Its usage: `TARGET`, `[MODE]`, `[FILES]...`, `[--name=NAME]`, `STAGE=dev|prod`.
    pub fn usage(&self) -> String {
        let upper = self.name.to_uppercase();
        let value = if self.choices.is_empty() { upper } else { self.choices.join("|") };
        let mut usage = match &self.form {
            ParameterForm::Placed => value,
            ParameterForm::Variable if self.choices.is_empty() => format!("{}=…", self.name),
            ParameterForm::Variable => format!("{}={value}", self.name),
            ParameterForm::Option { long: Some(long), is_switch: true, .. } => format!("--{long}"),
            ParameterForm::Option { long: Some(long), .. } => format!("--{long}={value}"),
            ParameterForm::Option { short, is_switch: true, .. } => {
                format!("-{}", short.as_deref().unwrap_or_default())
            }
            ParameterForm::Option { short, .. } => {
                format!("-{} {value}", short.as_deref().unwrap_or_default())
            }
        };
        if let Some(default) = self.default.as_ref().filter(|default| !default.is_empty()) {
            usage = format!("{usage}={default}");
        }
        if !self.is_required {
            usage = format!("[{usage}]");
        }
        if self.is_variadic { usage + "..." } else { usage }
    }

    /// Its JSON Schema, as the property of a call.
    pub fn schema(&self) -> Value {
        let mut text = json!({"type": "string"});
        if !self.choices.is_empty() {
            text["enum"] = json!(self.choices);
        }
        let mut schema = match (self.is_switch(), self.is_variadic) {
            (true, _) => json!({"type": "boolean"}),
            (false, true) => json!({"type": "array", "items": text}),
            (false, false) => text,
        };
        if let Some(default) = self.default.as_ref().filter(|_| !self.is_variadic && !self.is_switch()) {
            schema["default"] = json!(default);
        }
        if let Some(about) = &self.about {
            schema["description"] = json!(about);
        }
        schema
    }

    /// Whether a word is its option; the letter takes no value behind `=`.
    fn is_named(&self, word: &str, has_value: bool) -> bool {
        let ParameterForm::Option { long, short, .. } = &self.form else { return false };
        let is_long = long.as_deref().is_some_and(|long| word.strip_prefix("--") == Some(long));
        let is_short = short.as_deref().is_some_and(|short| word.strip_prefix('-') == Some(short));
        is_long || is_short && !has_value
    }

    /// Checks that a value is one of the choices, where there are some.
    fn check_choice(&self, value: &str) -> Result<(), BadCall> {
        if self.choices.is_empty() || self.choices.iter().any(|choice| choice == value) {
            return Ok(());
        }
        let what = format!("args: {} cannot be \"{}\"", shown(&self.name), shown(value));
        Err(BadCall::invalid(what).help(format!("it is one of {}", shown(&self.choices.join(", ")))))
    }

    /// The words that give it this value.
    fn words(&self, value: &Value) -> Result<Vec<String>, BadCall> {
        let wrong = |what: &str| {
            BadCall::invalid(format!("{}: {what}, not {}", shown(&self.name), shown(&value.to_string())))
        };
        if let ParameterForm::Option { long, short, is_switch: true } = &self.form {
            let word = long.as_ref().map(|long| format!("--{long}"));
            let word = word.or_else(|| short.as_ref().map(|short| format!("-{short}")));
            let is_on = value.as_bool().ok_or_else(|| wrong("it is true or false"))?;
            return Ok(word.into_iter().filter(|_| is_on).collect());
        }
        let list = match value {
            Value::Array(list) if self.is_variadic => list.iter().collect(),
            one => vec![one],
        };
        let text = |one: &Value| match one {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Bool(is) => Ok(is.to_string()),
            _ => Err(wrong(if self.is_variadic { "it is a list of texts" } else { "it is a text" })),
        };
        let mut words = Vec::new();
        for one in list {
            let text = text(one)?;
            match &self.form {
                ParameterForm::Placed => words.push(text),
                ParameterForm::Variable => words.push(format!("{}={text}", self.name)),
                ParameterForm::Option { long: Some(long), .. } => words.push(format!("--{long}={text}")),
                ParameterForm::Option { short, .. } => {
                    words.extend([format!("-{}", short.as_deref().unwrap_or_default()), text]);
                }
            }
        }
        Ok(words)
    }
}

/// The words for the parameters that are among these arguments by their names, and the arguments without them.
///
/// # Errors
/// When a value is of another type, or one that is given by its place stands behind one that is not given.
pub fn words_by_name(
    parameters: &[Parameter],
    arguments: &Map<String, Value>,
) -> Result<(Vec<String>, Map<String, Value>), BadCall> {
    let (mut options, mut placed, mut rest) = (Vec::new(), Vec::new(), arguments.clone());
    for (at, own) in parameters.iter().enumerate() {
        let value = rest.shift_remove(&own.name).filter(|value| !value.is_null());
        let is_placed = |own: &&Parameter| own.form == ParameterForm::Placed;
        let behind = parameters[at + 1..].iter().filter(is_placed).find(|next| rest.contains_key(&next.name));
        match (value, &own.default, behind) {
            (Some(value), ..) if own.form == ParameterForm::Placed => placed.extend(own.words(&value)?),
            (Some(value), ..) => options.extend(own.words(&value)?),
            (None, Some(default), Some(_)) if own.form == ParameterForm::Placed => {
                placed.push(default.clone());
            }
            (None, None, Some(next)) if own.form == ParameterForm::Placed => {
                let what =
                    format!("{} is given by its place, behind {}", shown(&next.name), shown(&own.name));
                return Err(BadCall::invalid(what).help(format!("give {} too", shown(&own.name))));
            }
            (None, ..) => {}
        }
    }
    options.extend(placed);
    Ok((options, rest))
}

/// Holds the words of a call to what a task declares, so that none is read as anything else. `noun` is the word for the task.
///
/// # Errors
/// When there are too few or too many, for an option that is not one of these, and for a value that is none of the choices.
pub fn fit_parameters(parameters: &[Parameter], noun: &str, words: &[&str]) -> Result<(), BadCall> {
    let (options, others): (Vec<&Parameter>, Vec<&Parameter>) =
        parameters.iter().partition(|own| own.is_option());
    let plain = if options.is_empty() {
        if words.contains(&"--") {
            let help = format!("leave it out: this {noun} has no options that it could end");
            return Err(BadCall::refused("args: \"--\" is no argument").help(help));
        }
        words.to_vec()
    } else {
        without_options(words, &options, noun)?
    };
    let (variables, placed): (Vec<&Parameter>, Vec<&Parameter>) =
        others.into_iter().partition(|own| own.form == ParameterForm::Variable);
    let (mut given, mut count) = (Vec::new(), 0);
    for word in plain {
        let assigned = word
            .split_once('=')
            .and_then(|(name, value)| Some((*variables.iter().find(|own| own.name == name)?, value)));
        if let Some((own, value)) = assigned {
            own.check_choice(value)?;
            given.push(own);
        } else {
            placed.get(count).or(placed.last()).map_or(Ok(()), |own| own.check_choice(word))?;
            count += 1;
        }
    }
    if let Some(lacking) = variables.into_iter().find(|own| own.is_required && !given.contains(own)) {
        let what = format!("args: {} is not given", shown(&lacking.name));
        return Err(BadCall::invalid(what).help(format!("add {}", shown(&lacking.usage()))));
    }
    fit_in_count(count, &placed, noun)
}

/// The words that are neither options nor values of these.
fn without_options<'w>(
    words: &[&'w str],
    options: &[&Parameter],
    noun: &str,
) -> Result<Vec<&'w str>, BadCall> {
    let (mut plain, mut words) = (Vec::new(), words.iter());
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            plain.push(*word);
            continue;
        }
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let option = options.iter().find(|own| own.is_named(name, value.is_some()));
        let value = match (option.map(|own| own.is_switch()), value) {
            (Some(true), None) => continue,
            (Some(false), None) => words.next().copied().filter(|value| !value.starts_with('-')),
            (Some(false), value) => value,
            (Some(true) | None, _) => None,
        };
        let (Some(option), Some(value)) = (option, value) else {
            let what = format!("args: \"{}\" is no whole option of this {noun}", shown(word));
            let help = "write options as the description has them: --name=value";
            return Err(BadCall::refused(what).help(help));
        };
        option.check_choice(value)?;
    }
    Ok(plain)
}

/// Checks that a task takes so many words by their places: its runner may read those beyond as further tasks.
fn fit_in_count(count: usize, placed: &[&Parameter], noun: &str) -> Result<(), BadCall> {
    let least = placed.iter().filter(|own| own.is_required).count();
    let most = match placed.iter().find(|own| own.is_variadic) {
        None => Some(placed.len()),
        Some(own) => own.most.map(|most| placed.len() - 1 + most),
    };
    if count < least {
        let what =
            format!("args: this {noun} takes at least {}, not {count}", counted(least as u64, "argument"));
        return Err(BadCall::invalid(what).help("give one for each parameter that the description names"));
    }
    if let Some(most) = most.filter(|most| count > *most) {
        let what =
            format!("args: this {noun} takes at most {}, not {count}", counted(most as u64, "argument"));
        return Err(BadCall::refused(what).help("leave out the rest, which could run as something else"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, short: &str, is_switch: bool) -> Parameter {
        let form = ParameterForm::Option { long: Some(name.into()), short: Some(short.into()), is_switch };
        Parameter { form, ..Parameter::placed(name) }
    }

    fn declared() -> Vec<Parameter> {
        vec![
            Parameter { choices: vec!["dev".into(), "prod".into()], ..Parameter::variable("STAGE") },
            option("level", "l", false),
            option("all", "a", true),
            Parameter { default: Some("x".into()), ..Parameter::placed("first") },
            Parameter::placed("second"),
            Parameter { is_variadic: true, ..Parameter::placed("rest") },
        ]
    }

    #[test]
    fn values_become_words_by_their_names() {
        for (given, expected) in [
            (json!({}), ""),
            (
                json!({"STAGE": "dev", "level": 3, "all": true, "timeout": 1}),
                "STAGE=dev --level=3 --all; timeout",
            ),
            (json!({"all": false, "first": "a", "second": "b", "rest": ["c", "d"]}), "a b c d"),
            (json!({"second": "b"}), "x b"),
            (json!({"first": null, "second": true}), "x true"),
            (json!({"rest": ["c"]}), "!rest is given by its place, behind second (give second too)"),
            (json!({"all": "yes"}), "!all: it is true or false, not \"yes\" ()"),
            (json!({"first": {}}), "!first: it is a text, not {} ()"),
            (json!({"second": "b", "rest": [[]]}), "!rest: it is a list of texts, not [[]] ()"),
        ] {
            let said = match words_by_name(&declared(), given.as_object().unwrap()) {
                Ok((words, rest)) => {
                    let rest: Vec<&str> = rest.keys().map(String::as_str).collect();
                    format!("{}; {}", words.join(" "), rest.join(" "))
                }
                Err(bad) => format!("!{} ({})", bad.message, bad.help.unwrap_or_default()),
            };
            assert_eq!(said.trim_end_matches("; "), expected, "{given}");
        }
    }

    #[test]
    fn words_of_a_call_fit_what_is_declared() {
        for (words, expected) in [
            (&["STAGE=dev", "--level=3", "-l", "4", "-a", "x"][..], ""),
            (&["STAGE=moon"], "args: STAGE cannot be \"moon\""),
            (&["--level"], "args: \"--level\" is no whole option of this task"),
            (&["--other"], "args: \"--other\" is no whole option of this task"),
        ] {
            let said = fit_parameters(&declared(), "task", words).err().map(|bad| bad.message);
            assert_eq!(said.unwrap_or_default(), expected, "{words:?}");
        }
        let variables = [Parameter { is_required: true, ..Parameter::variable("A") }];
        for (words, expected) in [
            (&["A=1"][..], ""),
            (&[], "args: A is not given"),
            (&["A=1", "x"], "args: this task takes at most 0 arguments, not 1"),
            (&["A=1", "B=1"], "args: this task takes at most 0 arguments, not 1"),
        ] {
            let said = fit_parameters(&variables, "task", words).err().map(|bad| bad.message);
            assert_eq!(said.unwrap_or_default(), expected, "{words:?}");
        }
    }

    #[test]
    fn usages_and_schemas_say_how_to_give_it() {
        let shown: Vec<String> = declared().iter().map(Parameter::usage).collect();
        assert_eq!(shown.join(" "), "[STAGE=dev|prod] [--level=LEVEL] [--all] [FIRST=x] [SECOND] [REST]...");
        let schemas: Vec<Value> = declared().iter().map(Parameter::schema).collect();
        assert_eq!(schemas[0], json!({"type": "string", "enum": ["dev", "prod"]}));
        assert_eq!(schemas[2], json!({"type": "boolean"}));
        assert_eq!(schemas[3], json!({"type": "string", "default": "x"}));
        assert_eq!(schemas[5], json!({"type": "array", "items": {"type": "string"}}));
    }
}
