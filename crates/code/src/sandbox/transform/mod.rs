//! A syntax tree of TypeScript in, JavaScript out, with the way back from its lines to the source's.

mod emit;
mod keep;
mod lower;
mod shape;

pub(super) use emit::Emitted;
pub(super) use lower::transform;

#[cfg(test)]
mod tests;
