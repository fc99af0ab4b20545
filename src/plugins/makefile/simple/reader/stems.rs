//! Static pattern rules (`targets: %.o: %.c`), and prerequisites with their stems.

use super::Reader;
use crate::model::{Fault, Problem};
use crate::plugins::makefile::simple::conditions::Weight;
use crate::plugins::makefile::simple::names;
use crate::plugins::makefile::simple::scan::{around_percent, until};
use crate::plugins::makefile::simple::variables::HOLE;
use crate::plugins::makefile::simple::words;

/// The cost of building one name, in bytes of text, in addition to its length.
const NAME: usize = 32;

impl Reader<'_> {
    /// The text before and behind the stem in `targets: %.o: %.c`, and the prerequisites; `None`: make stops
    /// here.
    pub(super) fn static_pattern<'t>(
        &mut self,
        text: &'t str,
    ) -> Option<(Option<(String, String)>, &'t str)> {
        let (pattern, place) = until(text, b":", true);
        let Some(place) = place else { return Some((None, text)) };
        let pattern = names::all(&pattern);
        match &pattern[..] {
            [pattern] if pattern.contains(HOLE) => {
                Some((Some((pattern.clone(), String::new())), &text[place + 1..]))
            }
            [pattern] => match around_percent(pattern) {
                Ok((before, behind)) => {
                    let around = (before.into_owned(), behind.to_owned());
                    Some((Some(around), &text[place + 1..]))
                }
                Err(_) => self.bad_pattern("has no %"),
            },
            [] => self.bad_pattern("is missing"),
            _ => self.bad_pattern("is not one word"),
        }
    }

    fn bad_pattern<T>(&mut self, what: &str) -> Option<T> {
        if self.conditions.weight() == Weight::Live {
            let what = format!("the target pattern between two colons {what}: make stops here");
            self.complain(Problem::error(Fault::SourceInvalid, what));
        }
        None
    }

    /// Records the prerequisites of a rule. In a static pattern rule each contains its stem.
    pub(super) fn need(&mut self, targets: &[String], stem: Option<&(String, String)>, needs: &[String]) {
        if self.conditions.weight() == Weight::Ghost {
            return;
        }
        let Some((before, behind)) = stem else {
            // A rule of several targets may make one of them need another; none needs itself.
            let only = targets.first().filter(|first| targets.iter().all(|target| target == *first));
            return self.drafts.need(needs.iter().filter(|need| Some(*need) != only).cloned());
        };
        let matching: Vec<(&String, &str)> =
            targets.iter().filter_map(|name| Some((name, words::stem(name, before, behind)?))).collect();
        for need in needs {
            let Ok((front, back)) = around_percent(need) else {
                if matching.iter().any(|(target, _)| *target != need) {
                    self.drafts.need([need.clone()]);
                }
                continue;
            };
            for (target, stem) in &matching {
                if !self.spend(need.len() + target.len() + NAME) {
                    return;
                }
                let need = format!("{front}{stem}{back}");
                if need != **target {
                    self.drafts.need([need]);
                }
            }
        }
    }
}
