//! All tools by their words, ranked by BM25 over the places where words stand.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::meanings::{asked, verbs};
use super::terms::{Term, Vocabulary, terms};
use super::weights::{self, PLACES, WordPlace};
use super::words::{each, split, stem};
use crate::sandbox::{Catalog, NamedServer, NamedTool};

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

/// The words of all tools of a catalog.
#[derive(Debug, Default)]
pub struct ToolIndex {
    vocabulary: Vocabulary,
    words: Vec<Stem>,
    tools: Vec<Document>,
    /// How many words a tool has in each place.
    average: [f64; PLACES],
}

/// A stem.
#[derive(Debug)]
struct Stem {
    /// A word that has it.
    shown: String,
    /// The verbs that it can be.
    verbs: u64,
    /// Where it stands, by the numbers of the tools.
    postings: Vec<Posting>,
}

impl Stem {
    fn count(&mut self, tool: usize, place: WordPlace) {
        if self.postings.last().is_none_or(|last| last.tool != tool) {
            self.postings.push(Posting { tool, counts: [0; PLACES] });
        }
        if let Some(last) = self.postings.last_mut() {
            last.counts[place as usize] = last.counts[place as usize].saturating_add(1);
        }
    }
}

/// A tool that has a stem, and how often by place.
#[derive(Debug)]
struct Posting {
    tool: usize,
    counts: [u8; PLACES],
}

/// A tool as it is searched.
#[derive(Debug)]
struct Document {
    /// The places of its server and of itself in the catalog.
    server: usize,
    tool: usize,
    /// The stems of its name, without those of its server.
    name: Vec<usize>,
    /// The verbs of its name.
    verbs: u64,
    lengths: [f64; PLACES],
}

/// The score of a tool so far.
#[derive(Debug, Clone, Default)]
struct ToolScore {
    score: f64,
    /// How much of the query was found, by how rare its words are.
    covered: f64,
    /// The stem that stood for each term.
    stems: Vec<usize>,
}

impl ToolIndex {
    /// The words of a catalog.
    pub fn of(catalog: &Catalog) -> Self {
        let mut index = Self::default();
        let mut known = HashMap::new();
        for (server, described) in catalog.servers().iter().enumerate() {
            index.vocabulary.servers.extend(split(&described.name).iter().map(|word| stem(word)));
            for (tool, named) in described.tools.iter().enumerate() {
                index.add((server, tool), described, named, &mut known);
            }
        }
        for place in WordPlace::ALL {
            let all: f64 = index.tools.iter().map(|tool| tool.lengths[place as usize]).sum();
            index.average[place as usize] = (all / float(index.tools.len().max(1))).max(1.0);
        }
        index
    }

    fn add(
        &mut self,
        (server, tool): (usize, usize),
        of: &NamedServer,
        named: &NamedTool,
        known: &mut HashMap<String, usize>,
    ) {
        let number = self.tools.len();
        let mut document = Document { server, tool, name: Vec::new(), verbs: 0, lengths: [0.0; PLACES] };
        let mut put = |place: WordPlace, text: &str| {
            each(text, |word| {
                let stem = self.number(word, known);
                document.lengths[place as usize] += 1.0;
                if place == WordPlace::Name {
                    document.name.push(stem);
                    document.verbs |= self.words[stem].verbs;
                }
                self.words[stem].count(number, place);
            });
        };
        put(WordPlace::Name, &named.described.name);
        put(WordPlace::Server, &of.name);
        let (summary, rest) = summary(named.described.description.as_deref().unwrap_or_default());
        put(WordPlace::Summary, summary);
        put(WordPlace::Description, rest);
        let properties = named.described.input.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            put(WordPlace::Parameter, name);
            put(
                WordPlace::Explanation,
                schema.get("description").and_then(Value::as_str).unwrap_or_default(),
            );
        }
        self.tools.push(document);
    }

    /// The number of the stem of a word.
    fn number(&mut self, word: &str, known: &mut HashMap<String, usize>) -> usize {
        if let Some(number) = known.get(word) {
            return *number;
        }
        let stem = stem(word);
        let next = self.words.len();
        let number = self.vocabulary.stems.get(&stem).copied().unwrap_or(next);
        if number == next {
            self.words.push(Stem { shown: word.to_owned(), verbs: verbs(&stem), postings: Vec::new() });
            self.vocabulary.stems.insert(stem, next);
        }
        known.insert(word.to_owned(), number);
        number
    }

    /// The tools that match, the best first.
    pub fn search<'c>(&self, catalog: &'c Catalog, query: &str, limit: usize) -> Vec<Hit<'c>> {
        let terms = terms(query, &self.vocabulary);
        let mut found: Vec<Option<ToolScore>> = vec![None; self.tools.len()];
        let mut all = 0.0;
        for term in &terms {
            all += self.collect(term, &mut found);
        }
        let words = split(query);
        let typed: Vec<Option<usize>> =
            words.iter().map(|word| self.vocabulary.stems.get(&stem(word)).copied()).collect();
        let asked = words.first().map_or(0, |first| asked(first));
        let wanted = match asked {
            0 => terms.iter().fold(0, |bits, term| bits | verbs(&term.stems[0].0)),
            _ => asked,
        };
        let mut best: Vec<(f64, usize)> = found
            .iter()
            .enumerate()
            .filter_map(|(tool, found)| {
                Some((judged(&self.tools[tool], found.as_ref()?, (all, wanted), &typed), tool))
            })
            .collect();
        let at = |tool: usize| {
            let server = &catalog.servers()[self.tools[tool].server];
            (server, &server.tools[self.tools[tool].tool])
        };
        best.sort_by(|(one, of_one), (other, of_other)| {
            let names = |tool| (&at(tool).0.name, &at(tool).1.described.name);
            other.total_cmp(one).then_with(|| names(*of_one).cmp(&names(*of_other)))
        });
        best.truncate(limit);
        let hit = |(score, tool): (f64, usize)| {
            let (server, named) = at(tool);
            let reason = found[tool].as_ref().map(|found| self.reason(tool, found)).unwrap_or_default();
            Hit { server, tool: named, score, reason }
        };
        best.into_iter().map(hit).collect()
    }

    /// Adds what a term finds to each tool, and answers how much it can add to what is covered.
    fn collect(&self, term: &Term, found: &mut [Option<ToolScore>]) -> f64 {
        let own = self.rarity_of(&term.stems[0].0);
        let mut best: HashMap<usize, (f64, f64, usize)> = HashMap::new();
        let mut rarest: f64 = own.unwrap_or(0.0);
        for (stem, share) in &term.stems {
            let Some(number) = self.vocabulary.stems.get(stem) else { continue };
            let rarity = self.rarity(*number);
            // A rare synonym of a common word is no better than the word.
            let rarity = own.map_or(rarity, |own| rarity.min(own));
            rarest = rarest.max(rarity * share);
            for posting in &self.words[*number].postings {
                let often = self.often(posting);
                let full = often / (often + weights::SATURATION) * (weights::SATURATION + 1.0);
                let score = rarity * share * full;
                let entry = best.entry(posting.tool).or_insert((0.0, 0.0, *number));
                if score > entry.0 {
                    *entry = (score, rarity * share * full.min(1.0), *number);
                }
            }
        }
        for (tool, (score, covered, stem)) in best {
            let found = found[tool].get_or_insert_default();
            found.score += score;
            found.covered += covered;
            found.stems.push(stem);
        }
        // Nobody knows how rare a word is that no tool has.
        if rarest > 0.0 { rarest } else { float(self.tools.len() + 1).ln() * 0.5 }
    }

    /// How often a stem stands in a tool, by the weight of its places.
    fn often(&self, posting: &Posting) -> f64 {
        let lengths = &self.tools[posting.tool].lengths;
        (0..PLACES)
            .filter(|place| posting.counts[*place] > 0)
            .map(|place| {
                let held_back = 1.0 - weights::LENGTHS[place]
                    + weights::LENGTHS[place] * lengths[place] / self.average[place];
                weights::BY_PLACE[place] * f64::from(posting.counts[place].min(3)) / held_back
            })
            .sum()
    }

    fn rarity_of(&self, stem: &str) -> Option<f64> {
        self.vocabulary.stems.get(stem).map(|number| self.rarity(*number))
    }

    fn rarity(&self, stem: usize) -> f64 {
        let (count, spread) = (float(self.tools.len()), float(self.words[stem].postings.len()));
        ((count - spread + 0.5) / (spread + 0.5) + 1.0).ln()
    }

    /// The words that were found in a tool, by their best place.
    fn reason(&self, tool: usize, found: &ToolScore) -> String {
        let mut by_place: BTreeMap<WordPlace, Vec<&str>> = BTreeMap::new();
        for stem in &found.stems {
            let Stem { shown: word, postings, .. } = &self.words[*stem];
            let Ok(at) = postings.binary_search_by_key(&tool, |posting| posting.tool) else { continue };
            let place = WordPlace::ALL.into_iter().find(|place| postings[at].counts[*place as usize] > 0);
            let words = by_place.entry(place.unwrap_or(WordPlace::Name)).or_default();
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        let part =
            |(place, words): (&WordPlace, &Vec<&str>)| format!("{}: {}", place.word(), words.join(", "));
        by_place.iter().map(part).collect::<Vec<_>>().join("; ")
    }
}

/// The score of a tool: what was found, how much of the query, how much of its name, and whether it does what is asked.
fn judged(tool: &Document, found: &ToolScore, (all, wanted): (f64, u64), typed: &[Option<usize>]) -> f64 {
    let covered = (found.covered / all.max(f64::EPSILON)).min(1.0);
    let own = &tool.name;
    let named = own.iter().filter(|stem| found.stems.contains(stem)).count();
    let exact = float(named) / float(own.len().max(1));
    let beside = typed.windows(2).filter(|pair| follow(own, pair)).count();
    let is_name = own.len() == typed.len() && own.iter().zip(typed).all(|(own, typed)| Some(*own) == *typed);
    let other = wanted != 0 && tool.verbs != 0 && wanted & tool.verbs == 0;
    found.score
        * covered.powf(weights::COVERAGE)
        * (1.0 + weights::EXACTNESS * exact)
        * (1.0 + weights::BESIDE * float(beside))
        * if other { weights::OTHER_VERB } else { 1.0 }
        * if is_name { weights::SAME_NAME } else { 1.0 }
}

/// Whether two words of a query stand beside one another in a name.
fn follow(name: &[usize], pair: &[Option<usize>]) -> bool {
    name.windows(2).any(|own| own.iter().zip(pair).all(|(own, typed)| Some(*own) == *typed))
}

/// The first sentence of a description, and the rest.
fn summary(text: &str) -> (&str, &str) {
    let end = text
        .match_indices(['.', '\n', '!'])
        .map(|(at, _)| at + 1)
        .find(|at| *at > 24 && text[*at..].chars().next().is_none_or(char::is_whitespace));
    text.split_at(end.unwrap_or(text.len()))
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand tools")]
fn float(count: usize) -> f64 {
    count as f64
}
