use std::fmt::Write as _;

use serde_json::json;

use super::*;
use crate::model::{Command, Location, Tool, ToolName, Word};
use crate::tests::Ground;

const COMMANDS: &str = r#"jest
tsc && jest --ci
(a | b) && jest
A=b C=d jest
cross-env A=b jest
env -i jest
npx jest
npx --no-install jest
npx jest@29
npx -p x jest
npx
npm exec -- jest
npm exec jest
yarn jest
pnpm exec jest
node_modules/.bin/jest
poetry run pytest
python -m pytest -q
jest --config
jest; eslint .
jest | tee log
jest || true
jest &
jest > log
jest # all
jest $(files)
(jest)
if x; then jest; fi
"jest
$RUNNER
"#;
const SCRIPTS: &str = r#"node x.js
node --import tsx src/x.ts --y
node ../tools/x.js
tsx x.ts
bun x.ts
python3 x.py
./x.sh
bash scripts/x.sh
node
sh
sh -c 'x "$@"'
node -e 1
node --run b
node ../../x.js
node /x.js
node node_modules/x/x.js
node dist/x.js
node lib/dist/x.js
./vendor/bin/x
python manage.py test
./gradlew
webpack
eval"#;
const PROJECTS_TOOLS: &str = r"npm run b --
npm run -s b -- --bail
npm test --
npm run b
npm run lost --
npm run piped --
npm run node --
npm run c --
npm run d --
npm run e --
npm run f --
npm run loop --
npm run b -w other --
npm -w other run b --
npm run no --
npm run
npm
npm install
yarn b
yarn run b
pnpm b --ci
pnpm -r b
yarn workspace x b
bun run b
bun test
make
make build
run-s
just";
const TAKEN: &str = r"jest <- src/a.test.js -t name --bail=2 --maxWorkers=50% -i --reporters=default
pytest <- -vvx -k expression -n4 tests/a.py::test_b --tb short
go test ./... <- -run TestA --run=TestB -v
cargo test <- name -- --nocapture --test-threads 2
ruff check . <- --output-format=json src
eslint . <- --quiet -f json
node x.js <- --y -c z
./x.sh <- --env-file=x
webpack <- --config x";
const REFUSED: &str = r"eslint . <- --fix
eslint . <- -c evil.js
eslint . <- -qc evil.js
eslint . <- -f ./evil.js
eslint . <- --format=evil
jest <- --globalSetup=./evil.js
jest <- -t --globalSetup=./evil.js
jest <- --changedSince=--output=x
jest <- ../other/evil.test.js
jest <- /tmp/evil.test.js
pytest <- -p evil
pytest <- @evil.txt
mocha <- --reporter=./evil.js
cargo test <- --config build.rustc-wrapper=evil
go test ./... <- -exec=evil
go test ./... <- --exec=evil
tsc <- --outDir x
node x.js <- --env-file=x";

/// A package with these scripts, and a tool of this text in it.
pub(super) fn ground(scripts: &serde_json::Value) -> Ground {
    let files = vec![
        ("web/package.json", json!({ "scripts": scripts }).to_string()),
        (".gitignore", "dist/\n/build\n*.log\n".to_owned()),
    ];
    Ground { reach: Reach::Appended, files, ..Ground::open() }
}

fn tool(text: &str) -> Registered {
    let command = Command::new(Word::fixed("npm")).directory("web");
    let tool = Tool::running("npm_x", "x", Location::file("web/package.json"), command).text(text.to_owned());
    Registered::new(ToolName { instance: "packagejson".into(), local: "npm_x".into() }, "packagejson", tool)
}

pub(super) fn refused(text: &str, words: &str, ground: &Ground) -> Option<Refusal> {
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    let command = Command::new(Word::fixed("npm")).directory("web");
    judge(&words, &command, &tool(text), ground).err()
}

/// Each text, and why it takes no `--x`, or by which class it takes it.
fn classes(texts: &str) -> String {
    let ground = ground(&json!({
        "b": "jest --ci", "c": "npm run b --", "d": "npm run c --", "e": "npm run d --", "f": "npm run e --",
        "lost": "npm run b", "loop": "npm run loop --", "piped": "a | b", "node": "node x.js",
    }));
    let command = Command::new(Word::fixed("npm")).directory("web");
    texts.lines().fold(String::new(), |mut out, text| {
        let class = match of(&command, &tool(text), &ground) {
            TakenWords::Any => "any words".to_owned(),
            TakenWords::OfNode => "any words but node's".to_owned(),
            TakenWords::Listed(runner) => format!("flags of {}", runner.name()),
            TakenWords::Contained(program) => format!("contained: {program}"),
            TakenWords::None(why) => format!("none: {why}"),
        };
        _ = writeln!(out, "{text:38} {class}");
        out
    })
}

#[test]
fn a_text_decides_by_its_last_command() {
    insta::assert_snapshot!(classes(COMMANDS), @r#"
    jest                                   flags of jest
    tsc && jest --ci                       flags of jest
    (a | b) && jest                        flags of jest
    A=b C=d jest                           flags of jest
    cross-env A=b jest                     flags of jest
    env -i jest                            none: a variable or an option of another program chooses what runs
    npx jest                               flags of jest
    npx --no-install jest                  flags of jest
    npx jest@29                            contained: npx jest@29
    npx -p x jest                          contained: npx -p
    npx                                    none: npx would run the program of that name
    npm exec -- jest                       flags of jest
    npm exec jest                          none: npm would read options in it
    yarn jest                              flags of jest
    pnpm exec jest                         flags of jest
    node_modules/.bin/jest                 flags of jest
    poetry run pytest                      flags of pytest
    python -m pytest -q                    flags of pytest
    jest --config                          contained: jest
    jest; eslint .                         none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest | tee log                         none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest || true                           none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest &                                 none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest > log                             none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest # all                             none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    jest $(files)                          none: its text puts the output of a command into another
    (jest)                                 none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    if x; then jest; fi                    none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    "jest                                  none: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    $RUNNER                                none: a variable or an option of another program chooses what runs
    "#);
}

#[test]
fn scripts_of_the_project_take_words_and_those_of_others_where_they_are_contained() {
    insta::assert_snapshot!(classes(SCRIPTS), @r#"
    node x.js                              any words but node's
    node --import tsx src/x.ts --y         any words but node's
    node ../tools/x.js                     any words but node's
    tsx x.ts                               any words but node's
    bun x.ts                               none: bun runs other tools of this project
    python3 x.py                           any words
    ./x.sh                                 any words
    bash scripts/x.sh                      any words
    node                                   none: it would choose the program that runs
    sh                                     none: it would choose the program that runs
    sh -c 'x "$@"'                         contained: sh
    node -e 1                              contained: node
    node --run b                           none: node --run runs other tools of this project
    node ../../x.js                        contained: node ../../x.js
    node /x.js                             contained: node /x.js
    node node_modules/x/x.js               contained: node node_modules/x/x.js
    node dist/x.js                         contained: node dist/x.js
    node lib/dist/x.js                     contained: node lib/dist/x.js
    ./vendor/bin/x                         contained: ./vendor/bin/x
    python manage.py test                  contained: python manage.py
    ./gradlew                              none: ./gradlew runs other tools of this project
    webpack                                contained: webpack
    eval                                   contained: eval
    "#);
}

#[test]
fn the_projects_own_tools_take_no_words_but_scripts_of_the_same_package_that_pass_them_on() {
    insta::assert_snapshot!(classes(PROJECTS_TOOLS), @r#"
    npm run b --                           flags of jest
    npm run -s b -- --bail                 flags of jest
    npm test --                            none: npm runs the script `test`, which is none of the same package.json
    npm run b                              none: its text runs the script `b` without `--` behind it, so npm would read it
    npm run lost --                        none: its text runs the script `b` without `--` behind it, so npm would read it
    npm run piped --                       none: it would go to the script `piped`: its text joins commands by more than `&&`, or ends with a redirection, a comment or the like
    npm run node --                        any words but node's
    npm run c --                           flags of jest
    npm run d --                           flags of jest
    npm run e --                           none: its text runs a script that runs another one, too often in a row
    npm run f --                           none: its text runs a script that runs another one, too often in a row
    npm run loop --                        none: its text runs a script that runs another one, too often in a row
    npm run b -w other --                  none: npm reads options before `--` behind the script `b`
    npm -w other run b --                  none: npm runs other tools of this project, or changes its packages
    npm run no --                          none: npm runs the script `no`, which is none of the same package.json
    npm run                                none: npm would run the script of that name
    npm                                    none: npm would take it for a command
    npm install                            none: npm runs other tools of this project, or changes its packages
    yarn b                                 flags of jest
    yarn run b                             flags of jest
    pnpm b --ci                            flags of jest
    pnpm -r b                              none: pnpm runs other tools of this project, or changes its packages
    yarn workspace x b                     none: yarn runs other tools of this project, or changes its packages
    bun run b                              flags of jest
    bun test                               contained: bun test
    make                                   none: make runs other tools of this project
    make build                             none: make runs other tools of this project
    run-s                                  none: run-s runs other tools of this project
    just                                   none: just runs other tools of this project
    "#);
}

#[test]
fn runners_take_flags_that_filter_select_and_report() {
    let ground = ground(&json!({}));
    let judged = |list: &'static str| {
        let pairs = list.lines().filter_map(|line| line.split_once(" <- "));
        pairs.map(|(text, words)| (text, words, refused(text, words, &ground)))
    };
    for (text, words, refusal) in judged(TAKEN) {
        assert_eq!(refusal, None, "{text} <- {words}");
    }
    let refused = judged(REFUSED).map(|(text, _, refusal)| format!("{text}: {}", refusal.unwrap().message));
    insta::assert_snapshot!(refused.collect::<Vec<_>>().join("\n"), @r#"
    eslint .: "--fix" is not passed on: eslint takes only flags that filter, select or report
    eslint .: "-c" is not passed on: eslint takes only flags that filter, select or report
    eslint .: "-qc" is not passed on: eslint takes only flags that filter, select or report
    eslint .: "-f" is not passed on: eslint takes -f with one of stylish, json, html
    eslint .: "--format=evil" is not passed on: eslint takes --format with one of stylish, json, html, json-with-metadata
    jest: "--globalSetup=./evil.js" is not passed on: jest takes only flags that filter, select or report
    jest: "--globalSetup=./evil.js" is not passed on: jest takes only flags that filter, select or report
    jest: "--changedSince=--output=x" is not passed on: it lies outside of the project, or would be read as options
    jest: "../other/evil.test.js" is not passed on: it lies outside of the project, or would be read as options
    jest: "/tmp/evil.test.js" is not passed on: it lies outside of the project, or would be read as options
    pytest: "-p" is not passed on: pytest takes only flags that filter, select or report
    pytest: "@evil.txt" is not passed on: it lies outside of the project, or would be read as options
    mocha: "--reporter=./evil.js" is not passed on: mocha takes --reporter with one of spec, dot, tap, list, min, json, json-stream, nyan, landing, progress, doc, markdown, xunit
    cargo test: "--config" is not passed on: cargo test takes only flags that filter, select or report
    go test ./...: "-exec=evil" is not passed on: go test takes only flags that filter, select or report
    go test ./...: "--exec=evil" is not passed on: go test takes only flags that filter, select or report
    tsc: "--outDir" is not passed on: tsc takes only flags that filter, select or report
    node x.js: "--env-file=x" is not passed on: node would read variables from that file
    "#);
}

#[test]
fn a_refusal_names_the_line_that_allows_the_words() {
    let ground = Ground { is_contained: false, ..ground(&json!({})) };
    let refusal = refused("webpack", "--mode=production", &ground).unwrap();
    assert_eq!(
        (refusal.message.as_str(), refusal.help.as_str()),
        (
            "\"--mode=production\" is not passed on: cuff does not know what webpack does with it, and this run is not contained",
            "leave it out; a person can allow it with `tools: {\"x\": {words: flags}}` under `config` of `packagejson` in \
             settings.yml",
        )
    );
    assert!(refused("make", "x", &ground).unwrap().help.contains("{words: values}"));
    assert_eq!(refused("node x.js", "--y", &ground), None);
    assert_eq!(refused("make", "", &ground), None);
}
