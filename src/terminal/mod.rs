//! The terminal for any command line face: all of its messages, tables within its width, questions, exit
//! codes.

mod asking;
mod columns;
mod diagnostic;
mod difference;
pub mod exit;
mod failed;
mod form;
mod multi_select;
mod pages;
mod pick;
mod redraw_area;
mod signals;
mod trail;
mod ui;
mod waiting;
mod wrap;

pub use asking::{Asking, ExtraReply, Stop, TerminalAnswer};
pub use columns::{NARROWEST, columns, room, widest, width_of, widths};
pub use diagnostic::Complaint;
pub use difference::difference;
pub use failed::Failed;
pub use form::{FormField, fill_in};
pub use pages::{StyledLine, fitted};
pub use pick::{Item, item_room, pick};
pub use signals::{SignalGap, Signals, StopReason, on_signals};
pub use ui::{MessageManner, Ui};
pub use waiting::{runtime, wait_for};
pub use wrap::{broken, hanging, wrapped};
