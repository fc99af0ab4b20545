//! Programs in the real interpreter: what they can do, and what they cannot.

mod attacks;
mod programs;
