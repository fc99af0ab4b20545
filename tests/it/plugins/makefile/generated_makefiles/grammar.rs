//! Makefiles made up from a seed: each thing that a Makefile can say, in odd orders and odder names.

use super::random::Random;

/// Variables; a value refers to those behind it, since make stops where one refers to itself.
const VARIABLES: &[&str] = &["A", "B", "C", "D", "E"];

const NAMES: &[&str] =
    &["a", "b", "c", "d-e", "f.g", "h/i", "j_k", "l", "all", "test", "build", "clean", "x.o", "y.o", "k"];

/// Names that must be quoted, or look as if they must be something else.
const ODD_NAMES: &[&str] = &[
    r"m\:n",
    r"o\ p",
    r"q\#r",
    "$$u",
    "./v",
    "w+",
    ".z",
    ".hid/den",
    "p&q",
    "n!m",
    "ifdef",
    "define",
    r"r\\s",
    "././t",
    "é",
    "+a",
    "export",
    "t@",
    "u~",
    "..",
    "./",
    "a,b",
    "{x}",
    "else",
    "(y)",
    "it's",
    "\"q\"",
    "include",
    "$Au",
    "$(A)$(B)",
    "v^w",
    "a|b",
    "*.mk",
    "in?.mk",
    "sub/*.mk",
    "nope*.x",
    "//w",
    "override",
    "-x",
    "~z",
    ".c.o",
    ".q",
    ".PHONY",
    "x.o(y)",
    "$(info )i",
];

/// Files that the Makefile includes: one in its folder, one below, and two that include each other.
const OTHERS: &[(&str, &str)] = &[
    ("inc.mk", "inc-t: ; x\nC += from-inc\n$(A)-inc:\n.PHONY: of-inc\nof-inc: inc-t\n"),
    ("sub/more.mk", "ifndef MORE\nMORE := 1\nsub-t: ; x\ninclude inc.mk\nendif\n"),
    ("round.mk", "ifndef ROUND\nROUND := 1\ninclude trip.mk\nround-t: trip-t\nendif\n"),
    ("trip.mk", "include round.mk\ntrip-t: ; x\n\t@y: z"),
    ("crlf.mk", "crlf-t: \\\r\n  a\r\n\techo x\r\nE := of crlf\r\n"),
];

/// A project that was made up.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// Paths and contents, the Makefile first.
    pub(super) files: Vec<(String, String)>,
    /// It says all with rules, literal variables, lists of names and includes.
    pub(super) plain: bool,
    /// So many lines at the start see to that.
    pub(super) first: usize,
}

/// The project of a seed.
pub(super) fn scene(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let plain = random.chance(60);
    let mut grammar = Grammar { random, plain, lines: Vec::new(), prefix: '\t' };
    grammar.makefile();
    let Grammar { mut random, lines, .. } = grammar;
    let mut text = lines.join("\n") + random.pick(&["\n", "\n", "\n", ""]);
    if random.chance(8) {
        text = text.replace('\n', "\r\n");
    }
    if random.chance(4) {
        text.insert(0, '\u{feff}');
    }
    let first = if plain { VARIABLES.len() + 4 } else { 0 };
    let others = OTHERS.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Scene { files: std::iter::once(("Makefile".to_owned(), text)).chain(others).collect(), plain, first }
}

struct Grammar {
    random: Random,
    plain: bool,
    lines: Vec<String>,
    prefix: char,
}

impl Grammar {
    fn makefile(&mut self) {
        if self.plain {
            // The last one first: a value that is expanded at once must find the variables that it refers to.
            for (place, name) in VARIABLES.iter().enumerate().rev() {
                let (operator, value) = (self.of(&["=", ":=", " = ", " ::= "]), self.value(place + 1, 0));
                self.lines.push(format!("{name}{operator}{value}"));
            }
            let others = ["F = $(1)-f $(2)", "G =", "MORE =", "ROUND ="];
            self.lines.splice(0..0, others.map(str::to_owned));
        }
        let count = 3 + self.random.below(14);
        self.statements(0, count);
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    fn of(&mut self, choices: &[&str]) -> String {
        self.random.pick(choices).to_owned()
    }

    fn several(&mut self, least: usize, most: usize, one: impl Fn(&mut Self) -> String) -> String {
        let count = least + self.random.below(most - least + 1);
        let blank = self.of(&[" ", " ", " ", "  ", "\t", " \\\n ", " \\\n\t"]);
        (0..count).map(|_| one(self)).collect::<Vec<_>>().join(&blank)
    }

    /// A variable from this place on; any, where there is none.
    fn variable(&mut self, from: usize) -> String {
        let from = if from < VARIABLES.len() { from } else { 0 };
        self.of(&VARIABLES[from..])
    }

    fn name(&mut self) -> String {
        match self.random.below(100) {
            0..55 => self.of(NAMES),
            55..70 => self.of(ODD_NAMES),
            70..84 => format!("$({})", self.variable(0)),
            84..90 => format!("${{{}}}", self.variable(0)),
            90..94 => format!("{}-{}", self.of(&["a", "test", "j_k"]), self.reference(0, 1)),
            _ => self.reference(0, 0),
        }
    }

    fn value(&mut self, from: usize, depth: usize) -> String {
        let word = |own: &mut Self| match own.random.below(16) {
            0..2 if from < VARIABLES.len() => format!("$({})", own.variable(from)),
            2..4 if depth < 2 && from < VARIABLES.len() => own.reference(from, depth + 1),
            4 => own.of(&["w%", "", r"foo\ bar", "it's", "$$d", "a=b", r"x\:y", "(b)", r"a\b", "%", "a,b"]),
            _ => own.of(&["a", "b", "one", "two", "x.c", "y.c", "dir/z.c", "n1", "n2", "all", "./c"]),
        };
        self.several(0, 3, word).replace("\\\n", " ")
    }

    /// A reference to a variable, or a function.
    fn reference(&mut self, from: usize, depth: usize) -> String {
        let variable = self.variable(from);
        let value = self.value(from, depth + 1);
        let second = self.value(from, depth + 1);
        if self.plain {
            return match self.random.below(8) {
                0 => format!("$(addprefix pre-,{value})"),
                1 => format!("$(addsuffix -suf,{value})"),
                2 => format!("$(sort {value} {second})"),
                3 => self.of(&[
                    "$(wildcard *.mk)",
                    "$(wildcard in*.mk nope.x)",
                    "$(wildcard inc.mk sub/more.mk)",
                ]),
                4 => format!("${{{variable}}}"),
                _ => format!("$({variable})"),
            };
        }
        match self.random.below(40) {
            0 => format!("$({variable}:.c=.o)"),
            1 => format!("$({variable}:%.c=o/%.o)"),
            2 => format!("$(addprefix pre-,{value})"),
            3 => format!("$(addsuffix -suf,{value})"),
            4 => format!("$(patsubst %.c,%.o,{value})"),
            // If there are several words without a `%`, make takes the whole text for the one to replace,
            // blanks included.
            5 => format!("$(patsubst $(firstword {value}),{second},a b x.c)"),
            6 => format!("$(subst o,0,{value})"),
            7 => format!("$(sort {value} {second})"),
            8 => format!("$(filter %.c one,{value})"),
            9 => format!("$(filter-out %.c one,{value})"),
            10 => format!("$(foreach v,{value},t-$(v))"),
            11 => format!("$(if {value},yes,no)"),
            12 => format!("$(or {value},{second})"),
            13 => format!("$(and {value},{second})"),
            14 => format!("$(strip {value})"),
            15 => format!("$(word 2,{value})"),
            16 => format!("$(wordlist 1,2,{value})"),
            17 => format!("$(firstword {value})"),
            18 => format!("$(lastword {value})"),
            19 => format!("$(words {value})"),
            20 => format!("$(dir {value})"),
            21 => format!("$(notdir {value})"),
            22 => format!("$(basename {value})"),
            23 => format!("$(suffix {value})"),
            24 => format!("$(join {value},{second})"),
            25 => format!("$(findstring o,{value})"),
            26 => format!("$(call F,{value},{second})"),
            27 => format!("$(value {variable})"),
            28 => format!("$($({variable}))"),
            29 => {
                self.of(&["$(wildcard *.mk)", "$(wildcard in*.mk nope.x)", "$(wildcard inc.mk sub/more.mk)"])
            }
            30 => format!("$(flavor {variable})"),
            31 => format!("$(origin {variable})"),
            32 => format!("${{if {value},$({variable}),x}}"),
            33 => format!("$(subst $() ,-,{value})"),
            34 => format!("$(foreach v,{value},$(foreach w,{second},$v$w))"),
            35 => format!("$(call F,$(call F,{value}))"),
            36 => format!("$(filter {value},{second})"),
            37 => self.of(&["$(shell echo s)", "$(CC)", "$(MAKE)", "$(UNSET)", "$(notdir $(CURDIR))"]),
            _ => format!("$({variable})"),
        }
    }

    fn statements(&mut self, depth: usize, count: usize) {
        for _ in 0..count {
            match self.random.below(100) {
                0..26 => self.assignment(),
                26..56 => self.rule(),
                56..63 => {
                    let names = self.several(1, 3, Self::name);
                    let blank = self.of(&[" ", " \\\n ", "", " :", " | "]);
                    self.lines.push(format!(".PHONY:{blank}{names}"));
                }
                63..72 if depth < 3 && !self.plain => self.condition(depth),
                72..77 if !self.plain => self.definition(),
                77..81 => self.for_target(),
                81..86 if !self.plain => self.evaluation(),
                86..89 => {
                    let line = self.of(&[
                        "include inc.mk",
                        "-include inc.mk nope.mk",
                        "sinclude i*.mk",
                        "include $(wildcard i*.mk)",
                        "include sub/more.mk",
                        "include round.mk",
                        "include crlf.mk # more",
                        "-include sub/*.mk",
                        "include ./inc.mk",
                        "include $(addsuffix .mk,inc)",
                        "-include *.nope",
                        "include",
                        "include sub/../inc.mk",
                        "-include no/such.mk",
                    ]);
                    self.lines.push(line);
                }
                89..93 => self.directive(),
                93..96 => {
                    let line = self.of(&[
                        "# comment \\\n not: rule",
                        "#",
                        "## above",
                        "  # x: y",
                        "# \\\\\n m1: ; x",
                        "",
                    ]);
                    self.lines.push(line);
                }
                96..98 => {
                    let most = if self.plain { 5 } else { 7 };
                    let lines = &["$(info hi)", "", "   ", "\t", "$(warning w)", "$(and ,x)", "$(if ,x)"];
                    let line = self.of(&lines[..most]);
                    self.lines.push(line);
                }
                _ => self.lines.push("k: ; x".to_owned()),
            }
        }
    }

    fn assignment(&mut self) {
        let operator =
            self.of(&["=", ":=", "?=", "+=", "::=", " = ", " := ", " ?= ", " += ", " ::= ", "\t="]);
        let before =
            self.of(&["", "", "", "", "", "export ", "override ", "private ", "  ", "export override "]);
        let place = self.random.below(VARIABLES.len());
        let value = self.value(place + 1, 0);
        // No two backslashes: make unquotes them before a blank in prerequisites otherwise than in targets.
        let behind = self.of(&["", "", "", "", " # c: d", "\\\n  more", " ", " \\\n"]);
        self.lines.push(format!("{before}{}{operator}{value}{behind}", VARIABLES[place]));
        if !self.plain && self.chance(5) {
            self.lines.push("S != echo s".to_owned());
        }
    }

    fn rule(&mut self) {
        let targets = self.several(1, 3, Self::name);
        let colon = self.of(&[":", ":", ":", ":", ":", " :", "::", " &:", "&:", ": ", ":\t", " ::", " &:: "]);
        let mut needs = self.several(0, 3, Self::name);
        if self.chance(10) {
            needs += " | ";
            needs += &self.name();
        }
        if self.chance(10) {
            needs.insert_str(0, " \\\n  ");
        }
        // Unknown targets count as files if their pattern looks like one, and raise no doubt.
        let patterns: &[&str] = if self.plain { &["%", "%.o", "a%", "%b"] } else { &["%", "a%", "%b"] };
        let line = match self.random.below(100) {
            0..6 => format!("x.o y.o: %.o: %.c {needs}"),
            6..9 => format!("$({}): {}: {needs}", self.variable(0), self.of(patterns)),
            9..12 => "%.q: %.r".to_owned(),
            12..15 => format!("{}-%: ; x", self.of(NAMES)),
            _ => format!("{}{targets}{colon} {needs}", self.of(&["", "", "", "", "", "  "])),
        };
        let tail = self.of(&[
            "",
            "",
            "",
            "",
            "",
            "; echo hi",
            " # comment: yes",
            " ## doc",
            " ; x # y",
            ";",
            ";@x \\\n  y: z",
            " \\\n",
        ]);
        self.lines.push(line + &tail);
        for _ in 0..self.random.below(4) {
            let prefix = self.prefix;
            let line = match self.random.below(16) {
                0..4 => format!("{prefix}echo hi"),
                4 => format!("{prefix}rule: like"),
                5 => format!("{prefix}@x \\\n  y: z"),
                6 => format!("{prefix}@x \\\n{prefix}y: z"),
                7 => format!("{prefix}# c: d"),
                8 => format!("{prefix}A = b: c"),
                9 => format!("{prefix}ifdef X"),
                10 => format!("{prefix}endef"),
                11 => "# c: d".to_owned(),
                12 => "  # x".to_owned(),
                13 => String::new(),
                _ => format!("{prefix}{prefix}: $(A)"),
            };
            self.lines.push(line);
        }
    }

    fn test(&mut self) -> String {
        let (left, right) = (self.value(0, 1), self.value(0, 1));
        let variable = self.variable(0);
        match self.random.below(if self.plain { 7 } else { 11 }) {
            0 => format!("ifdef {variable}"),
            1 => format!("ifndef {variable}"),
            2 => format!("ifeq ({left},{right})"),
            3 => format!("ifneq ($({variable}),)"),
            4 => format!("ifeq \"{left}\" \"{right}\""),
            5 => format!("ifeq '$({variable})' 'a'"),
            6 => format!("ifneq ( {left} , {right} )"),
            7 => format!("ifeq ($(shell echo {left}),{right})"),
            8 => "ifdef UNSET".to_owned(),
            9 => "ifneq ($(UNSET),)".to_owned(),
            _ => format!("ifeq ($(MAKE_VERSION),{right})"),
        }
    }

    fn condition(&mut self, depth: usize) {
        let line = self.of(&["", "", "  ", "\t\t"]).replace('\t', " ") + &self.test();
        self.lines.push(line);
        let count = self.random.below(4);
        self.statements(depth + 1, count);
        while self.chance(25) {
            let line = format!("else {}", self.test());
            self.lines.push(line);
            let count = self.random.below(3);
            self.statements(depth + 1, count);
        }
        if self.chance(50) {
            let line = self.of(&["else", "else", "else # x", "  else"]);
            self.lines.push(line);
            let count = self.random.below(4);
            self.statements(depth + 1, count);
        }
        let line = self.of(&["endif", "endif", "endif # y", "  endif", "endif \\\n"]);
        self.lines.push(line);
    }

    fn definition(&mut self) {
        let name = self.of(&["A", "B", "C", "D", "E", "F", "F", "G", "G"]);
        let before = self.of(&["define ", "define ", "  define ", "override define ", "export define "]);
        let operator = self.of(&["", "", " =", " :=", " # x"]);
        self.lines.push(format!("{before}{name}{operator}"));
        // Values that become names have one line: make prints line feeds of names as they are.
        let most = if VARIABLES.contains(&name.as_str()) { 2 } else { 3 };
        for _ in 0..self.random.below(most) {
            let line = self.of(&[
                "$(1)-one: $(2)",
                "plain: text",
                "\ttab: x",
                "# c",
                "$(1) two",
                "ifdef E",
                "endif",
                "one \\\ntwo",
                "\tendef",
                "define H\nx: y\nendef",
                "$$(E): ; x",
                "",
            ]);
            self.lines.push(line);
        }
        let line = self.of(&["endef", "endef", "endef # x", "  endef"]);
        self.lines.push(line);
    }

    fn for_target(&mut self) {
        let target = self.of(&["a", "b", "test", "$(A)", "a b", "%.o", r"m\:n"]);
        let before = self.of(&["", "", "private ", "export ", "override "]);
        let operator = self.of(&[" = ", ":=", "+=", " ?= ", "::="]);
        let (variable, value) = (self.variable(0), self.value(0, 1));
        let colon = self.of(&[": ", ": ", ":", " : ", ":: "]);
        self.lines.push(format!("{target}{colon}{before}{variable}{operator}{value}"));
    }

    fn evaluation(&mut self) {
        let text = self.of(&[
            "$(A): ; x",
            "X: y",
            "B=q",
            "$$(B): z",
            ".PHONY: eve",
            "eve: ; x",
            "$(call F,p,q)",
            "$(call G,p,q)",
            "$(G)",
            "$$(eval deep: ; x)",
            "include inc.mk",
            "a b: c",
            "A := $(B)",
            "define H\nh: i\nendef\n$$(H)",
            "ifdef A\nev-a: ; x\nelse\nev-b: ; x\nendif",
            "l1: ; x\nl2: \\\nl3",
            "# nothing: here",
        ]);
        let (list, body) =
            (self.value(0, 1), self.of(&["$(t)-ev: ; x", ".PHONY: $(t)", "$(t): A := x", "V_$t := $t"]));
        let line = match self.random.below(4) {
            0 => format!("$(foreach t,a b {list},$(eval {body}))"),
            1 => format!("E := $(eval {text})z"),
            _ => format!("$(eval {text})"),
        };
        self.lines.push(line);
    }

    fn directive(&mut self) {
        let choices = [
            "export",
            "export A B",
            "vpath %.c src",
            ".SUFFIXES: .q .r",
            ".q.r:",
            ".ONESHELL:",
            "vpath",
            ".DEFAULT_GOAL := a",
            ".SECONDEXPANSION:",
            ".c.o: ; x",
            ".h:",
            "all: .WAIT a",
            ".DEFAULT: ; x",
            ".INTERMEDIATE: a b",
            "unexport A",
            ".NOTPARALLEL:",
            ".SILENT: k",
            ".DELETE_ON_ERROR:",
            ".POSIX:",
        ];
        let line = match self.random.below(12) {
            0 if !self.plain => format!("undefine {}", self.variable(0)),
            1 => {
                self.prefix = '>';
                ".RECIPEPREFIX = >".to_owned()
            }
            2 => {
                self.prefix = '\t';
                self.of(&[".RECIPEPREFIX =", ".RECIPEPREFIX :="])
            }
            _ => self.of(&choices),
        };
        self.lines.push(line);
    }
}
