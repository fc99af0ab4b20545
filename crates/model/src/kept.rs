//! Values that were made of the content of files, kept with these.

use std::any::Any;
use std::fmt::{Debug, Formatter, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// Such values, one of each type, which all copies of the files share. They are no part of what the files are.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Vec<Box<dyn Any + Send + Sync>>>>);

impl Kept {
    /// The value of this type that was kept, or else the one that this makes, which asks for none itself.
    pub fn get_or_make<T: Clone + Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = all.iter().find_map(|kept| kept.downcast_ref::<T>()) {
            return kept.clone();
        }
        let value = make();
        all.push(Box::new(value.clone()));
        value
    }

    /// The value of this type that was kept.
    pub fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find_map(|kept| kept.downcast_ref::<T>()).cloned()
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
        assert_eq!(kept.get::<i32>(), None);
        assert_eq!(kept.get_or_make(|| 1), 1);
        assert_eq!(kept.get(), Some(1));
        assert_eq!(kept.clone().get_or_make(|| 2), 1);
        assert_eq!(kept.get_or_make(|| "another type"), "another type");
        assert_eq!(kept.get_or_make(|| "a third"), "another type");
        assert_eq!(kept.get_or_make(|| 3), 1);
        assert_eq!(kept, Kept::default());
    }
}
