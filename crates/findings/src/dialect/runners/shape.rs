//! The shape of a runner's report: expressions for its lines.

use regex::Regex;

use crate::dialect::place;

/// A runner of tests as data. An expression that is empty matches no line. `{name}` stands for the name of a file, with blanks or without.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestRunner {
    /// The name: `rspec`.
    pub(super) id: &'static str,
    /// The programs that write it.
    pub(super) programs: &'static [&'static str],
    /// One of these is in each line that begins a list of failures, a failure outside of one, or a count.
    pub(super) triggers: &'static [&'static str],
    /// The line above a list of failures; without this expression a head may stand anywhere.
    pub(super) begins: &'static str,
    /// The line that names a failing test in a list, apart from its details: the groups of a head.
    pub(super) listed: &'static str,
    /// The first line of a failure. Its groups are `name`, `package` (of Java), `reason`, `file`, `line` and `column`.
    pub(super) head: &'static str,
    /// The line below a head that has no name: the same groups.
    pub(super) title: &'static str,
    /// A line without which a failure is none.
    pub(super) proof: &'static str,
    /// A line of the stack, with the groups `reason`, `file`, `line` and `column`; the first own place is where it failed.
    /// Or, with the group `home`, the place of the test itself.
    pub(super) place: &'static str,
    /// A line that says nothing.
    pub(super) idle: &'static str,
    /// The line that ends a failure and the list, beside the head of the next and a count.
    pub(super) ends: &'static str,
    /// The ways in which the runner counts, each with an expression for each of its lines. Their groups are `total`, `run`,
    /// `passed`, `failed`, `errors`, `skipped`, `pending` and `broken`.
    pub(super) counts: &'static [&'static [&'static str]],
    /// The result of one test, with one of the groups `passed`, `failed` and `skipped`: for runners whose counts are of
    /// something else.
    pub(super) result: &'static str,
    /// Whether the counts of suites come before those of all, which has the largest.
    pub(super) is_nested: bool,
}

/// A runner that most others differ from in a few fields.
pub(super) const RUNNER: TestRunner = TestRunner {
    id: "",
    programs: &[],
    triggers: &[],
    begins: "",
    listed: "",
    head: "",
    title: "",
    proof: "",
    place: "",
    idle: "",
    ends: "",
    counts: &[],
    result: "",
    is_nested: false,
};

/// The expressions of a runner, which are compiled when the first line with a trigger comes.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) runner: TestRunner,
    pub(super) begins: Option<Regex>,
    pub(super) listed: Option<Regex>,
    pub(super) head: Option<Regex>,
    pub(super) title: Option<Regex>,
    pub(super) proof: Option<Regex>,
    pub(super) place: Option<Regex>,
    pub(super) idle: Option<Regex>,
    pub(super) ends: Option<Regex>,
    pub(super) counts: Vec<Vec<Regex>>,
    pub(super) result: Option<Regex>,
}

impl Shape {
    pub(super) fn of(runner: TestRunner) -> Self {
        let expression = |text: &str| Regex::new(&place::expanded(text)).ok().filter(|_| !text.is_empty());
        Self {
            begins: expression(runner.begins),
            listed: expression(runner.listed),
            head: expression(runner.head),
            title: expression(runner.title),
            proof: expression(runner.proof),
            place: expression(runner.place),
            idle: expression(runner.idle),
            ends: expression(runner.ends),
            counts: runner
                .counts
                .iter()
                .map(|lines| lines.iter().copied().filter_map(expression).collect())
                .collect(),
            result: expression(runner.result),
            runner,
        }
    }
}
