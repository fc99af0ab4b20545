//! The effects of the two tools: neither reaches out, and a second call finds the result of the first.

use crate::model::Effects;

/// The effects of `lint`.
pub(super) const LINTS: Effects =
    Effects { read_only: true, destructive: false, idempotent: true, open_world: false };
/// The effects of `fix`.
pub(super) const FIXES: Effects =
    Effects { read_only: false, destructive: true, idempotent: true, open_world: false };
