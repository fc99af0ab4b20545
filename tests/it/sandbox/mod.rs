//! Programs in the real interpreter: what they can do, and what they cannot.

mod attacks;
mod escapes;
mod isolation;
mod programs;
mod running;
mod types;
mod values;
