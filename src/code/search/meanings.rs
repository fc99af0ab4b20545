//! Words that mean the same of tools: synonyms, abbreviations, turns of phrase, and words that say nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::stem;

/// The verbs of tools. Words of one group mean the same; a name with a verb of another group does something else.
const VERBS: &[&[&str]] = &[
    &["create", "add", "new", "make", "open", "insert", "register", "generate", "provision", "append", "draft"],
    &["delete", "remove", "drop", "destroy", "erase", "clear", "purge", "uninstall", "flush", "forget", "wipe"],
    &["get", "fetch", "read", "show", "retrieve", "view", "load", "display", "describe", "inspect", "see"],
    &["list", "enumerate", "all", "browse", "which"],
    &["search", "find", "query", "lookup", "look", "grep", "locate", "filter"],
    &["update", "edit", "modify", "change", "set", "patch", "alter", "rename", "replace", "adjust", "configure"],
    &["send", "post", "publish", "submit", "emit", "deliver"],
    &["run", "execute", "start", "launch", "invoke", "trigger", "call", "play", "evaluate", "begin"],
    &["stop", "cancel", "abort", "kill", "end", "terminate", "shutdown", "halt"],
    &["pause", "suspend", "freeze"],
    &["resume", "continue", "unpause"],
    &["restart", "reboot", "reload", "retry", "rerun", "reset"],
    &["move", "rename", "transfer", "transition"],
    &["copy", "duplicate", "clone", "fork"],
    &["write", "save", "store", "put", "record"],
    &["download", "export", "save", "fetch"],
    &["upload", "attach", "import"],
    &["install", "deploy", "release", "publish"],
    &["upgrade", "update", "migrate"],
    &["scale", "resize", "increase", "expand", "grow", "shrink"],
    &["connect", "link", "associate", "relate", "join", "attach", "relation"],
    &["disconnect", "unlink", "detach"],
    &["approve", "accept", "confirm", "acknowledge"],
    &["reject", "withdraw", "revoke", "decline", "unapprove", "dismiss"],
    &["assign", "give", "allocate", "reserve", "delegate"],
    &["wait", "await", "block"],
    &["test", "check", "verify", "validate", "assert", "valid", "lint"],
    &["compare", "diff", "difference"],
    &["convert", "transform", "translate", "turn"],
    &["answer", "reply", "respond"],
    &["mute", "silence", "snooze"],
    &["simulate", "emulate", "mimic"],
    &["lock", "protect", "prevent", "restrict"],
    &["unlock", "unprotect", "allow"],
    &["choose", "select", "pick"],
    &["click", "press", "tap", "push"],
    &["navigate", "visit", "goto", "open"],
    &["merge", "squash"],
    &["undo", "revert", "restore", "rollback", "reset"],
    &["subscribe", "listen", "watch"],
    &["count", "number", "size", "total"],
    &["build", "compile", "bundle"],
];

/// Groups of other words that mean the same of tools.
const NOUNS: &[&[&str]] = &[
    &["directory", "folder", "dir", "subfolder"],
    &["file", "document"],
    &["issue", "ticket", "bug"],
    &["message", "msg", "chat"],
    &["mail", "email"],
    &["database", "sql"],
    &["table", "schema"],
    &["image", "picture", "photo", "icon"],
    &["screenshot", "capture", "snapshot"],
    &["website", "webpage", "page", "site", "web", "internet"],
    &["url", "link", "address"],
    &["user", "member", "person", "people", "who", "colleague", "contact"],
    &["time", "date", "clock"],
    &["dependency", "package", "module"],
    &["comment", "note", "feedback"],
    &["branch", "ref"],
    &["commit", "revision"],
    &["history", "log", "changelog"],
    &["log", "output", "trace"],
    &["secret", "password", "credential", "token"],
    &["certificate", "tls", "https"],
    &["cost", "price", "pricing", "expense"],
    &["bill", "billing", "invoice", "balance", "owe"],
    &["permission", "access", "role", "restriction"],
    &["sms", "text", "phone"],
    &["speech", "voice", "audio", "transcribe", "aloud"],
    &["container", "pod", "docker"],
    &["pipeline", "ci", "build"],
    &["workflow", "automation"],
    &["row", "record", "entry"],
    &["column", "field", "property", "attribute"],
    &["function", "lambda", "serverless"],
    &["quota", "limit"],
    &["usage", "usage", "consumption"],
    &["metric", "cpu", "memory"],
    &["dashboard", "panel", "chart", "graph"],
    &["alert", "alarm", "notification", "warning"],
    &["incident", "outage"],
    &["status", "state"],
    &["healthy", "health", "reachable", "alive"],
    &["location", "place", "address", "coordinate"],
    &["coordinate", "latitude", "longitude", "geocode"],
    &["direction", "route", "drive"],
    &["schedule", "nightly", "cron", "daily"],
    &["process", "program"],
    &["shell", "terminal", "console", "bash", "command"],
    &["performance", "profile", "slow", "speed", "latency"],
    &["annotation", "mark", "marker"],
    &["recommendation", "advice", "advisor", "advisory", "suggestion", "insight"],
    &["vulnerability", "security"],
    &["emoji", "reaction", "react"],
    &["todo", "task"],
    &["disk", "storage", "space", "volume"],
    &["machine", "server", "instance", "host"],
    &["region", "location"],
    &["dialog", "popup", "prompt"],
    &["key", "value"],
    &["disable", "off"],
    &["enable", "on"],
    &["ip", "address"],
    &["dns", "domain", "zone"],
    &["video", "screencast", "recording"],
    &["memory", "heap"],
    &["manifest", "yaml"],
    &["vector", "embedding", "similarity", "nearest", "knn"],
    &["font", "css", "style"],
    &["compress", "gzip", "zip", "archive"],
    &["sum", "plus", "addition"],
    &["conflict", "collision"],
    &["owner", "ownership"],
    &["size", "length"],
    &["glob", "pattern"],
    &["backup", "snapshot"],
    &["crm", "contact", "company", "deal"],
    &["view", "visit"],
];

/// Abbreviations and the words that they stand for; each is found by the other.
const SHORT: &[(&[&str], &[&str])] = &[
    (&["pr"], &["pull", "request"]),
    (&["mr"], &["merge", "request"]),
    (&["vm"], &["virtual", "machine"]),
    (&["lb"], &["load", "balancer"]),
    (&["vpc"], &["private", "network"]),
    (&["tts"], &["text", "to", "speech"]),
    (&["stt"], &["speech", "to", "text"]),
    (&["k", "8", "s"], &["kubernetes"]),
    (&["k", "8", "s"], &["kubectl"]),
    (&["js"], &["javascript"]),
    (&["ts"], &["typescript"]),
    (&["db"], &["database"]),
    (&["repo"], &["repository"]),
    (&["env"], &["environment"]),
    (&["config"], &["configuration"]),
    (&["auth"], &["authentication"]),
    (&["doc"], &["documentation"]),
    (&["cert"], &["certificate"]),
    (&["ssl"], &["tls"]),
    (&["img"], &["image"]),
    (&["app"], &["application"]),
    (&["info"], &["information"]),
    (&["stats"], &["statistics"]),
    (&["org"], &["organization"]),
    (&["prod"], &["production"]),
    (&["param"], &["parameter"]),
    (&["spec"], &["specification"]),
    (&["kv"], &["key", "value"]),
    (&["qps"], &["queries", "per", "second"]),
    (&["mongo"], &["mongodb"]),
    (&["postgres"], &["postgresql"]),
    (&["psql"], &["postgresql"]),
];

/// Turns of phrase, and the word for each.
const PHRASES: &[(&[&str], &str)] = &[
    (&["get", "rid", "of"], "delete"),
    (&["look", "up"], "search"),
    (&["look", "for"], "search"),
    (&["spin", "up"], "create"),
    (&["set", "up"], "create"),
    (&["file", "a"], "create"),
    (&["file", "an"], "create"),
    (&["turn", "off"], "shutdown"),
    (&["switch", "off"], "shutdown"),
    (&["power", "down"], "shutdown"),
    (&["shut", "down"], "shutdown"),
    (&["turn", "on"], "enable"),
    (&["turn", "into"], "convert"),
    (&["switch", "to"], "checkout"),
    (&["tear", "down"], "delete"),
    (&["take", "down"], "delete"),
    (&["roll", "back"], "rollback"),
    (&["back", "up"], "backup"),
    (&["write", "down"], "write"),
    (&["scale", "up"], "scale"),
    (&["scale", "down"], "scale"),
    (&["fill", "out"], "fill"),
    (&["fill", "in"], "fill"),
    (&["find", "out"], "get"),
    (&["how", "many"], "count"),
    (&["how", "much"], "price"),
    (&["how", "big"], "size"),
    (&["how", "long"], "duration"),
    (&["what", "time"], "time"),
    (&["out", "of", "service"], "drain"),
];

/// Words that say nothing of a tool.
const FILLERS: &[&str] = &[
    "a", "about", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "between", "but", "by", "can", "could",
    "did", "do", "does", "done", "down", "each", "every", "for", "from", "had", "has", "have", "here", "how", "i", "if",
    "in", "into", "is", "it", "its", "just", "let", "like", "lot", "may", "me", "might", "much", "must", "my", "need",
    "now", "of", "often", "or", "our", "out", "over", "please", "right", "s", "shall", "should", "so", "some",
    "something", "someone", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to",
    "tool", "up", "us", "use", "using", "want", "was", "we", "were", "what", "when", "where", "whether", "why", "will",
    "with", "would", "you", "your",
];

/// The stems of each group, verbs first.
static GROUPS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    VERBS.iter().chain(NOUNS).map(|group| group.iter().map(|word| stem(word)).collect()).collect()
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
    let groups = BY_STEM.get(stem).map_or(&[][..], Vec::as_slice);
    let own = stem.to_owned();
    groups.iter().flat_map(|group| GROUPS[*group].iter().map(String::as_str)).filter(move |other| *other != own)
}

/// The verbs that a stem can be: a bit for each group.
pub(super) fn verbs(stem: &str) -> u64 {
    let groups = BY_STEM.get(stem).map_or(&[][..], Vec::as_slice);
    groups.iter().filter(|group| **group < VERBS.len()).fold(0, |bits, group| bits | 1 << group)
}

/// A word that says nothing of a tool.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// The phrase that some words begin with: how many words it has, and the word for it.
pub(super) fn phrase(words: &[String]) -> Option<(usize, &'static str)> {
    PHRASES.iter().find_map(|(phrase, word)| begins(words, phrase).then_some((phrase.len(), *word)))
}

/// The ways to say what some words begin with: how many words it has, and the other way.
pub(super) fn other_ways(words: &[String]) -> impl Iterator<Item = (usize, &'static [&'static str])> {
    let both = SHORT.iter().flat_map(|(short, long)| [(*short, *long), (*long, *short)]);
    both.filter(move |(one, _)| begins(words, one)).map(|(one, other)| (one.len(), other))
}

fn begins(words: &[String], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, wanted)| word == wanted)
}
