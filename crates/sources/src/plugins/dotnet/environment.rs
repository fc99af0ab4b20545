//! The variables that a call may set. `MSBuild` takes each for a property, and properties decide what a build
//! runs.

use crate::model::{BadCall, shown};

/// Names without `_` inside that are everybody's.
const PLAIN: &[&str] = &["CI", "TZ", "LANG", "TERM", "DEBUG", "VERBOSE"];

/// Refuses variables that `MSBuild` or its targets could act on. Their own names have no `_` inside
/// (`CustomBeforeMicrosoftCommonTargets`, `CscToolPath`, `_OutDir`) and ignore case. Names of programs'
/// variables have one (`LOG_LEVEL`).
pub(super) fn judge(changes: &[(&str, &str)]) -> Result<(), BadCall> {
    let odd = changes
        .iter()
        .find(|(name, _)| !name.get(1..).is_some_and(|rest| rest.contains('_')) && !PLAIN.contains(name));
    odd.map_or(Ok(()), |(name, _)| {
        Err(BadCall::refused(format!(
            "env: {} may not be set by a call: MSBuild takes it for a property",
            shown(name)
        ))
        .help(
            "names with `_` inside pass, such as LOG_LEVEL; settings.yml may set others under `environment`",
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_be_properties_are_refused() {
        for (name, passes) in [
            ("LOG_LEVEL", true),
            ("ASPNETCORE_ENVIRONMENT", true),
            ("CI", true),
            ("CustomBeforeMicrosoftCommonTargets", false),
            ("CSCTOOLPATH", false),
            ("outdir", false),
            ("_OutDir", false),
            ("ü_x", false),
            ("", false),
        ] {
            assert_eq!(judge(&[("A_B", "1"), (name, "x")]).is_ok(), passes, "{name}");
        }
    }
}
