//! A lazily computed value.

use std::fmt::{Debug, Formatter, Result};
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// A value that is computed on first use. All copies share it.
pub struct Lazy<T>(Arc<LazyLock<T, Box<dyn FnOnce() -> T + Send>>>);

impl<T> Lazy<T> {
    /// A value that this makes, once and when it is wanted.
    pub fn new(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Send + 'static> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self::new(|| value)
    }
}

impl<T: Debug> Debug for Lazy<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}
