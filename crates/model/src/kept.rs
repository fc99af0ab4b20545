//! A value that was made of a file's content, kept with the file.

use std::any::Any;
use std::fmt::{Debug, Formatter, Result};
use std::sync::{Arc, OnceLock};

/// A slot for such a value, which all copies of the file share. It is no part of what the file is.
#[derive(Clone, Default)]
pub struct Kept(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl Kept {
    /// The value that was kept, or else the one that this makes.
    pub fn get_or_make<T: Clone + Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> T {
        if let Some(kept) = self.0.get().and_then(|kept| kept.downcast_ref::<T>()) {
            return kept.clone();
        }
        let value = make();
        // A value of another type may be there already; then this one is not kept.
        let _ = self.0.set(Box::new(value.clone()));
        value
    }
}

impl Debug for Kept {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str("Kept")
    }
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Kept {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_for_all_copies() {
        let kept = Kept::default();
        assert_eq!(kept.get_or_make(|| 1), 1);
        assert_eq!(kept.clone().get_or_make(|| 2), 1);
        assert_eq!(kept.get_or_make(|| "another type"), "another type");
        assert_eq!(kept, Kept::default());
    }
}
