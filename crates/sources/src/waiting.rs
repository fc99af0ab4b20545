//! An answer that is waited for.

use std::pin::Pin;

/// An answer that is waited for: a probe may have to be carried out, a server asked.
pub type Waiting<'a, Answer> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
