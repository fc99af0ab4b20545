//! The terminal for any command line face: texts within its width, lists and pages on it.

mod columns;
mod difference;
mod pages;
mod pick;
mod sheet;
mod ticks;
mod wrap;

pub use columns::{NARROWEST, columns, room, widest, widths};
pub use difference::difference;
pub use pages::{Line, fitted, leaf};
pub use pick::{Item, item_room, pick};
pub use ticks::ticked;
pub use wrap::{all_wrapped, broken, hanging, wrapped};
