//! Programs of node that die: of an uncaught exception, or of source that cannot be read.

use super::crash::{self, Crash};
use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity};

/// Versions 17 and later, which say their version last.
pub(super) const FORMAT: Format = Format {
    id: "node",
    // The line that a crash begins with has one of these.
    triggers: &crash::triggers::<5, 13>([
        "node:",
        "eval]:",
        "[stdin]:",
        "<anonymous_script>:",
        " out of memory",
    ]),
    programs: &["node", "tsx", "ts-node", "nodemon"],
    reader: || Box::<Node>::default(),
};

#[derive(Debug, Default)]
struct Node {
    crash: Crash,
    /// It ran out of memory, and its native stack follows.
    exhausted: Option<Diagnostic>,
}

impl Dialect for Node {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if let Some(exhausted) = self.exhausted.as_mut().filter(|_| is_native(line.text)) {
            exhausted.log = exhausted.log.to(line.log);
            return Next::Line;
        }
        found.diagnostics.extend(self.exhausted.take());
        let is_end = line.text.starts_with("FATAL ERROR: ") && line.text.ends_with(" heap out of memory");
        if is_end && line.begins() {
            self.exhausted = Some(Diagnostic::new(Severity::Error, line.text, line.log, FORMAT.id));
            return Next::Line;
        }
        // The readers of esbuild and tsc have the errors that its message repeats, each with its place.
        let crashed = self.crash.read(line, line.text).map(|crashed| crashed.found);
        let own = crashed.filter(|crashed| !is_of_compiler(&crashed.message));
        found.diagnostics.extend(own.map(|own| Diagnostic { dialect: FORMAT.id.to_owned(), ..own }));
        if self.crash.is_open() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.exhausted.take());
        let last = self.crash.end_without_version().filter(|last| !is_of_compiler(&last.message));
        found.consequences.extend(last.map(|last| {
            let failure = Diagnostic { dialect: FORMAT.id.to_owned(), ..last };
            Consequence { failure, since: 0, is_heading: false }
        }));
    }
}

/// `Error: Build failed with 1 error:`, with `src/a.ts:3:5: ERROR: …` below it; ts-node's sum of what tsc says; or a place in a
/// template.
fn is_of_compiler(message: &str) -> bool {
    let Some((head, errors)) = message.split_once('\n') else { return false };
    if head.starts_with("TSError: ") && errors.contains("error TS") {
        return true;
    }
    let of_template = |at: Location| place::ends_in(&at.file, "pug") && errors.contains("| ");
    if head.split_once(": ").and_then(|(_, at)| place::whole(at)).is_some_and(of_template) {
        return true;
    }
    let is_sum = head.ends_with(" error:") || head.ends_with(" errors:");
    let fails = ["Error: Build failed with ", "Error: Transform failed with "]
        .iter()
        .any(|begin| head.starts_with(begin));
    let first = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_one = first.contains(": ERROR: ") || first.starts_with("error: ") || first.starts_with('[');
    fails && is_sum && is_one
}

/// `----- Native stack trace -----`, ` 1: 0xb78db3 node::OOMErrorHandler(…) [node]`
fn is_native(text: &str) -> bool {
    let text = text.trim();
    let frame = place::number(text).is_some_and(|(_, rest)| rest.starts_with(": 0x"));
    frame || text.is_empty() || text.starts_with("-----")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn the_place_of_the_throw_is_found() {
        let log = "before\n/a/tide.js:2\n  return tides.map();\n               ^\n\n\
                   TypeError: Cannot read\nof null\n    at high (/a/tide.js:2:16)\n    at main (/a/main.js:5:3)\n\
                   \x20   at Module._compile (node:internal/modules/cjs/loader:1529:14) {\n  code: 'E_TIDE'\n}\n\n\
                   Node.js v20.19.4\nafter\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /a/tide.js:2:16 E_TIDE TypeError: Cannot read\nof null [2-14]"]
        );
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), findings(&FORMAT, log));
        // A program that survives prints no version, and goes on.
        let lives = log.replace("Node.js v20.19.4\n", "");
        assert!(findings(&FORMAT, &lives).is_empty());
        for cut in (0..log.len()).filter(|cut| *cut < log.find("    at high").unwrap()) {
            assert!(findings(&FORMAT, &log[..cut]).is_empty());
        }
    }

    /// As node 16 prints it.
    #[test]
    fn the_last_crash_needs_no_version() {
        let log = "/a/tide.js:2\n  return tides.map();\n               ^\n\n\
                   TypeError: Cannot read\n    at high (/a/tide.js:2:16)\n    at node:internal/main/run_main_module:17:47 {\n\
                   \x20 code: 'E_TIDE'\n}\n";
        let expected = ["error /a/tide.js:2:16 E_TIDE TypeError: Cannot read [1-9]"];
        assert_eq!(findings(&FORMAT, log), expected);
        let by_yarn = format!("{log}error Command failed with exit code 1.\n");
        assert_eq!(findings(&FORMAT, &by_yarn), expected);
        assert!(findings(&FORMAT, &format!("{log}server listens\n")).is_empty());
    }

    /// As node 20 prints it.
    #[test]
    fn a_file_of_json_is_the_place() {
        let log = "node:internal/modules/cjs/loader:1644\n    throw err;\n    ^\n\n\
                   SyntaxError: /w/d.json: Expected double-quoted property name in JSON at position 8\n    at parse (<anonymous>)\n\
                   \x20   at Object.<anonymous> (/w/d.js:1:1)\n\nNode.js v20.20.2\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /w/d.json SyntaxError: /w/d.json: Expected double-quoted property name in JSON at position 8 [1-9]"
            ]
        );
    }

    /// As tsx 4 and node 20 print it; esbuild's reader has the place.
    #[test]
    fn an_error_of_esbuild_counts_once() {
        let log = "node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\n\n\
                   Error: Transform failed with 1 error:\n/a/tide.ts:1:18: ERROR: Unexpected \";\"\n\
                   \x20   at failureErrorWithLog (/a/node_modules/esbuild/lib/main.js:1752:15) {\n  name: 'TransformError'\n}\n\n\
                   Node.js v20.20.2\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
        assert_eq!(
            crate::dialect::trial::findings_of("esbuild", log),
            ["error /a/tide.ts:1:18 Unexpected \";\" [6-6]"]
        );
        let own = log.replace("/a/tide.ts:1:18: ERROR: ", "no ");
        assert_eq!(findings(&FORMAT, &own).len(), 1, "{own}");
    }

    /// As ts-node 11 prints it; tsc's reader has the place.
    #[test]
    fn an_error_of_tsc_counts_once() {
        let log = "/a/node_modules/ts-node/dist/index.js:290\n            throw error;\n            ^\nTSError: ⨯ Unable to compile TypeScript:\n\
                   a.ts(1,7): error TS2322: No.\n\n    at x (/a/node_modules/ts-node/dist/index.js:280:16) {\n  diagnosticCodes: [ 2322 ]\n}\n\nNode.js v20.20.2\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }

    /// As pug 3 and vite 8 print them; their readers have the places.
    #[test]
    fn an_error_of_a_template_counts_once() {
        let head = "/a/node_modules/pug-lexer/index.js:68\n    throw err;\n    ^\n\n";
        let stack =
            "    at x (/a/node_modules/pug-error/lib/index.js:34:15) {\n  line: 3\n}\n\nNode.js v20.20.2\n";
        let pug = format!(
            "{head}Error: /p/b.pug:3:1\n    1| div(\n  > 3| \n-------^\n\nNo closing bracket.\n{stack}"
        );
        assert_eq!(findings(&FORMAT, &pug), [] as [&str; 0]);
        let vite = format!(
            "{head}Error: Transform failed with 1 error:\n\n[PARSE_ERROR] Unexpected token\n   ╭─[ b.ts:1:14 ]\n\n{stack}"
        );
        assert_eq!(findings(&FORMAT, &vite), [] as [&str; 0]);
    }

    #[test]
    fn in_what_lies_in_no_file() {
        let log = "<anonymous_script>:1\n{\"a\":\n\nSyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n\
                   \x20   at file:///a/json.js:2:18\n    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)\n\n\
                   Node.js v20.20.2\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /a/json.js:2:18 SyntaxError: Unexpected end of JSON input [1-9]"]
        );
    }

    #[test]
    fn out_of_memory() {
        let log = "<--- Last few GCs --->\n\n[14728:0x40d93ca0]      330 ms: Mark-Compact 17.3\n\n\
                   FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n\
                   ----- Native stack trace -----\n\n 1: 0xb78db3 node::OOMErrorHandler(char const*) [node]\n 2: 0xee8300  [node]\nafter\n";
        let expected =
            "error FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory [5-9]";
        assert_eq!(findings(&FORMAT, log), [expected]);
        assert_eq!(findings(&FORMAT, log.strip_suffix("after\n").unwrap()), [expected]);
        assert!(findings(&FORMAT, "it says: FATAL ERROR: heap out of memory\n").is_empty());
    }

    #[test]
    fn by_the_runtime() {
        let log = "node:events:502\n      throw er; // Unhandled 'error' event\n      ^\n\n\
                   Error: listen EADDRINUSE: address already in use :::3000\n\
                   \x20   at Server.listen (node:net:2067:7)\n    at file:///a%20b/use.mjs:1:87\n\
                   Emitted 'error' event on Server instance at:\n    at emitErrorNT (node:net:1944:8) {\n\
                   \x20 code: 'EADDRINUSE',\n  errno: -98\n}\n\nNode.js v24.9.0\n";
        let expected = "error /a b/use.mjs:1:87 EADDRINUSE Error: listen EADDRINUSE: address already in use :::3000 [1-14]";
        assert_eq!(findings(&FORMAT, log), [expected]);
    }

    #[test]
    fn causes_follow_the_error() {
        let log = "/a/deep.cjs:3\ntry { b(); }\n      ^\n\nError: top\n    at Object.<anonymous> (/a/deep.cjs:3:32)\n\
                   \x20   ... 4 lines matching cause stack trace ...\n    at node:internal/main/run_main_module:28:49 {\n\
                   \x20 [cause]: Error: middle\n      at b (/a/mid.cjs:2:47)\n      at node:internal/main:28:49 {\n\
                   \x20   code: 'E_MID',\n    [cause]: TypeError: deepest\n        at a (/a/low.cjs:1:22)\n  }\n}\n\nNode.js v20.20.2\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /a/deep.cjs:3:32 Error: top\ncaused by Error: middle (/a/mid.cjs:2:47)\ncaused by TypeError: deepest (/a/low.cjs:1:22) [1-18]"
            ]
        );
        let log = "node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\n\n\
                   [AggregateError: All promises were rejected] {\n  [errors]: [\n    Error: one is down\n\
                   \x20       at file:///a/agg.mjs:1:35,\n    TypeError: two is down\n        at file:///a/agg.mjs:1:77\n\
                   \x20       at async run (node:internal/modules/run_main:117:5)\n  ]\n}\n\nNode.js v20.20.2\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /a/agg.mjs:1:35 [AggregateError: All promises were rejected]\n\
                 caused by Error: one is down (/a/agg.mjs:1:35)\ncaused by TypeError: two is down (/a/agg.mjs:1:77) [1-15]"]
        );
    }

    #[test]
    fn errors_without_a_stack_name_the_file() {
        for (log, expected) in [
            (
                "\n/a/s.js:1\nthrow \"abc\";\n^\nabc\n(Use `node --trace-uncaught ...` to show)\n\nNode.js v20.1.0\n",
                "error /a/s.js:1 abc [2-8]",
            ),
            (
                "node:internal/modules/run_main:107\n    triggerUncaughtException(\n    ^\n\nfile:///a/t.mts:2\n\
              const x = 3;\nenum A { B }\n^^^^^^^^^^^^\n\nSyntaxError [ERR_X]: no enum\n    at parse (node:x:68:40) {\n\
              \x20 code: 'ERR_X'\n}\n\nNode.js v24.9.0\n",
                "error /a/t.mts:2 ERR_X SyntaxError [ERR_X]: no enum [1-15]",
            ),
            (
                "node:internal/modules/esm/resolve:283\n    throw new ERR(\n          ^\n\n\
              Error [ERR]: Cannot find module '/a/no.mjs' imported from /a/b.mjs\n    at x (node:y:1:2)\n\nNode.js v20.1.0\n",
                "error /a/b.mjs Error [ERR]: Cannot find module '/a/no.mjs' imported from /a/b.mjs [1-8]",
            ),
            (
                "node:internal/modules/cjs/loader:1215\n  throw err;\n  ^\n\nError: Cannot find module './no'\n\
              Require stack:\n- /a/b.js\n    at x (node:y:1:2)\n\nNode.js v20.1.0\n",
                "error /a/b.js Error: Cannot find module './no'\nRequire stack:\n- /a/b.js [1-10]",
            ),
            (
                "C:\\a\\s.js:1\nlet a = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n    at b (C:\\a\\b.js:1:1)\n\nNode.js v20.1.0\n",
                "error C:\\a\\s.js:1 SyntaxError: Unexpected token ';' [1-8]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, log), [expected]);
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "src/a.js:3\nNode.js v20.19.4\n",
            "Error: logged\n    at f (/a/b.js:1:15)\n\nNode.js v20.19.4\n",
            "/a/b.js:1\nx\n^\n\nError: x\n    at f (/a/b.js:1:15)\nNode.js v20 is required\n",
            "/a/b.js:1\n1\n2\n3\n4\n5\n6\n7\n8\n9\n^\n\nError: x\n\nNode.js v20.19.4\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }

    #[test]
    fn a_line_of_source_may_be_longer_than_any() {
        let log = format!(
            "/a/m.js:1\nconst a = '{0}'; throw new Error('mini');\n{1}^\n\nError: mini\n    at x (/a/m.js:1:70019)\n\nNode.js v20.19.4\n",
            "x".repeat(70_000),
            " ".repeat(70_000)
        );
        assert_eq!(findings(&FORMAT, &log), ["error /a/m.js:1:70019 Error: mini [1-8]"]);
    }
}
