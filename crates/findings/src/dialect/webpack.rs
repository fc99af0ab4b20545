//! webpack: `ERROR in ./src/index.js 2:0-35` above the error, and a command that could not begin.

use super::source::is_source;
use super::thrown::is_error;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 4 and 5, and type checkers within it.
pub(super) const FORMAT: Format = Format {
    id: "webpack",
    triggers: &["ERROR in ", "WARNING in ", "[webpack-cli] "],
    programs: &["webpack", "webpack-cli", "webpack-dev-server"],
    reader: || Box::<Webpack>::default(),
};

/// The longest message, in lines.
const MOST_LINES: usize = 8;

#[derive(Debug, Default)]
struct Webpack {
    finding: Option<Diagnostic>,
    /// By the command, not by the compiler.
    by_command: bool,
    lines: usize,
}

impl Dialect for Webpack {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && self.goes_on(text, line.log) {
            return Next::Line;
        }
        self.end(found);
        if !line.begins() {
            return Next::Trigger;
        }
        let compiled = head(text, line.log);
        self.by_command = compiled.is_none();
        self.finding = compiled.or_else(|| command(text, line.log));
        self.lines = 0;
        if self.finding.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take().filter(|finding| !finding.message.is_empty()));
    }
}

impl Webpack {
    fn goes_on(&mut self, text: &str, log: LogRange) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        if self.by_command {
            return command_goes_on(finding, text, log);
        }
        let over =
            text.is_empty() || text.starts_with(" @ ") || is_source(text) || text.starts_with("    at ");
        self.lines += 1;
        if over || self.lines > MOST_LINES || head(text, log).is_some() {
            return false;
        }
        if let Some(at) = text.strip_prefix("[tsl] ").and_then(|text| text.split_once(" in ")) {
            finding.place = place::in_parentheses(&format!("{}:", at.1)).map(|(at, _)| at);
            finding.message.clear();
            finding.log = finding.log.to(log);
            return true;
        }
        let text = text.trim_start();
        if !finding.message.is_empty() {
            finding.extend(text, log);
            return true;
        }
        let (code, message) = coded(text);
        message.clone_into(&mut finding.message);
        finding.code = code.map(str::to_owned);
        finding.log = finding.log.to(log);
        true
    }
}

/// `ERROR in ./src/index.js 2:0-35`
fn head(text: &str, log: LogRange) -> Option<Diagnostic> {
    let (severity, what) = match text.split_once(" in ")? {
        ("ERROR", what) => (Severity::Error, what),
        ("WARNING", what) => (Severity::Warning, what),
        _ => return None,
    };
    let finding = Diagnostic::new(severity, "", log, FORMAT.id);
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '@');
    if what.starts_with(['.', '/']) || what.get(1..3) == Some(":\\") || what.contains('!') || located(what).1
    {
        return Some(finding.at(located(what).0?));
    }
    let titled = [
        "Conflict: ",
        "asset size limit: ",
        "entrypoint size limit: ",
        "webpack performance recommendations",
    ];
    if titled.iter().any(|title| what.starts_with(title)) {
        return Some(Diagnostic { message: what.to_owned(), ..finding });
    }
    (!what.is_empty() && what.chars().all(in_name)).then_some(finding)
}

/// `./css-loader/cjs.js!./src/a.css 2:0-35`, `./src/a.css (./cjs.js!./src/a.css)`, `./src/a.ts:3:5`, or without a place in it; and
/// whether there was one.
fn located(what: &str) -> (Option<Location>, bool) {
    // In brackets stand the loaders as well.
    let file = what.split_once(" (").filter(|(_, loaders)| loaders.contains('!') && loaders.ends_with(')'));
    let what = file.map_or(what, |(file, _)| file);
    let what = what.rsplit('!').next().unwrap_or(what);
    let named = |name: &str| place::file(name.strip_prefix("./").unwrap_or(name));
    if let Some((name, at)) = what.rsplit_once(' ')
        && let Some((line, rest)) = place::number(at)
        && let Some((column, _)) = rest.strip_prefix(':').and_then(place::number)
    {
        let at = named(name).map(|file| Location::at(file, line, column));
        return (at, true);
    }
    match place::whole(what) {
        Some(at) => (named(&at.file).map(|file| Location { file, ..at }), true),
        None => (named(what).map(Location::file), false),
    }
}

/// `TS2322: message`
fn coded(text: &str) -> (Option<&str>, &str) {
    match text.split_once(": ") {
        Some((code, message))
            if code
                .strip_prefix("TS")
                .is_some_and(|number| place::number(number).is_some_and(|n| n.1.is_empty())) =>
        {
            (Some(code), message)
        }
        _ => (None, text),
    }
}

/// `[webpack-cli] Failed to load '/p/webpack.config.js' config`
fn command(text: &str, log: LogRange) -> Option<Diagnostic> {
    let message = text.strip_prefix("[webpack-cli] ")?;
    // Newer ones mark it.
    let message = message.strip_prefix("✖ ").unwrap_or(message);
    let words = [
        "Failed to ",
        "Error: ",
        "Invalid ",
        "Unknown ",
        "Cannot ",
        "TypeError: ",
        "SyntaxError: ",
        "ReferenceError: ",
    ];
    let fails = words.iter().any(|word| message.starts_with(word));
    fails.then(|| Diagnostic::new(Severity::Error, message, log, FORMAT.id))
}

/// Why, in a second line of its own, and where: in a file that node could not read, or in the stack.
fn command_goes_on(finding: &mut Diagnostic, text: &str, log: LogRange) -> bool {
    if let Some(reason) = text.strip_prefix("[webpack-cli] ") {
        match place::whole(reason) {
            Some(at) => finding.place = Some(at),
            None => finding.extend(reason, log),
        }
        return !finding.message.contains(reason) || finding.message.lines().count() < MOST_LINES;
    }
    if let Some(frame) = frame::at(text) {
        finding.place = finding.place.take().or(frame.own());
        return finding.place.is_none();
    }
    if is_error(text) || text.starts_with(" - ") {
        finding.extend(text, log);
    }
    is_error(text) || text.is_empty() || text.starts_with([' ', '-']) || text.starts_with("Require stack:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn compiled() {
        let log = "ERROR in ./src/a b.js 2:0-35\r\n\
            Module not found: Error: Can't resolve './nowhere.js' in '/p/src'\r\n\
            \r\n\
            WARNING in ./node_modules/css-loader/dist/cjs.js!./src/a.css\r\n\
            Module Warning (from ./x.js):\r\n\
            (2:1) odd\r\n\
            \x20@ ./src/a.css 1:1\r\n\
            \n\
            ERROR in src/a.ts:3:5\n\
            TS2322: Type 'string' is not assignable.\n\
            \x20   1 |\n\
            \x20 > 3 | x\n\
            ERROR in /p/src/b.ts\n\
            ./src/b.ts 3:5-6\n\
            [tsl] ERROR in /p/src/b.ts(3,5)\n\
            \x20     TS2551: Property missing.\n\
            \n\
            ERROR in main\n\
            Module not found: Error: Can't resolve './src'\n\
            webpack 5.112.2 compiled with 4 errors in 912 ms\n";
        assert_eq!(
            findings(&FORMAT, log)[..4],
            [
                "error src/a b.js:2:0 Module not found: Error: Can't resolve './nowhere.js' in '/p/src' [1-2]",
                "warning src/a.css Module Warning (from ./x.js):\n(2:1) odd [4-6]",
                "error src/a.ts:3:5 TS2322 Type 'string' is not assignable. [9-10]",
                "error /p/src/b.ts:3:5 TS2551 Property missing. [13-16]",
            ]
        );
        assert!(
            findings(&FORMAT, log)[4].starts_with("error Module not found: Error: Can't resolve './src'")
        );
    }

    /// As webpack 5 prints it.
    #[test]
    fn a_file_with_its_loaders() {
        let log = "ERROR in ./src/a b.css (../node_modules/css-loader/dist/cjs.js!./src/a b.css)\nModule build failed\n";
        assert_eq!(findings(&FORMAT, log), ["error src/a b.css Module build failed [1-2]"]);
    }

    #[test]
    fn not_begun() {
        let log = "[webpack-cli] Failed to load '/p/webpack.config.js' config\n\
            [webpack-cli] /p/webpack.config.js:2\n\
            \n\
            \n\
            SyntaxError: Unexpected end of input\n\
            \x20   at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\
            done\n\
            [webpack-cli] Compilation finished\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /p/webpack.config.js:2 Failed to load '/p/webpack.config.js' config\nSyntaxError: Unexpected end of input [1-5]"
            ]
        );
    }

    #[test]
    fn an_error_with_a_mark() {
        let log = "[webpack-cli] ✖ Error: Cannot find module 'ajv/dist/compile/codegen'\nRequire stack:\n- /p/node_modules/ajv-keywords/dist/index.js\n\
            \x20   at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error Error: Cannot find module 'ajv/dist/compile/codegen' [1-1]"]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "ERROR in payment service\nno\n",
            "an ERROR in ./src/a.js 2:0\nno\n",
            "ERROR in [eslint] \n\n/a.js\n",
            "ERROR in ./src/a.js\n\n",
            "ERROR in \n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
