use super::*;

/// The commands as `program argument|argument`, one after the other.
fn shown(text: &str) -> String {
    commands(text).into_iter().map(|command| command.words.join("|")).collect::<Vec<_>>().join(" ; ")
}

#[test]
fn lists_pipelines_and_compound_commands_are_split() {
    for (text, expected) in [
        ("eslint .", "eslint|."),
        ("tsc && vite build || exit 1", "tsc ; vite|build ; exit|1"),
        ("cat a | grep -v 'x y' > out; ls &", "cat|a ; grep|-v|x y ; ls"),
        ("if test -n x; then git push; elif true; then a; else b; fi", "test|-n|x ; git|push ; true ; a ; b"),
        ("for f in a b; do rm \"$f\"; done", "rm|$f"),
        ("while read x; do echo $x; done", "read|x ; echo|$x"),
        ("case $1 in out) git push;; *) ls ;; esac", "git|push ; ls"),
        ("(cd x && make)", "cd|x ; make"),
        ("{ a; b; }", "a ; b"),
        ("( (git push) )", "git|push"),
        ("f() { node \"$@\"; }; f", "node|$@ ; f"),
        ("X=1 Y=2 node a.js", "node|a.js"),
        ("X=$(git push)", "git|push"),
        ("echo $(git push) `npm publish`", "git|push ; npm|publish ; echo|$(git push)|`npm publish`"),
        ("echo \"$(git push)\"", "git|push ; echo|$(git push)"),
        ("echo ${X:-$(git push)}", "git|push ; echo|${X:-$(git push)}"),
        ("cat <(git push)", "git|push ; cat"),
        ("echo 'git push'", "echo|git push"),
        ("echo \"a; rm -rf /\" # git push", "echo|a; rm -rf /"),
        ("a\\ b c\"d\"'e' $'x'", "a b|cde|x"),
        ("cat <<END\ngit push\nEND\nls", "cat ; ls"),
        ("", ""),
        ("# nothing", ""),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn programs_that_start_another_are_looked_through() {
    for (text, expected) in [
        ("env A=1 B=2 node x", "node|x"),
        ("cross-env NODE_ENV=test jest --ci", "jest|--ci"),
        ("sudo -u root /usr/bin/git push", "/usr/bin/git|push"),
        ("npx -y eslint .", "eslint|."),
        ("npx --package x y z", "y|z"),
        ("bunx prettier -w .", "prettier|-w|."),
        ("pnpm exec eslint .", "eslint|."),
        ("pnpm dlx tsc", "tsc"),
        ("npm exec -- eslint .", "eslint|."),
        ("yarn eslint .", "eslint|."),
        ("yarn build", "yarn|build"),
        ("pnpm run lint", "pnpm|run|lint"),
        ("time nice -n 5 make", "make"),
        ("timeout -k 5 60 pytest -q", "pytest|-q"),
        ("find . | xargs -n 1 rm -f", "find|. ; rm|-f"),
        ("uv run --with x pytest", "pytest"),
        ("python3 -m pytest -x", "pytest|-x"),
        ("dotenv -e .env -- node x", "node|x"),
        ("cross-env NODE_ENV=test", "cross-env|NODE_ENV=test"),
        ("sh -c 'git push' x", "git|push ; sh|-c|git push|x"),
        ("bash -lc \"npm publish && ls\"", "npm|publish ; ls ; bash|-lc|npm publish && ls"),
        ("eval \"git push\"", "git|push ; eval|git push"),
        ("find . -name x -exec rm -rf {} \\;", "rm|-rf|{} ; find|.|-name|x|-exec|rm|-rf|{}|;"),
        ("concurrently \"npm run a\" \"tsc -w\"", "npm|run|a ; tsc|-w ; concurrently|npm run a|tsc -w"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn recipes_of_make_are_understood() {
    for (text, expected) in [
        ("@echo hi\n-rm -f x\n+@make y", "echo|hi ; rm|-f|x ; make|y"),
        ("$(MAKE) -C sub all", "make|-C|sub|all"),
        ("cd app && ${MAKE} push", "cd|app ; make|push"),
        ("$(RM) -r build", "rm|-f|-r|build"),
        ("for x in 1 2; do \\\n  echo $$x; \\\ndone", "echo|$x"),
        ("$(CC) -c $<", "CC ; $(CC)|-c|$_"),
        ("echo $(shell git push)", "shell|git|push ; git|push ; echo|$(shell git push)"),
    ] {
        let shown = shown(text);
        let mut found: Vec<_> = shown.split(" ; ").collect();
        let mut wanted: Vec<_> = expected.split(" ; ").collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn lines_are_counted_and_a_line_that_is_no_shell_spoils_no_other() {
    let lines: Vec<_> = commands("ls\n\nfi (\ngit push\nsh -c 'a\nb'")
        .into_iter()
        .map(|c| (c.line, c.words.join(" ")))
        .collect();
    assert!(lines.contains(&(1, "ls".into())), "{lines:?}");
    assert!(lines.contains(&(4, "git push".into())), "{lines:?}");
    let lines: Vec<_> =
        commands("a\nb \\\n c; d\ne").into_iter().map(|c| (c.line, c.words.join(" "))).collect();
    let expected = [(1, "a"), (2, "b c"), (3, "d"), (4, "e")].map(|(line, words)| (line, words.to_owned()));
    assert_eq!(lines, expected);
}

#[test]
fn a_text_that_cannot_be_parsed_is_split_at_blanks() {
    for (text, expected) in [
        ("if git push", "git|push"),
        ("echo 'open; git push", "echo|open ; git|push"),
        ("( a && \"git\" push", "a ; git|push"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

/// The parser recurses, and a repository's text must not end cuff.
#[test]
fn deep_texts_are_split_all_the_same() {
    for (open, close) in [
        ("( ", " )"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("{ ", "; }"),
        ("${x:-", "}"),
        ("$((", "))"),
        ("`", "`"),
        ("\\`", "\\`"),
        ("if a; then ", "; fi"),
        ("! ", ""),
        ("case a in a) ", ";; esac"),
        ("while a; do ", "; done"),
        ("f() { ", "; }"),
        ("[[ ( ", " ) ]]"),
        ("[[ ! ", " ]]"),
        ("a && ", ""),
        ("a | ", ""),
        ("<(", ")"),
        ("sh -c '", "'"),
        ("((", "))"),
        ("x=(", ")"),
        ("@(", ")"),
    ] {
        // The parser leaves these as text: nothing in them is a command.
        let is_inert = ["${x:-", "$((", "x=(", "@(", "[[ ( ", "[[ ! ", "sh -c '"].contains(&open);
        for times in [10, 20, 30, 100, 3000] {
            let text = format!("{}git push{}", open.repeat(times), close.repeat(times));
            let found = commands(&text);
            let is_found = found.iter().any(|command| command.words.join(" ").contains("git push"));
            assert!(is_found || is_inert, "{open} {times} times");
        }
    }
}
