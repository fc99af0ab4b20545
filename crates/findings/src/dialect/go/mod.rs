//! Go's tests and panics. Its compiler, vet and modules are rows of `table`.

mod goroutine;
mod package;
pub(super) mod panic;
pub(super) mod test;
