//! Absolute paths in a call's words that lie inside of the project.

use serde_json::json;

use super::Values;
use crate::{Default, Field, ValueKind};

/// The project's root as a plugin's `plan` is given it: as settings name it, and with links followed. No call can set it.
const ROOTS: Field = Field {
    name: " roots",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The project's root",
};

impl Values {
    /// A call's values with the project's root, so that absolute paths in them are understood.
    #[must_use]
    pub fn rooted(self, roots: &[String]) -> Self {
        self.with(&ROOTS, json!(roots))
    }

    /// An absolute path as it is called from the project's root; `None` where it is not inside, or climbs.
    pub fn inside_project<'p>(&self, path: &'p str) -> Option<&'p str> {
        if path.split('/').any(|part| part == "..") {
            return None;
        }
        self.texts(&ROOTS).into_iter().find_map(|root| {
            let rest = path.strip_prefix(root.trim_end_matches('/'))?;
            match rest.strip_prefix('/').map(|rest| rest.trim_start_matches('/')) {
                Some("") => Some("."),
                Some(inside) => Some(inside),
                None => rest.is_empty().then_some("."),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_inside_are_called_from_the_root() {
        let values = Values::default().rooted(&["/srv/app".into(), "/real/app".into()]);
        for (path, expected) in [
            ("/srv/app", Some(".")),
            ("/srv/app/", Some(".")),
            ("/srv/app/web/a.ts", Some("web/a.ts")),
            ("/srv/app//web", Some("web")),
            ("/real/app/web", Some("web")),
            ("/srv/application", None),
            ("/srv/app/../other", None),
            ("/srv/app/web/..", None),
            ("/srv", None),
            ("/etc/passwd", None),
            ("web", None),
        ] {
            assert_eq!(values.inside_project(path), expected, "{path}");
        }
        assert_eq!(Values::default().inside_project("/srv"), None, "no root is known");
    }
}
