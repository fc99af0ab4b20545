//! The order of the sources: the database itself is in the order of a hash table.

use std::collections::HashMap;

use crate::model::Location;
use crate::plugins::makefile::targets::MakeTarget;

/// The position of each target among the targets of the text.
#[derive(Debug)]
pub(super) struct TargetOrder<'a> {
    /// The rank of each target of the text.
    ranks: HashMap<&'a str, usize>,
    /// For each file, the lines of the text's targets, rising, with their ranks.
    lines: HashMap<&'a str, Vec<(usize, usize)>>,
    /// The rank of each file.
    files: HashMap<&'a str, usize>,
}

/// The sort key of a target: its fields in their order. Unknown targets come last.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// One more than the rank of the text's target that it is or follows; the rank of the first where it precedes all.
    rank: usize,
    /// Whether the text does not have it.
    new: bool,
    /// The rank of its file.
    file: usize,
    /// Its line there.
    line: usize,
    name: String,
}

impl<'a> TargetOrder<'a> {
    /// By the targets of the text, and by the files in the order in which make read them.
    pub(super) fn new(text: &'a [MakeTarget], makefiles: &'a [String], own: &'a str) -> Self {
        let mut lines: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        for (rank, target) in text.iter().enumerate() {
            if let Some(line) = target.source.line {
                lines.entry(&target.source.file).or_default().push((line, rank));
            }
        }
        for lines in lines.values_mut() {
            lines.sort_unstable();
        }
        let files = std::iter::once(own).chain(makefiles.iter().map(String::as_str));
        // Of a file that was read twice, the first time counts: a map keeps the last.
        let files: Vec<_> = files.enumerate().map(|(rank, file)| (file, rank)).collect();
        Self {
            ranks: text.iter().enumerate().map(|(rank, target)| (target.name.as_str(), rank)).collect(),
            lines,
            files: files.into_iter().rev().collect(),
        }
    }

    /// The key of one target.
    pub(super) fn of(&self, target: &MakeTarget) -> Key {
        if let Some(rank) = self.ranks.get(target.name.as_str()) {
            return Key { rank: rank + 1, new: false, file: 0, line: 0, name: String::new() };
        }
        let name = target.name.clone();
        let Location { file, line, .. } = &target.source;
        let Some(line) = *line else {
            return Key { rank: usize::MAX, new: true, file: usize::MAX, line: usize::MAX, name };
        };
        Key {
            rank: self.rank_before(file, line).unwrap_or(usize::MAX),
            new: true,
            file: self.files.get(file.as_str()).copied().unwrap_or(usize::MAX),
            line,
            name,
        }
    }

    /// One more than the rank of the target that precedes this line of the file; of the first, where none does.
    fn rank_before(&self, file: &str, line: usize) -> Option<usize> {
        let lines = self.lines.get(file)?;
        let after = lines.partition_point(|(known, _)| *known <= line);
        match after.checked_sub(1) {
            Some(last) => lines[last].1.checked_add(1),
            None => lines.iter().map(|(_, rank)| *rank).min(),
        }
    }
}
