//! Tests, bundlers, compilers and linters of JavaScript.

use super::super::options::Style::{Exact, Single};
use super::super::options::{Others, Rule, inside, only};

pub(super) const RULES: &[Rule] = &[
    // JavaScript: tests.
    inside(
        &["mocha", "ts-mocha", "mochapack", "_mocha"],
        Exact,
        "require file config package opts reporter reporters reporter-option reporter-options ui loader import node-option inspect \
         compilers extension",
        ("rRuOn", "fgtsj"),
    ),
    inside(
        &["jest", "react-scripts", "tsdx"],
        Exact,
        "config setup-files setup-files-after-env global-setup global-teardown transform resolver reporters test-runner runner \
         test-environment env test-results-processor test-sequencer snapshot-serializers snapshot-resolver projects root-dir roots \
         preset module-name-mapper module-directories module-paths watch-plugins coverage-reporters coverage-directory \
         cache-directory output-file prettier-path filter globals dependency-extractor haste extensions-to-treat-as-esm",
        ("c", "tw"),
    ),
    inside(
        &["vitest"],
        Exact,
        "config config-loader root dir environment reporter reporters output-file setup-files global-setup runner exec-argv \
         workspace cache-dir pool-options sequence typecheck browser alias deps server diff api ui open merge-reports \
         attachments-dir inspect inspect-brk coverage.custom-provider-module coverage.reports-directory coverage.provider \
         coverage.reporter benchmark env",
        ("cr", "t"),
    ),
    inside(
        &["playwright"],
        Exact,
        "config reporter output tsconfig ui ui-host ui-port update-source-method test-list test-list-invert",
        ("c", "gjx"),
    ),
    inside(
        &["cypress"],
        Exact,
        "config config-file project reporter reporter-options env browser port",
        ("CPcebro", "s"),
    ),
    inside(
        &[
            "ava",
            "tap",
            "tape",
            "uvu",
            "cucumber-js",
            "cucumber",
            "wdio",
            "karma",
            "jasmine",
            "qunit",
            "testcafe",
            "nightwatch",
            "lab",
        ],
        Exact,
        "config require require-module import loader plugin plugins format formatter profile before after rcfile helper reporter \
         node-arguments test-arg output output-file c hosts",
        ("crifpo", "tgm"),
    ),
    // JavaScript: bundlers and compilers.
    only(
        &["webpack", "webpack-cli", "webpack-dev-server"],
        "--mode --watch -w --progress --color --no-color --stats --devtool -d --hot --no-hot --port --host --fail-on-warnings",
        Others::Inside,
    ),
    only(
        &["rollup"],
        "--watch -w --silent --sourcemap -m --failAfterWarnings --format -f --bundleConfigAsCjs",
        Others::None,
    ),
    inside(
        &[
            "vite",
            "astro",
            "nuxt",
            "nuxi",
            "next",
            "remix",
            "react-router",
            "svelte-kit",
            "gatsby",
            "expo",
            "ng",
            "vue-cli-service",
            "storybook",
        ],
        Exact,
        "config config-loader config-dir out-dir output-dir outdir output-path ssr root app empty-out-dir open ts-config tsconfig \
         inspect plugin dotenv extends env-name browser-target",
        ("co", "p"),
    ),
    inside(
        &[
            "esbuild",
            "tsup",
            "swc",
            "parcel",
            "microbundle",
            "unbuild",
            "tsdown",
            "rolldown",
            "ncc",
            "pkgroll",
        ],
        Exact,
        "outfile outdir out-dir out-file inject alias banner footer define tsconfig tsconfig-raw servedir certfile keyfile \
         allow-overwrite outbase entry-names loader metafile conditions main-fields jsx-factory jsx-import-source config \
         config-file on-success plugins plugin entry dist-dir cache-dir abs-working-dir resolve-extensions external env-file",
        ("codC", ""),
    ),
    inside(
        &["tsc", "vue-tsc", "ttsc", "tspc", "tsgo"],
        Single,
        "outdir outfile out declarationdir tsbuildinfofile generatetrace generatecpuprofile project p build b plugins init \
         typeroots paths baseurl",
        ("@", ""),
    ),
    inside(
        &["babel"],
        Exact,
        "config-file presets plugins out-dir out-file root-mode ignore-babelrc env-name filename",
        ("odf", ""),
    ),
    // JavaScript: linters and formatters.
    inside(
        &["prettier"],
        Exact,
        "config plugin plugin-search-dir ignore-path cache-location find-config-path write stdin-filepath",
        ("w", ""),
    ),
    inside(
        &["stylelint"],
        Exact,
        "config config-basedir custom-syntax custom-formatter formatter plugin plugins ignore-path output-file cache-location fix \
         syntax",
        ("fosi", ""),
    ),
    inside(
        &[
            "biome",
            "oxlint",
            "xo",
            "standard",
            "tslint",
            "jshint",
            "markdownlint",
            "markdownlint-cli2",
            "cspell",
            "commitlint",
            "lint-staged",
        ],
        Exact,
        "config config-path write fix apply apply-unsafe unsafe tsconfig js-plugin plugin plugins rules rules-dir rulesdir format \
         formatter formatters-dir extends parser-preset cwd shell output out project reporter resolve-plugins-relative-to parser \
         ignore-path prettier",
        ("crtfFpoxgdeso", ""),
    ),
    inside(
        &[
            "typedoc",
            "jsdoc",
            "documentation",
            "graphql-codegen",
            "openapi-generator",
            "openapi-typescript",
            "drizzle-kit",
            "prisma",
            "knex",
            "sequelize",
            "typeorm",
            "semantic-release",
            "release-it",
            "standard-version",
            "changeset",
            "wrangler",
            "serverless",
            "sls",
            "size-limit",
            "license-checker",
            "svelte-check",
            "plop",
            "hygen",
        ],
        Exact,
        "config configure config-file plugin plugins options options-path tsconfig out output json destination template extends \
         require import schema knexfile data-source models-path migrations-path seeders-path hooks scripts preset esm plopfile \
         workspace custom-path",
        ("cdterpoxi", ""),
    ),
];
