//! A JSON value of any kind, read as a stream: unwanted parts are skipped and never built.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The only key of the object that stands for a number with a fraction, or of more than 64 bits: `serde_json` hands the digits on
/// as they are written (`arbitrary_precision`).
pub(super) const DIGITS: &str = "$serde_json::private::Number";

/// A way to read a value.
pub(super) trait ReadValue<'de>: Sized {
    /// The result.
    type Made;

    /// Anything that has no method of its own, by the name that messages give it: `a number`.
    fn other(self, kind: &'static str) -> Self::Made;

    /// A string.
    fn text(self, _: &str) -> Self::Made {
        self.other("a string")
    }

    /// Reads a list. An implementation must read it to its end.
    fn list<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Made, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.other("a list"))
    }

    /// Reads an object. An implementation must read it to its end.
    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Made, A::Error> {
        let mut kind = "an object";
        while let Some((key, _)) = map.next_entry::<Cow<'de, str>, IgnoredAny>()? {
            kind = if key == DIGITS { "a number" } else { kind };
        }
        Ok(self.other(kind))
    }
}

/// Takes a value of any kind to its [`ReadValue`].
#[derive(Debug)]
pub(super) struct Any<R>(pub(super) R);

impl<'de, R: ReadValue<'de>> DeserializeSeed<'de> for Any<R> {
    type Value = R::Made;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<R::Made, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: ReadValue<'de>> Visitor<'de> for Any<R> {
    type Value = R::Made;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<R::Made, A::Error> {
        self.0.object(map)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<R::Made, A::Error> {
        self.0.list(items)
    }

    fn visit_str<E>(self, text: &str) -> Result<R::Made, E> {
        Ok(self.0.text(text))
    }

    fn visit_unit<E>(self) -> Result<R::Made, E> {
        Ok(self.0.other("null"))
    }

    fn visit_bool<E>(self, value: bool) -> Result<R::Made, E> {
        Ok(self.0.other(if value { "true" } else { "false" }))
    }

    fn visit_i64<E>(self, _: i64) -> Result<R::Made, E> {
        Ok(self.0.other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<R::Made, E> {
        Ok(self.0.other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<R::Made, E> {
        Ok(self.0.other("a number"))
    }
}

/// The string at the end of a way through nested objects; `None` where something else is.
#[derive(Debug)]
pub(super) struct TextAt(pub(super) &'static [&'static str]);

impl<'de> ReadValue<'de> for TextAt {
    type Made = Option<String>;

    fn other(self, _: &'static str) -> Self::Made {
        None
    }

    fn text(self, text: &str) -> Self::Made {
        self.0.is_empty().then(|| text.to_owned())
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Made, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match self.0.split_first() {
                Some((first, rest)) if *first == key => found = map.next_value_seed(Any(Self(rest)))?,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(found)
    }
}

/// The strings at the end of a way through nested objects, and through lists of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextsAt(pub(super) &'static [&'static str]);

impl<'de> ReadValue<'de> for TextsAt {
    type Made = Vec<String>;

    fn other(self, _: &'static str) -> Self::Made {
        Vec::new()
    }

    fn text(self, text: &str) -> Self::Made {
        if self.0.is_empty() { vec![text.to_owned()] } else { Vec::new() }
    }

    fn list<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Made, A::Error> {
        let mut found = Vec::new();
        while let Some(more) = items.next_element_seed(Any(self))? {
            found.extend(more);
        }
        Ok(found)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Made, A::Error> {
        let mut found = Vec::new();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match self.0.split_first() {
                Some((first, rest)) if *first == key => found = map.next_value_seed(Any(Self(rest)))?,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(found)
    }
}
