//! Words that mean the same of tools: synonyms, abbreviations, turns of phrase, and words that say nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::stem;

/// The verbs of tools. Words of one group mean the same; a name with a verb of another group does something else.
const VERBS: &[&str] = &[
    "create add new make open insert register generate provision append put",
    "delete remove drop destroy erase clear purge uninstall flush forget wipe",
    "get fetch read show retrieve view load display describe inspect see",
    "list enumerate all browse which",
    "search find query lookup look grep filter",
    "update edit modify change set patch alter rename replace adjust configure",
    "send post publish submit emit deliver",
    "run execute start launch invoke trigger call play evaluate begin",
    "stop cancel abort kill end terminate shutdown halt",
    "pause suspend freeze",
    "resume continue unpause",
    "restart reboot reload retry rerun reset",
    "move rename transfer transition",
    "copy duplicate clone fork",
    "write save store put record",
    "download export save fetch",
    "upload attach import",
    "install deploy release publish",
    "upgrade update",
    "scale resize increase expand grow shrink",
    "connect link associate relate join attach relation",
    "disconnect unlink detach",
    "approve accept confirm acknowledge",
    "reject withdraw revoke decline unapprove dismiss",
    "assign give allocate reserve delegate",
    "wait await block",
    "test check verify validate assert valid lint",
    "compare diff difference",
    "convert transform translate turn",
    "answer reply respond",
    "mute silence snooze",
    "simulate emulate mimic",
    "lock protect prevent restrict",
    "unlock unprotect allow",
    "choose select pick",
    "click press tap push",
    "navigate visit goto open",
    "merge squash",
    "undo revert restore rollback reset",
    "subscribe listen watch",
    "count number size total",
    "build compile bundle",
];

/// Groups of other words that mean the same of tools.
const NOUNS: &[&str] = &[
    "directory folder dir subfolder",
    "file document",
    "issue ticket bug",
    "message msg chat",
    "mail email",
    "database sql",
    "table schema",
    "image picture photo icon",
    "screenshot capture snapshot",
    "website webpage page site web internet",
    "url link address",
    "user member person people who colleague contact",
    "time date clock",
    "dependency package module",
    "comment note feedback",
    "branch ref",
    "commit revision",
    "history log changelog",
    "log output trace",
    "secret password credential token",
    "certificate tls https",
    "cost price pricing expense",
    "bill billing invoice balance owe",
    "permission access role restriction",
    "sms text phone",
    "speech voice audio transcribe aloud",
    "container pod docker",
    "pipeline ci build",
    "workflow automation",
    "row record entry",
    "column field property attribute",
    "function lambda serverless",
    "quota limit",
    "usage consumption",
    "dashboard panel chart graph",
    "alert alarm notification warning",
    "incident outage",
    "status state",
    "healthy health reachable alive",
    "location place address coordinate",
    "coordinate latitude longitude geocode",
    "direction route drive",
    "schedule nightly cron daily",
    "process program",
    "shell terminal console bash command",
    "performance profile slow speed latency",
    "annotation mark marker",
    "recommendation advice advisor advisory suggestion insight",
    "vulnerability security",
    "emoji reaction react",
    "todo task",
    "disk storage space volume",
    "machine server instance host",
    "region location",
    "dialog popup prompt",
    "ip address",
    "dns domain zone",
    "video screencast recording",
    "memory heap",
    "manifest yaml",
    "vector embedding similarity nearest knn",
    "font css style",
    "compress gzip zip archive",
    "sum plus addition",
    "owner ownership",
    "glob pattern",
    "backup snapshot",
    "crm contact company deal",
    "view visit",
];

/// Abbreviations and the words that they stand for; each is found by the other.
const SHORT: &[(&str, &str)] = &[
    ("pr", "pull request"),
    ("mr", "merge request"),
    ("vm", "virtual machine"),
    ("lb", "load balancer"),
    ("vpc", "private network"),
    ("tts", "text to speech"),
    ("stt", "speech to text"),
    ("k 8 s", "kubernetes"),
    ("k 8 s", "kubectl"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("db", "database"),
    ("repo", "repository"),
    ("env", "environment"),
    ("config", "configuration"),
    ("auth", "authentication"),
    ("doc", "documentation"),
    ("cert", "certificate"),
    ("ssl", "tls"),
    ("img", "image"),
    ("app", "application"),
    ("info", "information"),
    ("stats", "statistics"),
    ("org", "organization"),
    ("prod", "production"),
    ("param", "parameter"),
    ("spec", "specification"),
    ("kv", "key value"),
    ("qps", "queries per second"),
    ("mongo", "mongodb"),
    ("postgres", "postgresql"),
    ("psql", "postgresql"),
];

/// Turns of phrase, and the word for each.
const PHRASES: &[(&str, &str)] = &[
    ("get rid of", "delete"),
    ("look up", "search"),
    ("look for", "search"),
    ("spin up", "create"),
    ("set up", "create"),
    ("file a", "create"),
    ("file an", "create"),
    ("turn off", "shutdown"),
    ("switch off", "shutdown"),
    ("power down", "shutdown"),
    ("shut down", "shutdown"),
    ("turn on", "enable"),
    ("turn into", "convert"),
    ("switch to", "checkout"),
    ("tear down", "delete"),
    ("take down", "delete"),
    ("roll back", "rollback"),
    ("back up", "backup"),
    ("write down", "write"),
    ("scale up", "scale"),
    ("scale down", "scale"),
    ("fill out", "fill"),
    ("fill in", "fill"),
    ("find out", "get"),
    ("how many", "count"),
    ("how much", "price"),
    ("how big", "size"),
    ("how long", "duration"),
    ("what time", "time"),
    ("out of service", "drain"),
];

/// Words that say nothing of a tool.
const FILLERS: &str = "a about also am an and any are as at be been between but by can could did do does done down each \
    every for from had has have here how i if in into is it its just let like lot may me might much must \
    my need now of often or our out over please right s shall should so some something someone than that \
    the their them then there these they this those to tool up us use using want was we were what when \
    where whether why will with would you your";

/// Words that questions begin with.
const QUESTIONS: &str = "am are did do does has have how is was were what when where which who whose why";

/// The stems of each group, verbs first.
static GROUPS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    VERBS.iter().chain(NOUNS).map(|group| group.split_whitespace().map(stem).collect()).collect()
});

/// The groups that a stem is in.
static BY_STEM: LazyLock<HashMap<&'static str, Vec<usize>>> = LazyLock::new(|| {
    let mut by_stem: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, group) in GROUPS.iter().enumerate() {
        for stem in group {
            by_stem.entry(stem).or_default().push(number);
        }
    }
    by_stem
});

/// The other stems that mean the same.
pub(super) fn synonyms(stem: &str) -> impl Iterator<Item = &'static str> {
    let own = stem.to_owned();
    let all = groups(stem).iter().flat_map(|group| GROUPS[*group].iter().map(String::as_str));
    all.filter(move |other| *other != own)
}

/// The verbs that a stem can be: a bit for each group.
pub(super) fn verbs(stem: &str) -> u64 {
    groups(stem).iter().filter(|group| **group < VERBS.len()).fold(0, |bits, group| bits | (1 << group))
}

/// The verbs that a question asks for, by its first word: those of tools that only look.
pub(super) fn asked(first: &str) -> u64 {
    let looks = ["get", "list", "search", "count", "check"];
    let is_question = QUESTIONS.split_whitespace().any(|word| word == first);
    looks.iter().filter(|_| is_question).fold(0, |bits, word| bits | verbs(&stem(word)))
}

/// A word that says nothing of a tool.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.split_whitespace().any(|filler| filler == word)
}

/// The phrase that some words begin with: how many words it has, and the word for it.
pub(super) fn phrase(words: &[String]) -> Option<(usize, &'static str)> {
    PHRASES.iter().find_map(|(phrase, word)| Some((begins(words, phrase)?, *word)))
}

/// The other ways to say what some words begin with: how many words it has, and the other way.
pub(super) fn other_ways(words: &[String]) -> impl Iterator<Item = (usize, &'static str)> {
    let both = SHORT.iter().flat_map(|(short, long)| [(*short, *long), (*long, *short)]);
    both.filter_map(move |(one, other)| Some((begins(words, one)?, other)))
}

fn groups(stem: &str) -> &'static [usize] {
    BY_STEM.get(stem).map_or(&[], Vec::as_slice)
}

/// How many words a phrase has, where these begin with it.
fn begins(words: &[String], phrase: &str) -> Option<usize> {
    let mut given = words.iter();
    phrase
        .split_whitespace()
        .all(|wanted| given.next().is_some_and(|word| word == wanted))
        .then(|| words.len() - given.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_have_a_bit_each_and_groups_know_one_another() {
        assert!(VERBS.len() <= 64, "{}", VERBS.len());
        assert!(synonyms(&stem("remove")).any(|other| other == stem("delete")));
        assert_ne!(verbs(&stem("create")) & verbs(&stem("insert")), 0);
        assert_eq!(verbs(&stem("create")) & verbs(&stem("delete")), 0);
        assert_ne!(asked("who") & verbs("list"), 0);
        assert_eq!(asked("create"), 0);
    }

    #[test]
    fn abbreviations_and_phrases_are_found_at_the_beginning() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(phrase(&words("get rid of it")), Some((3, "delete")));
        assert_eq!(phrase(&words("get rid")), None);
        assert_eq!(other_ways(&words("virtual machine now")).collect::<Vec<_>>(), [(2, "vm")]);
        assert_eq!(other_ways(&words("pr")).collect::<Vec<_>>(), [(1, "pull request")]);
    }
}
