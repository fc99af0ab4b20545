//! The tasks of a Rakefile, read as text. Names that only Ruby knows are left out, and their lines are counted.

use super::ruby::{self, Block, Line, Rows};

/// The most tasks that loops of one file make.
const MOST: usize = 1000;

/// A text of Ruby, read.
#[derive(Debug, Default)]
pub(super) struct Rakefile {
    pub(super) tasks: Vec<DeclaredTask>,
    /// The files that it loads: paths or patterns, from its own folder.
    pub(super) loads: Vec<String>,
    /// The lines of tasks whose names only rake knows.
    pub(super) unsettled: Vec<usize>,
}

/// A task of a Rakefile.
#[derive(Debug)]
pub(super) struct DeclaredTask {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) line: usize,
    /// Whether it publishes.
    pub(super) publishes: bool,
}

/// The methods that declare a task, and whether one without a description is a task that people name.
const METHODS: [(&str, bool); 4] =
    [("task", true), ("multitask", true), ("file", false), ("directory", false)];

/// The classes of libraries that declare a task: the end of their name, the task's usual name and its description.
const CLASSES: [(&str, &str, &str); 8] = [
    ("RSpec::Core::RakeTask", "spec", "Run the specs with RSpec"),
    ("RuboCop::RakeTask", "rubocop", "Find problems with RuboCop"),
    ("Cucumber::Rake::Task", "cucumber", "Run the features with Cucumber"),
    ("YardocTask", "yard", "Build the documentation with YARD"),
    ("RDoc::Task", "rdoc", "Build the documentation with RDoc"),
    ("RDocTask", "rdoc", "Build the documentation with RDoc"),
    ("Reek::Rake::Task", "reek", "Find problems with Reek"),
    ("TestTask", "test", "Run the tests"),
];

/// The tasks that come with a line: a part of it, and their names, descriptions, and whether they publish.
type Bundle = (&'static str, &'static [&'static [(&'static str, &'static str, bool)]]);

const GEM: &[(&str, &str, bool)] = &[
    ("build", "Build the gem into pkg/", false),
    ("install", "Build the gem, and install it into the system's gems", false),
    ("release", "Tag the version, push it, and publish the gem", true),
];

const CLEAN: &[(&str, &str, bool)] =
    &[("clean", "Remove temporary files", false), ("clobber", "Remove what was built", false)];

const BUNDLES: [Bundle; 4] = [
    ("bundler/gem_tasks", &[GEM, CLEAN]),
    ("Bundler::GemHelper.install_tasks", &[GEM]),
    ("rake/clean", &[CLEAN]),
    ("standard/rake", &[&[("standard", "Find problems with Standard", false)]]),
];

/// Reads a text.
pub(super) fn read(text: &str) -> Rakefile {
    let mut reading = Reading { constants: ruby::constants(text), ..Reading::default() };
    for line in ruby::lines(text) {
        reading.line(&line);
    }
    reading.found
}

#[derive(Debug, Default)]
struct Reading {
    found: Rakefile,
    constants: Vec<(String, Rows)>,
    blocks: Vec<Block>,
    /// The `desc` that no task has taken yet.
    pending: Option<String>,
    /// The variable of the block of a library's task, and the place of that task.
    library: Option<(String, usize)>,
}

impl Reading {
    fn line(&mut self, line: &Line) {
        if line.ends_block() {
            self.blocks.retain(|block| block.margin < line.margin);
        }
        if line.starts("def ") {
            self.blocks.push(Block::method(line.margin));
        }
        // A method may be called with anything, or never.
        if self.blocks.iter().any(|block| block.is_method) {
            return;
        }
        if let Some((list, variables, rest)) = line.each() {
            let rows = ruby::rows(list, &self.constants);
            self.blocks.push(Block::loop_over(line.margin, variables, rows));
            for part in rest.split("; ") {
                self.statement(&Line { code: part.trim_matches([' ', '}']), ..line.clone() });
            }
            if rest.trim_end().ends_with('}') || rest.trim_end().ends_with(" end") {
                self.blocks.pop();
            }
            self.loads(line.code);
        } else {
            self.statement(line);
        }
    }

    fn statement(&mut self, line: &Line) {
        let code = line.code;
        if let Some(rest) = line.argument("namespace") {
            self.blocks.push(Block::namespace(line.margin, ruby::literal(rest, &self.variables())));
        } else if let Some(rest) = line.argument("desc") {
            let variable = self.variables().into_iter().find(|own| *own == rest.trim_end_matches(')'));
            let text = ruby::text(rest).or_else(|| line.heredoc.clone());
            self.pending = text.or_else(|| variable.map(ruby::place));
        } else if let Some((rest, is_named)) =
            METHODS.iter().find_map(|(method, is_named)| Some((line.argument(method)?, *is_named)))
        {
            let description = self.pending.take();
            if is_named || description.is_some() {
                let name = ruby::literal(rest, &self.variables());
                self.declare(name.as_deref(), description.as_deref(), line.number);
            }
        } else if let Some((class, arguments)) = line.new_object() {
            self.object(class, arguments, line);
        } else if let Some((_, tasks)) = BUNDLES.iter().find(|(part, _)| code.contains(part)) {
            for (name, description, publishes) in tasks.iter().copied().flatten() {
                self.declare(Some(name), Some(description), line.number);
                self.found.tasks.iter_mut().rev().take(1).for_each(|task| task.publishes = *publishes);
            }
        } else if let Some((variable, name)) = code.split_once(".name = ") {
            self.rename(variable, name);
        } else if !line.is_control() {
            // Whatever this calls may declare the task that is described.
            self.pending = None;
        }
        self.loads(code);
    }

    /// A task that a library declares.
    fn object(&mut self, class: &str, arguments: &str, line: &Line) {
        let description = self.pending.take();
        let known = CLASSES.iter().find(|(end, ..)| class.ends_with(end));
        let own = ruby::literal(arguments, &self.variables());
        let is_plain = arguments.trim_start_matches(['(', ')', ' ']).is_empty()
            || ["do", "{", "#"]
                .iter()
                .any(|begin| arguments.trim_start_matches(['(', ')', ' ']).starts_with(begin));
        let at = self.found.tasks.len();
        match known {
            Some((_, usual, described)) => {
                let name = own.as_deref().or_else(|| is_plain.then_some(*usual));
                self.declare(name, description.as_deref().or(Some(described)), line.number);
            }
            // Other libraries' tasks have the name that they are given, where the file says what it does.
            None if class.ends_with("Task") && !class.ends_with("PackageTask") && description.is_some() => {
                if own.is_some() {
                    self.declare(own.as_deref(), description.as_deref(), line.number);
                }
            }
            None => return,
        }
        self.library = line.block_variable().map(|variable| (variable.to_owned(), at));
    }

    /// Gives the task of a library the name that its block sets.
    fn rename(&mut self, variable: &str, name: &str) {
        let Some((own, at)) = &self.library else { return };
        if own == variable.trim()
            && let Some(task) = self.found.tasks.get_mut(*at)
            && let Some(name) = ruby::literal(name, &[])
        {
            let spaces = task.name.rsplit_once(':').map_or("", |(spaces, _)| spaces).to_owned();
            task.name = if spaces.is_empty() { name } else { format!("{spaces}:{name}") };
        }
    }

    /// The variables of the loops around, whose words are known.
    fn variables(&self) -> Vec<&str> {
        self.blocks.iter().flat_map(|block| &block.variables).map(String::as_str).collect()
    }

    /// Adds a task for each round of the loops around. A name without one is known to rake alone.
    fn declare(&mut self, name: Option<&str>, description: Option<&str>, line: usize) {
        let spaces = self.blocks.iter().filter_map(|block| block.namespace.as_deref());
        let full = name.map(|name| spaces.chain([name]).collect::<Vec<_>>().join(":"));
        let known = full.and_then(|full| {
            let used = self
                .blocks
                .iter()
                .filter(|block| block.variables.iter().any(|own| full.contains(&ruby::place(own))));
            ruby::rounds(used, MOST).map(|rounds| (full, rounds))
        });
        let Some((full, rounds)) = known else { return self.found.unsettled.push(line) };
        for round in rounds {
            let name = ruby::filled(&full, &round);
            let Some(name) = name.filter(|_| self.found.tasks.len() < MOST) else {
                return self.found.unsettled.push(line);
            };
            let description = description.map(|text| ruby::shortened(text, &round));
            self.found.tasks.push(DeclaredTask { name, description, line, publishes: false });
        }
    }

    /// The files that a line loads.
    fn loads(&mut self, code: &str) {
        if let Some(file) = code.strip_prefix("require_relative ").and_then(ruby::text) {
            let file = file.trim_start_matches("./").trim_end_matches(".rb");
            return self.found.loads.push(format!("{file}.rb"));
        }
        let loads = ["import ", "import(", "load ", "load(", "add_rakelib"];
        // A list of files may be for anything else, such as the files of tests.
        let lists = ["Dir[", "Dir.glob", "FileList["];
        let is_load = |code: &str| loads.iter().any(|own| code.contains(own));
        let is_list = || lists.iter().any(|own| code.contains(own)) && code.contains(".each");
        if !is_load(code) && !is_list() {
            if code.contains("load_tasks") {
                self.found.loads.push("lib/tasks/**/*.rake".to_owned());
            }
            return;
        }
        let literals = ruby::literals(code);
        let joined = code.contains(".join(").then(|| literals.join("/"));
        let paths: Vec<String> = joined.map_or(literals, |path| vec![path]);
        let folder = if code.contains("add_rakelib") { "/*.rake" } else { "" };
        let paths = paths.into_iter().map(|path| format!("{path}{folder}"));
        let is_ruby =
            |path: &String| path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "rake" | "rb"));
        self.found.loads.extend(paths.filter(is_ruby).filter(|path| !path.contains("#{")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tasks, the files that are loaded, and the lines that only rake knows.
    fn picture(text: &str) -> String {
        let found = read(text);
        let tasks = found.tasks.iter().map(|DeclaredTask { name, description, line, .. }| {
            format!("{line} {name}: {}\n", description.as_deref().unwrap_or("-"))
        });
        let loads = found.loads.iter().map(|path| format!("loads {path}\n"));
        let unsettled = found.unsettled.iter().map(|line| format!("{line} only rake knows\n"));
        tasks.chain(loads).chain(unsettled).collect()
    }

    #[test]
    fn names_that_the_text_tells_are_read_and_no_others() {
        insta::assert_snapshot!(picture(
            r##"
desc "Lint" # with everything
task(:lint) { sh "lint" }
%w(a b).each { |name| desc "Do #{name}"; task name.to_sym => :lint }
[:x, "y z"].each do |name|
  task "run:#{name}" => [:lint]
  namespace name do
    multitask("all": %w[a b])
  end
end
LIST.each { |name| task name }
%w[up].map(&:upcase).each { |name| task name }
desc 'Nobody\'s task'
Some::Library.install
task :bare
task "pkg/#{VERSION}.gem"
task name
task name => :lint
desc %q{Braces (and more)}
file "out.txt"
file "quiet.txt"
Cucumber::Rake::Task.new(:features, "Run them") do |t|
  t.name = "not this"
end
Rake::TestTask.new do |t|
  t.name = :units
end
Minitest::TestTask.create # The usual one
Rake::TestTask.new(kind) do |t|
end
Gem::PackageTask.new(spec)
=begin
task :comment
=end
puts <<~TEXT
  task :text
TEXT
load "#{__dir__}/tasks/more.rake"
import "a.rb", "b.mf"
Rake.add_rakelib "lib/rake"
load File.join(__dir__, "tasks", "last.rake")
__END__
task :data
"##
        ), @"
        3 lint: Lint
        4 a: Do a
        4 b: Do b
        6 run:x: -
        6 run:y z: -
        8 x:all: -
        8 y z:all: -
        15 bare: -
        20 out.txt: Braces (and more)
        22 not this: Run the features with Cucumber
        25 units: Run the tests
        28 test: Run the tests
        loads tasks/more.rake
        loads a.rb
        loads lib/rake/*.rake
        loads tasks/last.rake
        11 only rake knows
        12 only rake knows
        16 only rake knows
        17 only rake knows
        18 only rake knows
        29 only rake knows
        ");
    }

    #[test]
    fn loops_over_literal_lists_and_hashes_make_tasks() {
        insta::assert_snapshot!(picture(
            r##"
%w[a b].each { |n| task n }
desc "x"
{a1: 1, "b1" => 2}.each do |k, v|
  desc "Do #{k} #{v}"
  task k do
    puts v
  end
end
{ 'c1' => 'x', 'd1' => 'y' }.each { |name, path| desc "D #{path}"; task "run:#{name}" }
{e1: %w[x y], f1: []}.each_pair do |k, list|
  task k
end
[[:g1, 'Gee'], [:h1, 'Aitch']].each do |name, text|
  desc text
  task name
end
%w[i1 j1].each_with_index do |n, i|
  desc "N"
  task n
end
MAP = { k1: "Kay", l1: "El" }.freeze
MAP.each do |k, text|
  desc "The #{text}"
  task k
end
MAP.each_key { |k| desc "z"; task "key:#{k}" }
MAP.keys.each { |k| desc "z"; task "keys:#{k}" }
{
  m1: "Em",
  n1: "En",
}.each do |k, v|
  desc "#{v}"
  task k
end
for x in %w[o1 p1]
  desc "oo"
  task x
end
{ u1: 1 }.each { |pair| task pair }
{ u2: 1 }.merge(more).each { |k, v| task k }
[[:u3, "a"], [:u4]].each { |name, text| task name }
%w[u5].each { |a, b| task a }
{ u6: name }.each { |k, v| desc v; task "at:#{k}"; task "never:#{v}" }
{ 1 => "u7" }.each { |k, v| task v }
"##
        ), @"
        2 a: -
        2 b: -
        6 a1: Do a1 1
        6 b1: Do b1 2
        10 run:c1: D x
        10 run:d1: D y
        12 e1: -
        12 f1: -
        16 g1: Gee
        16 h1: Aitch
        20 i1: N
        20 j1: N
        25 k1: The Kay
        25 l1: The El
        27 key:k1: z
        27 key:l1: z
        28 keys:k1: z
        28 keys:l1: z
        34 m1: Em
        34 n1: En
        38 o1: oo
        38 p1: oo
        44 at:u6: …
        40 only rake knows
        41 only rake knows
        42 only rake knows
        43 only rake knows
        44 only rake knows
        45 only rake knows
        ");
    }

    #[test]
    fn odd_texts_end() {
        for text in [
            "desc %é",
            "desc \"#{",
            "task :",
            "%w[",
            "[",
            "x.each do |",
            "puts <<~TEXT",
            "=begin",
            "task \"#{a}\"\\",
        ] {
            assert!(read(text).tasks.is_empty(), "{text}");
        }
        let nested = "%w[a b c d e f g h i j].each do |A|\n".to_owned();
        let many: String = ["a", "b", "c", "d"].map(|name| nested.replace('A', name)).concat();
        let found = read(&format!("{many}task \"#{{a}}#{{b}}#{{c}}#{{d}}\"\n"));
        assert_eq!((found.tasks.len(), found.unsettled), (0, vec![5]));
    }
}
