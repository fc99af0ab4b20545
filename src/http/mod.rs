//! HTTP for any face: listeners, tokens, Host and Origin rules, bodies and their limits. It knows no path of any face.

mod access;
mod answer;
mod body;
mod held;
mod listener;
mod pages;
mod places;

pub use access::{Access, BadHost, BadOrigin, BadToken, Refused, Token};
pub use answer::{Answer, JSON, say, with};
pub use body::{Bodies, LARGEST_BODY, Unread};
pub use held::holding;
pub use listener::Listener;
pub use pages::{preflight, readable_by};
pub use places::{Place, Strangers};
