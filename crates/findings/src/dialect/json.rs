//! JSON as it comes: cut into tokens, wherever its text is cut into parts.

use std::mem::take;

/// The longest text that a token holds, in bytes; the rest is left out.
const LONGEST: usize = 4500;

/// A piece of JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `{` or `[`.
    Open(char),
    /// `}` or `]`.
    Close(char),
    /// Between members.
    Comma,
    /// Behind a key.
    Colon,
    /// A text, without its quotes.
    Text(String),
    /// A number, `true`, `false`, or `null`.
    Word(String),
    /// No JSON.
    Broken,
}

/// Cuts JSON into tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    within: JsonContext,
    held: String,
    /// The first half of a character that was escaped as two.
    half: Option<u32>,
}

/// The context of the next character.
#[derive(Debug, Default, Clone, Copy)]
enum JsonContext {
    #[default]
    Nothing,
    Text,
    Escape,
    /// So many digits of an escaped character, and their value.
    Digits(u8, u32),
    Word,
}

/// The result of reading a piece of text.
#[derive(Debug)]
enum JsonStep {
    Token(Token),
    /// It is looked at again.
    On,
    /// The text is over.
    Over,
}

impl Tokens {
    /// The next token, cut off the text; `None` when the text is over. A line's end is part of the text.
    pub(super) fn next(&mut self, text: &mut &str) -> Option<Token> {
        loop {
            let step = match self.within {
                JsonContext::Nothing => self.begin(text),
                JsonContext::Text => self.text(text),
                JsonContext::Word => self.word(text),
                JsonContext::Escape => take_char(text).map_or(JsonStep::Over, |escaped| self.escape(escaped)),
                JsonContext::Digits(count, value) => {
                    take_char(text).map_or(JsonStep::Over, |digit| self.digit(digit, count, value))
                }
            };
            match step {
                JsonStep::Token(token) => return Some(token),
                JsonStep::Over => return None,
                JsonStep::On => {}
            }
        }
    }

    fn begin(&mut self, text: &mut &str) -> JsonStep {
        *text = text.trim_start();
        let word = *text;
        let Some(first) = take_char(text) else { return JsonStep::Over };
        let token = match first {
            '{' | '[' => Token::Open(first),
            '}' | ']' => Token::Close(first),
            ',' => Token::Comma,
            ':' => Token::Colon,
            '"' => {
                self.within = JsonContext::Text;
                return JsonStep::On;
            }
            '0'..='9' | '-' | 't' | 'f' | 'n' => {
                *text = word;
                self.within = JsonContext::Word;
                return JsonStep::On;
            }
            _ => Token::Broken,
        };
        JsonStep::Token(token)
    }

    fn text(&mut self, text: &mut &str) -> JsonStep {
        let end = text.find(['"', '\\', '\n']).unwrap_or(text.len());
        let (now, rest) = text.split_at(end);
        self.hold(now);
        *text = rest;
        match take_char(text) {
            None => JsonStep::Over,
            Some('"') => self.complete(Token::Text),
            Some('\\') => {
                self.within = JsonContext::Escape;
                JsonStep::On
            }
            Some(_) => self.broken(),
        }
    }

    fn escape(&mut self, escaped: char) -> JsonStep {
        self.within = JsonContext::Text;
        match escaped {
            'n' => self.hold("\n"),
            't' => self.hold("\t"),
            'b' | 'f' | 'r' => {}
            'u' => self.within = JsonContext::Digits(0, 0),
            '"' | '\\' | '/' => self.hold(escaped.encode_utf8(&mut [0; 4])),
            _ => return self.broken(),
        }
        JsonStep::On
    }

    fn digit(&mut self, digit: char, count: u8, value: u32) -> JsonStep {
        let Some(digit) = digit.to_digit(16) else { return self.broken() };
        let value = value * 16 + digit;
        if count < 3 {
            self.within = JsonContext::Digits(count + 1, value);
            return JsonStep::On;
        }
        self.within = JsonContext::Text;
        let whole = match (self.half.take(), value) {
            (_, 0xd800..0xdc00) => {
                self.half = Some(value);
                return JsonStep::On;
            }
            (Some(first), 0xdc00..0xe000) => 0x1_0000 + ((first - 0xd800) << 10) + (value - 0xdc00),
            _ => value,
        };
        let whole = char::from_u32(whole).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.hold(whole.encode_utf8(&mut [0; 4]));
        JsonStep::On
    }

    fn word(&mut self, text: &mut &str) -> JsonStep {
        let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let end = text.find(|c| !goes_on(c));
        let (now, rest) = text.split_at(end.unwrap_or(text.len()));
        self.hold(now);
        *text = rest;
        if end.is_none() {
            return JsonStep::Over;
        }
        let is_word = matches!(self.held.as_str(), "true" | "false" | "null")
            || (self.held.len() < 40 && self.held.parse::<f64>().is_ok());
        if is_word { self.complete(Token::Word) } else { self.broken() }
    }

    fn hold(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.held.len());
        self.held.push_str(&text[..text.floor_char_boundary(room)]);
    }

    fn complete(&mut self, token: fn(String) -> Token) -> JsonStep {
        self.within = JsonContext::Nothing;
        self.half = None;
        JsonStep::Token(token(take(&mut self.held)))
    }

    fn broken(&mut self) -> JsonStep {
        *self = Self::default();
        JsonStep::Token(Token::Broken)
    }
}

fn take_char(text: &mut &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next()?;
    *text = chars.as_str();
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(parts: &[&str]) -> String {
        let mut tokens = Tokens::default();
        let mut shown = Vec::new();
        for part in parts {
            let mut rest = *part;
            while let Some(token) = tokens.next(&mut rest) {
                shown.push(match token {
                    Token::Open(c) | Token::Close(c) => c.to_string(),
                    Token::Comma => ",".into(),
                    Token::Colon => ":".into(),
                    Token::Text(text) => format!("<{text}>"),
                    Token::Word(word) => word,
                    Token::Broken => "!".into(),
                });
            }
        }
        shown.join(" ")
    }

    #[test]
    fn tokens_are_the_same_however_the_text_is_cut() {
        let json = r#"{"a b":[1,-2.5e+3,true],"c\"\\\n\u00e9\ud83d\ude00\ud83d":null}"#;
        let expected = "{ <a b> : [ 1 , -2.5e+3 , true ] , <c\"\\\né\u{1f600}> : null }";
        assert_eq!(tokens(&[json]), expected);
        for at in 0..json.len() {
            assert_eq!(tokens(&[&json[..at], &json[at..]]), expected, "{at}");
        }
    }

    #[test]
    fn text_that_is_not_json_is_broken() {
        for (text, expected) in [
            ("[npm ", "[ !"),
            ("[\"cut\n]", "[ ! ]"),
            ("[\"\\x\"", "[ !"),
            ("[\"\\u00zz", "[ ! !"),
            ("✖", "!"),
            ("1.2.3 ", "!"),
        ] {
            assert_eq!(tokens(&[text]), expected, "{text}");
        }
    }

    #[test]
    fn long_texts_are_not_held() {
        let json = format!("[\"{}\",1]", "é".repeat(100_000));
        let mut tokens = Tokens::default();
        let mut rest = json.as_str();
        tokens.next(&mut rest);
        let Some(Token::Text(text)) = tokens.next(&mut rest) else { panic!() };
        assert!(text.len() <= LONGEST && text.len() > LONGEST - 4, "{}", text.len());
    }
}
