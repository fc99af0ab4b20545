//! Programs in the real interpreter: what they can do, and what they cannot.

mod attacks;
mod isolation;
mod programs;
mod running;
mod types;
