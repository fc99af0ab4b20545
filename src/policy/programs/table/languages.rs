//! Tests and linters of Python, Ruby and PHP.

use super::super::options::Style::{Exact, Gnu};
use super::super::options::{Rule, inside};

pub(super) const RULES: &[Rule] = &[
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
