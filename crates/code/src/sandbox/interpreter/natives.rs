//! The functions of the prelude that are written in Rust. No program can reach them but through it.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rquickjs::{Array, ArrayBuffer, Ctx, Exception, Function, Object, Result, String as Text};
use url::{Url, form_urlencoded, quirks};

use super::parent::Parent;
use crate::model::nearest;
use crate::sandbox::frame::with_own_lines;
use crate::sandbox::names::camel_case;
use crate::sandbox::program::PreparedProgram;

/// The state that the functions share: the parent, and how much may still be sent to it.
pub(super) struct Natives {
    pub(super) parent: Rc<dyn Parent>,
    /// The longest message, in bytes.
    pub(super) longest: Cell<usize>,
    /// How many bytes may still be printed.
    pub(super) printable: Cell<usize>,
    /// How many bytes were not printed since there were too many.
    pub(super) unprinted: Cell<usize>,
    /// The program, once it was read.
    pub(super) program: OnceCell<PreparedProgram>,
}

impl Natives {
    pub(super) fn new(parent: Rc<dyn Parent>) -> Rc<Self> {
        Rc::new(Self {
            parent,
            longest: Cell::new(0),
            printable: Cell::new(0),
            unprinted: Cell::new(0),
            program: OnceCell::new(),
        })
    }

    /// All of them, as an object for the prelude.
    pub(super) fn object<'js>(self: &Rc<Self>, ctx: &Ctx<'js>) -> Result<Object<'js>> {
        let object = Object::new(ctx.clone())?;
        self.add_pipe(ctx, &object)?;
        add_texts(ctx, &object)?;
        add_urls(ctx, &object)?;
        Ok(object)
    }

    fn add_pipe<'js>(self: &Rc<Self>, ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
        let natives = Rc::clone(self);
        let send = move |ctx: Ctx<'js>, message: String| natives.send(&ctx, message);
        object.set("send", Function::new(ctx.clone(), send)?)?;
        let natives = Rc::clone(self);
        let print = move |stream: String, text: Text<'js>| natives.print(&stream, &text);
        object.set("print", Function::new(ctx.clone(), print)?)?;
        let natives = Rc::clone(self);
        let now = move || natives.parent.elapsed().as_secs_f64() * 1000.0;
        object.set("now", Function::new(ctx.clone(), now)?)?;
        let natives = Rc::clone(self);
        let random = move |ctx: Ctx<'js>, length: usize| {
            let mut bytes = vec![0; length];
            natives.parent.fill_random(&mut bytes);
            ArrayBuffer::new(ctx, bytes)
        };
        object.set("random", Function::new(ctx.clone(), random)?)
    }

    fn send(&self, ctx: &Ctx<'_>, message: String) -> Result<()> {
        let longest = self.longest.get();
        if message.len() > longest {
            let text =
                format!("this is {} bytes long, and at most {longest} can be passed on", message.len());
            return Err(Exception::throw_range(ctx, &text));
        }
        self.parent.send(&well_formed(message));
        Ok(())
    }

    fn print(&self, stream: &str, text: &Text<'_>) {
        // A half of a pair of surrogates is no text.
        let Ok(text) = text.to_string() else { return };
        let text = self.program.get().map_or_else(String::new, |program| with_own_lines(&text, program));
        let room = self.printable.get();
        let cut = text.floor_char_boundary(room);
        self.unprinted.set(self.unprinted.get() + text.len() - cut);
        // A line that is cut is the last one.
        self.printable.set(if cut < text.len() { 0 } else { room - cut });
        if cut > 0 {
            let text = serde_json::Value::from(&text[..cut]);
            self.parent.send(&format!("{{\"print\":{{\"stream\":\"{stream}\",\"text\":{text}}}}}"));
        }
    }
}

/// JSON as everybody reads it. A half of a pair of surrogates stands in it as an escape, which many refuse: it becomes
/// the sign for what cannot be read.
pub(super) fn well_formed(json: String) -> String {
    if !json.contains("\\ud") {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let is_half = matches!(escape.as_bytes(), [_, b'u', b'd', b'8'..=b'9' | b'a'..=b'f', _, _, ..]);
        let length = if is_half { 6 } else { 2 };
        out.push_str(if is_half { "\\ufffd" } else { &escape[..length] });
        rest = &escape[length..];
    }
    out.push_str(rest);
    out
}

fn add_texts<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
    let near = |typed: String, names: Vec<String>| {
        nearest(&typed, names.iter().map(String::as_str)).map(str::to_owned)
    };
    object.set("nearest", Function::new(ctx.clone(), near)?)?;
    object.set("camelCase", Function::new(ctx.clone(), |name: String| camel_case(&name))?)?;
    let encode = |ctx: Ctx<'js>, text: String| ArrayBuffer::new(ctx, text.into_bytes());
    object.set("encode", Function::new(ctx.clone(), encode)?)?;
    // The bytes of a buffer are the interpreter's own, so they come as base64.
    let decode = |ctx: Ctx<'js>, bytes: String, is_fatal: bool, goes_on: bool| {
        let bytes = STANDARD.decode(bytes).unwrap_or_default();
        let (text, used) = decoded(&bytes, is_fatal, goes_on);
        let both = Array::new(ctx)?;
        both.set(0, text)?;
        both.set(1, used)?;
        Ok::<_, rquickjs::Error>(both)
    };
    object.set("decode", Function::new(ctx.clone(), decode)?)
}

/// The text of these bytes, and how many of them were read; of the others, more must come first.
fn decoded(bytes: &[u8], is_fatal: bool, goes_on: bool) -> (Option<String>, usize) {
    let last = bytes.utf8_chunks().last();
    let cut = last.map_or(&[][..], |chunk| chunk.invalid());
    let is_cut = !cut.is_empty() && std::str::from_utf8(cut).is_err_and(|error| error.error_len().is_none());
    let used = if goes_on && is_cut { bytes.len() - cut.len() } else { bytes.len() };
    let text = String::from_utf8_lossy(&bytes[..used]);
    let is_whole = std::str::from_utf8(&bytes[..used]).is_ok();
    ((is_whole || !is_fatal).then(|| text.into_owned()), used)
}

fn add_urls<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
    let url = |text: String, base: Option<String>| {
        let base = base.map(|base| Url::parse(&base)).transpose().ok()?;
        Url::options().base_url(base.as_ref()).parse(&text).ok().map(|url| parts(&url))
    };
    object.set("url", Function::new(ctx.clone(), url)?)?;
    let with = |href: String, part: String, value: String| {
        let mut url = Url::parse(&href).ok()?;
        set(&mut url, &part, &value).then(|| parts(&url))
    };
    object.set("urlWith", Function::new(ctx.clone(), with)?)?;
    let pairs = |text: String| {
        let pairs = form_urlencoded::parse(text.as_bytes());
        pairs.map(|(name, value)| vec![name.into_owned(), value.into_owned()]).collect::<Vec<_>>()
    };
    object.set("formPairs", Function::new(ctx.clone(), pairs)?)?;
    let text = |pairs: Vec<Vec<String>>| {
        let mut text = form_urlencoded::Serializer::new(String::new());
        for pair in &pairs {
            if let [name, value] = pair.as_slice() {
                text.append_pair(name, value);
            }
        }
        text.finish()
    };
    object.set("formText", Function::new(ctx.clone(), text)?)
}

/// The parts of a URL in the order in which `url.js` lists them.
fn parts(url: &Url) -> Vec<String> {
    vec![
        quirks::href(url).to_owned(),
        quirks::protocol(url).to_owned(),
        quirks::username(url).to_owned(),
        quirks::password(url).to_owned(),
        quirks::host(url).to_owned(),
        quirks::hostname(url).to_owned(),
        quirks::port(url).to_owned(),
        quirks::pathname(url).to_owned(),
        quirks::search(url).to_owned(),
        quirks::hash(url).to_owned(),
        quirks::origin(url),
    ]
}

/// Whether the part could be set so.
fn set(url: &mut Url, part: &str, value: &str) -> bool {
    match part {
        "href" => quirks::set_href(url, value).is_ok(),
        "protocol" => quirks::set_protocol(url, value).is_ok(),
        "username" => quirks::set_username(url, value).is_ok(),
        "password" => quirks::set_password(url, value).is_ok(),
        "host" => quirks::set_host(url, value).is_ok(),
        "hostname" => quirks::set_hostname(url, value).is_ok(),
        "port" => quirks::set_port(url, value).is_ok(),
        "pathname" => {
            quirks::set_pathname(url, value);
            true
        }
        "search" => {
            quirks::set_search(url, value);
            true
        }
        _ => {
            quirks::set_hash(url, value);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_pair_becomes_the_sign_for_what_cannot_be_read() {
        for (given, expected) in [
            (r#"{"a":"b"}"#, r#"{"a":"b"}"#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""x\udc00y\\ud83dz""#, r#""x\ufffdy\\ud83dz""#),
            (r#""\\\ud8ff\"""#, r#""\\\ufffd\"""#),
        ] {
            assert_eq!(well_formed(given.to_owned()), expected);
            serde_json::from_str::<serde_json::Value>(expected).unwrap();
        }
    }

    #[test]
    fn bytes_are_read_as_text_up_to_where_more_must_come() {
        let whole = "aé🚀".as_bytes();
        assert_eq!(decoded(whole, true, false), (Some("aé🚀".to_owned()), 7));
        assert_eq!(decoded(&whole[..5], false, true), (Some("aé".to_owned()), 3));
        assert_eq!(decoded(&whole[..5], false, false), (Some("aé\u{fffd}".to_owned()), 5));
        assert_eq!(decoded(&whole[..5], true, false), (None, 5));
        assert_eq!(decoded(b"\xff", false, true), (Some("\u{fffd}".to_owned()), 1));
        assert_eq!(decoded(b"", true, true), (Some(String::new()), 0));
    }
}
