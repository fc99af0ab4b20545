//! The options that load code, start programs or write elsewhere, as the manuals of the programs name them.

use super::options::Style::{Exact, Gnu, Single};
use super::options::{Others, Rule, Style};

const LOADS: &str = "loads code or configuration that the tool does not, or writes elsewhere";
const STARTS: &str = "starts another program, or reads or writes elsewhere";
const UNLISTED: &str = "is no option that a call may pass to it";

const fn rule(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    (short, stops): (&'static str, &'static str),
    why: &'static str,
) -> Rule {
    Rule { programs, style, long, short, stops, only: None, others: Others::Any, why }
}

/// The same for a program that runs or loads the files that it is given.
const fn inside(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    letters: (&'static str, &'static str),
) -> Rule {
    Rule { others: Others::Inside, ..rule(programs, style, long, letters, LOADS) }
}

/// A program that takes listed options alone.
const fn only(programs: &'static [&'static str], options: &'static str, others: Others) -> Rule {
    Rule { only: Some(options), others, ..rule(programs, Exact, "", ("", ""), UNLISTED) }
}

/// The rules. Several may be for one program.
pub(super) const RULES: &[Rule] = &[
    // Version control.
    rule(
        &["git"],
        Gnu,
        "output output-directory exec exec-path upload-pack receive-pack ext-diff textconv open-files-in-pager extcmd tool \
         template config config-env git-dir work-tree separate-git-dir directory unsafe-paths smtp-server sendmail-cmd to-cmd \
         cc-cmd export-marks run pathspec-from-file",
        ("", ""),
        STARTS,
    ),
    rule(&["git grep"], Gnu, "", ("O", "efmABC"), STARTS),
    rule(&["git clone"], Gnu, "", ("cu", "bjo"), STARTS),
    rule(&["git ls-remote"], Gnu, "", ("u", ""), STARTS),
    rule(&["git rebase"], Gnu, "", ("x", "sX"), STARTS),
    rule(&["git archive", "git format-patch"], Gnu, "", ("o", ""), STARTS),
    // Files.
    rule(
        &["tar", "gtar", "bsdtar"],
        Gnu,
        "checkpoint-action to-command use-compress-program rsh-command rmt-command info-script new-volume-script file \
         absolute-names directory one-top-level files-from listed-incremental index-file volno-file remove-files \
         recursive-unlink transform xform",
        ("IFPCTgf", "bHKLNVX"),
        STARTS,
    ),
    rule(
        &["find", "gfind"],
        Single,
        "exec execdir ok okdir delete fprint fprint0 fprintf fls files0-from",
        ("", ""),
        STARTS,
    ),
    rule(&["fd", "fdfind"], Exact, "exec exec-batch search-path base-directory", ("xX", "dteEcjS"), STARTS),
    rule(&["rg"], Exact, "pre pre-glob hostname-bin search-zip file", ("fz", "egtTABCjmMr"), STARTS),
    rule(&["sed", "gsed"], Gnu, "expression file in-place", ("efi", "l"), STARTS),
    rule(
        &["awk", "gawk", "mawk", "nawk"],
        Gnu,
        "file source include load exec profile pretty-print dump-variables debug",
        ("feilEopdD", "Fv"),
        STARTS,
    ),
    rule(
        &["sort", "gsort"],
        Gnu,
        "compress-program output temporary-directory files0-from",
        ("oT", "ktS"),
        STARTS,
    ),
    rule(
        &["rsync"],
        Exact,
        "rsh rsync-path daemon config files-from log-file temp-dir partial-dir backup-dir write-batch read-batch \
         only-write-batch delete delete-before delete-during delete-after delete-excluded remove-source-files",
        ("eMT", "fB"),
        STARTS,
    ),
    only(&["scp", "sftp"], "-p -q -r -v -C", Others::Any),
    rule(&["zip"], Gnu, "unzip-command test temp-path output-file move", ("TbOm", "xi"), STARTS),
    rule(&["unzip"], Gnu, "", ("d", "xP"), STARTS),
    rule(&["jq"], Exact, "from-file library-path rawfile slurpfile", ("fL", ""), STARTS),
    rule(&["split", "gsplit"], Gnu, "filter", ("", ""), STARTS),
    rule(&["man", "less", "more"], Gnu, "pager", ("PokK", ""), STARTS),
    // The network.
    rule(
        &["curl"],
        Gnu,
        "config output remote-name remote-name-all output-dir upload-file dump-header cookie-jar trace trace-ascii stderr \
         unix-socket abstract-unix-socket proxy preproxy netrc-file engine libcurl etag-save hsts alt-svc create-dirs",
        ("KoOTDcxJ", "HdXAbuemFQErtwzYyC"),
        STARTS,
    ),
    rule(
        &["wget"],
        Gnu,
        "output-document output-file append-output config execute directory-prefix input-file use-askpass post-file body-file \
         rejected-log warc-file save-cookies hsts-file",
        ("oOaePi", "tTwQURADlIXB"),
        STARTS,
    ),
    // Databases.
    rule(&["psql"], Gnu, "command file output log-file set variable", ("cfoLv", "dhpUFRTP"), STARTS),
    rule(
        &["mysql", "mariadb"],
        Gnu,
        "execute pager tee init-command defaults-file defaults-extra-file plugin-dir default-auth",
        ("e", "DhPpSu"),
        STARTS,
    ),
    // Containers and clouds.
    rule(
        &["docker", "podman", "nerdctl", "docker-compose"],
        Exact,
        "volume mount privileged entrypoint device cap-add security-opt pid ipc network net userns uts volumes-from env-file \
         build-context file output iidfile metadata-file cidfile runtime init-path host config context cgroupns cgroup-parent \
         ssh secret allow project-directory group-add",
        ("vfHoc", "epnluwmah"),
        STARTS,
    ),
    rule(
        &["kubectl", "oc"],
        Exact,
        "kubeconfig server cluster user context client-key client-certificate certificate-authority filename kustomize template \
         cache-dir profile-output as editor",
        ("fks", "nlcLpo"),
        STARTS,
    ),
    rule(
        &["helm"],
        Exact,
        "post-renderer post-renderer-args values set-file kubeconfig registry-config repository-config plugin kube-context output-dir",
        ("f", "n"),
        STARTS,
    ),
    rule(
        &["terraform", "tofu", "terragrunt"],
        Single,
        "chdir var-file backend-config plugin-dir from-module state state-out out backup generate-config-out",
        ("", ""),
        STARTS,
    ),
    // Builders whose words are tasks.
    only(
        &["gradle", "gradlew", "mvn", "mvnw", "ant", "sbt"],
        "--info --stacktrace --quiet -q --offline --continue --rerun-tasks --tests",
        Others::None,
    ),
    only(
        &["just", "task", "rake", "mage", "invoke", "turbo", "nx", "lerna", "rush", "moon", "ninja", "bmake"],
        "--verbose -v --dry-run",
        Others::None,
    ),
    only(&["cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "rustc", "javac", "tcc"], "", Others::Inside),
    rule(
        &["cargo"],
        Exact,
        "config manifest-path target-dir out-dir artifact-dir lockfile-path",
        ("ZC", "pjF"),
        LOADS,
    ),
    rule(
        &["go"],
        Single,
        "exec toolexec vettool o overlay modfile C pkgdir ldflags gcflags asmflags gccgoflags compiler outputdir coverprofile \
         cpuprofile memprofile blockprofile mutexprofile trace",
        ("", ""),
        LOADS,
    ),
    rule(
        &["golangci-lint"],
        Exact,
        "config path-prefix cpu-profile-path mem-profile-path fix new-from-patch",
        ("c", "DEpj"),
        LOADS,
    ),
    rule(&["cmake"], Exact, "toolchain preset script graphviz", ("PCDGTABSE", ""), LOADS),
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
    // JavaScript: linters and what formats.
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
    // Python.
    inside(
        &["pytest", "py.test"],
        Exact,
        "rootdir confcutdir override-ini config-file basetemp debug junitxml junit-xml log-file cov-config cov-report pdbcls pyargs \
         import-mode pastebin plugins result-log report-log html p c o",
        ("pco", "kmrnW"),
    ),
    inside(
        &["mypy", "dmypy"],
        Gnu,
        "config-file python-executable custom-typeshed-dir custom-typing-module cache-dir install-types shadow-file junit-xml \
         html-report xml-report txt-report linecount-report any-exprs-report cobertura-xml-report xslt-html-report package-root",
        ("", "pmc"),
    ),
    inside(
        &["pylint", "flake8", "pydocstyle", "pycodestyle"],
        Gnu,
        "rcfile load-plugins init-hook output output-format config append-config tee output-file install-hook format formatter",
        ("f", "jdern"),
    ),
    inside(
        &["ruff", "black", "isort", "bandit", "pyright", "basedpyright", "autopep8", "yapf"],
        Exact,
        "config code add-noqa fix fix-only unsafe-fixes cache-dir output-file settings-path settings-file configfile output project \
         pythonpath typeshedpath venvpath in-place global-config style extension stdin-filename",
        ("copi", "lt"),
    ),
    inside(
        &[
            "tox",
            "nox",
            "coverage",
            "pre-commit",
            "sphinx-build",
            "alembic",
            "celery",
            "gunicorn",
            "uvicorn",
            "flask",
            "behave",
        ],
        Exact,
        "conf workdir override noxfile rcfile config app-dir chdir env-file pythonpath plugins data-file log-config app factory",
        ("cxfDA", "ejs"),
    ),
    // Ruby and PHP.
    inside(
        &["rspec", "rubocop", "standardrb", "cucumber-ruby", "minitest", "ruby-lint", "brakeman"],
        Gnu,
        "require config plugin format out options default-path server cache-root autocorrect autocorrect-all auto-correct fix-layout \
         drb auto-gen-config",
        ("rIcfoOaAx", "et"),
    ),
    inside(
        &["phpunit", "pest", "paratest", "phpstan", "psalm", "phpcs", "phpcbf", "php-cs-fixer"],
        Exact,
        "bootstrap configuration include-path printer extension log-junit log-teamcity cache-result-file cache-directory \
         coverage-html coverage-clover coverage-php coverage-text loader prepend autoload-file config plugin root standard \
         report-file runtime-set set-baseline",
        ("cad", ""),
    ),
];
