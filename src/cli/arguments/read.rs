//! `cuff read`, and the formats in which findings are written.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(in crate::cli) struct Read {
    #[command(flatten)]
    pub(in crate::cli) form: Form,
}

/// How findings are written.
#[derive(Debug, Args)]
pub(in crate::cli) struct Form {
    /// Write the findings for another program
    #[arg(long = "as", value_name = "FORMAT", value_enum)]
    format: Option<FindingsFormat>,
    /// Print JSON, as `--as json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Form {
    /// The format; `None` for people.
    pub(in crate::cli) fn format(&self) -> Option<FindingsFormat> {
        if self.json { Some(FindingsFormat::Json) } else { self.format }
    }
}

/// A format of findings for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FindingsFormat {
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    #[value(help = "The XML of JUnit: errors as failed tests, all other tests as counts")]
    Junit,
    /// cuff's own JSON
    Json,
    /// The XML of Checkstyle
    Checkstyle,
}
