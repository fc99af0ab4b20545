//! Finds tools by words: names, descriptions and parameters, ranked by BM25, with synonyms of verbs and slips of the pen.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::words::{distance, split, stem, synonyms};
use crate::sandbox::{Catalog, NamedServer, NamedTool};

/// The constants of BM25: how soon repetition stops to count, and how much long texts are held back.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.6;
/// How much a word counts by its place.
const NAME: f64 = 4.0;
const SERVER: f64 = 2.0;
const PARAMETER: f64 = 0.8;
const DESCRIPTION: f64 = 1.0;
/// How much a synonym and a slip count, beside the word itself.
const SYNONYM: f64 = 0.5;
const SLIP: f64 = 0.4;

/// A tool that was found.
#[derive(Debug, Clone)]
pub struct Hit<'c> {
    /// Its server.
    pub server: &'c NamedServer,
    /// The tool.
    pub tool: &'c NamedTool,
    /// How well it matches; more is better.
    pub score: f64,
    /// The words that matched, and where: `name: issue; description: create`.
    pub reason: String,
}

/// The tools that match, the best first.
pub fn search<'c>(catalog: &'c Catalog, query: &str, limit: usize) -> Vec<Hit<'c>> {
    let documents: Vec<Document<'c>> = catalog
        .servers()
        .iter()
        .flat_map(|server| server.tools.iter().map(move |tool| Document::of(server, tool)))
        .collect();
    let index = Index::of(&documents);
    let terms = index.terms(query);
    let mut hits: Vec<Hit<'c>> =
        documents.iter().filter_map(|document| index.judge(document, &terms)).collect();
    hits.sort_by(|one, other| {
        let names = |hit: &Hit<'c>| (hit.server.name.clone(), hit.tool.described.name.clone());
        other.score.total_cmp(&one.score).then_with(|| names(one).cmp(&names(other)))
    });
    hits.truncate(limit);
    hits
}

/// A place where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Name,
    Server,
    Parameter,
    Description,
}

impl Field {
    const fn weight(self) -> f64 {
        match self {
            Self::Name => NAME,
            Self::Server => SERVER,
            Self::Parameter => PARAMETER,
            Self::Description => DESCRIPTION,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Server => "server",
            Self::Parameter => "parameter",
            Self::Description => "description",
        }
    }
}

/// A tool as it is searched: how often each stem stands in each place.
struct Document<'c> {
    server: &'c NamedServer,
    tool: &'c NamedTool,
    stems: HashMap<String, BTreeMap<Field, f64>>,
    length: f64,
}

impl<'c> Document<'c> {
    fn of(server: &'c NamedServer, tool: &'c NamedTool) -> Self {
        let mut document = Self { server, tool, stems: HashMap::new(), length: 0.0 };
        document.add(Field::Name, &tool.described.name);
        document.add(Field::Server, &server.name);
        document.add(Field::Description, tool.described.description.as_deref().unwrap_or_default());
        let properties = tool.described.input.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            document.add(Field::Parameter, name);
            document
                .add(Field::Parameter, schema.get("description").and_then(Value::as_str).unwrap_or_default());
        }
        document
    }

    fn add(&mut self, field: Field, text: &str) {
        for word in split(text) {
            self.length += 1.0;
            *self.stems.entry(stem(&word)).or_default().entry(field).or_default() += 1.0;
        }
    }
}

/// What is known of all tools together.
struct Index {
    /// In how many tools a stem stands.
    spread: HashMap<String, f64>,
    count: f64,
    average: f64,
}

/// A word of the query: the stems that stand for it, and how much each counts.
struct Term {
    stems: Vec<(String, f64)>,
}

impl Index {
    fn of(documents: &[Document<'_>]) -> Self {
        let mut spread: HashMap<String, f64> = HashMap::new();
        for stem in documents.iter().flat_map(|document| document.stems.keys()) {
            *spread.entry(stem.clone()).or_default() += 1.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few thousand tools")]
        let count = documents.len().max(1) as f64;
        let length: f64 = documents.iter().map(|document| document.length).sum();
        Self { spread, count, average: (length / count).max(1.0) }
    }

    fn terms(&self, query: &str) -> Vec<Term> {
        let mut words = split(query);
        words.dedup();
        let content: Vec<String> = words.iter().filter(|word| !is_filler(word)).cloned().collect();
        let words = if content.is_empty() { words } else { content };
        words.iter().map(|word| self.term(word)).collect()
    }

    fn term(&self, word: &str) -> Term {
        let own = stem(word);
        let mut stems = vec![(own.clone(), 1.0)];
        for synonym in synonyms(&own) {
            stems.push((synonym.to_owned(), SYNONYM));
        }
        if !self.spread.contains_key(&own) {
            stems.extend(self.slips(&own).into_iter().map(|slip| (slip, SLIP)));
        }
        Term { stems }
    }

    /// The known stems that a word is a slip or a beginning of.
    fn slips(&self, word: &str) -> Vec<String> {
        let length = word.chars().count();
        let allowed = match length {
            0..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        let is_near = |known: &&String| {
            (length >= 3 && known.starts_with(word))
                || (allowed > 0 && distance(word, known, allowed) <= allowed)
        };
        self.spread.keys().filter(is_near).cloned().collect()
    }

    fn judge<'c>(&self, document: &Document<'c>, terms: &[Term]) -> Option<Hit<'c>> {
        let mut score = 0.0;
        let mut matched: BTreeMap<Field, Vec<String>> = BTreeMap::new();
        let mut found = 0;
        for term in terms {
            let best = term
                .stems
                .iter()
                .filter_map(|(stem, share)| {
                    let fields = document.stems.get(stem)?;
                    let (field, _) = fields.iter().max_by(|a, b| a.0.weight().total_cmp(&b.0.weight()))?;
                    Some((self.weight(stem, fields, document.length) * share, stem, *field))
                })
                .max_by(|one, other| one.0.total_cmp(&other.0));
            if let Some((weight, stem, field)) = best {
                score += weight;
                found += 1;
                matched.entry(field).or_default().push(stem.clone());
            }
        }
        if found == 0 {
            return None;
        }
        // A tool that has all the words goes before one that has one of them often.
        let share = f64::from(found) / f64::from(u32::try_from(terms.len()).unwrap_or(u32::MAX));
        // Of two tools with the same words, the one whose name says nothing else is meant.
        let own = split(&document.tool.described.name).len();
        let named = matched.get(&Field::Name).map_or(0, Vec::len);
        #[expect(clippy::cast_precision_loss, reason = "a name has a few words")]
        let coverage = named as f64 / own.max(1) as f64;
        let part = |(field, words): (&Field, &Vec<String>)| format!("{}: {}", field.word(), words.join(", "));
        let reason = matched.iter().map(part).collect::<Vec<_>>().join("; ");
        let score = score * share * (1.0 + 0.3 * coverage);
        Some(Hit { server: document.server, tool: document.tool, score, reason })
    }

    /// The weight of a stem in a tool, by BM25.
    fn weight(&self, stem: &str, fields: &BTreeMap<Field, f64>, length: f64) -> f64 {
        let spread = self.spread.get(stem).copied().unwrap_or(1.0);
        let rarity = ((self.count - spread + 0.5) / (spread + 0.5) + 1.0).ln();
        let often: f64 = fields.iter().map(|(field, count)| field.weight() * count.min(3.0)).sum();
        let held_back = SATURATION * (1.0 - LENGTH + LENGTH * length / self.average);
        rarity * often * (SATURATION + 1.0) / (often + held_back)
    }
}

/// A word that says nothing of a tool.
fn is_filler(word: &str) -> bool {
    const FILLERS: &[&str] = &[
        "a", "an", "and", "are", "at", "be", "by", "can", "do", "for", "from", "how", "i", "in", "into",
        "is", "it", "me", "my", "of", "on", "or", "our", "please", "some", "that", "the", "their", "this",
        "to", "tool", "using", "want", "we", "what", "which", "with", "you",
    ];
    FILLERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sandbox::{Output, Server, ToolDescription};

    fn catalog() -> Catalog {
        let tool = |name: &str, description: &str, parameter: &str| ToolDescription {
            name: name.into(),
            description: Some(description.into()),
            input: json!({"type": "object", "properties": {(parameter): {"type": "string"}}}),
            output: Output::Unknown,
        };
        Catalog::new(vec![
            Server {
                name: "github".into(),
                tools: vec![
                    tool("create_issue", "Create a new issue in a repository", "title"),
                    tool("list_issues", "List issues of a repository", "state"),
                    tool("merge_pull_request", "Merge a pull request", "pullNumber"),
                    tool("get_file_contents", "Get the contents of a file", "path"),
                ],
            },
            Server {
                name: "fs".into(),
                tools: vec![
                    tool("readTextFile", "Read a file as text", "path"),
                    tool("deleteDirectory", "Delete a folder", "path"),
                ],
            },
        ])
    }

    #[test]
    fn words_synonyms_and_slips_find_tools() {
        let catalog = catalog();
        for (query, expected) in [
            ("create issue", "create_issue"),
            ("open a new issue", "create_issue"),
            ("issues list", "list_issues"),
            ("merge PR pull request", "merge_pull_request"),
            ("remove a directory", "deleteDirectory"),
            ("read text file", "readTextFile"),
            ("pullNumber", "merge_pull_request"),
            ("crate isue", "create_issue"),
        ] {
            let hits = search(&catalog, query, 3);
            let found = hits.first().map(|hit| hit.tool.described.name.as_str());
            assert_eq!(found, Some(expected), "{query}: {hits:?}");
        }
        assert!(search(&catalog, "kubernetes", 3).is_empty());
        let hits = search(&catalog, "issue title", 1);
        assert_eq!(hits[0].reason, "name: issu; parameter: titl");
    }
}
