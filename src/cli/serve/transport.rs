//! Where `cuff serve` speaks: on standard input and output, or over HTTP where the build has it.

use super::announcer::Announcer;
#[cfg(feature = "http")]
use super::http::{self, OpenedServer};
use crate::cli::arguments::Http;
use crate::project::Context;
use crate::terminal::Failed;

/// Where it speaks.
pub(super) enum ServeTransport {
    /// On standard input and output.
    Stdio,
    /// Over HTTP.
    #[cfg(feature = "http")]
    Http(Box<OpenedServer>),
}

impl ServeTransport {
    /// The transport that was asked for. Over HTTP it listens from now on.
    #[cfg(feature = "http")]
    pub(super) fn open(context: &Context, typed: &Http, announcer: &Announcer<'_>) -> Result<Self, Failed> {
        match &typed.listen {
            Some(http) => {
                http::open(context, http, typed, announcer).map(|opened| Self::Http(Box::new(opened)))
            }
            None => Ok(Self::Stdio),
        }
    }

    /// The one transport of this build.
    #[cfg(not(feature = "http"))]
    pub(super) fn open(_: &Context, typed: &Http, _: &Announcer<'_>) -> Result<Self, Failed> {
        check(typed)?;
        Ok(Self::Stdio)
    }
}

/// Whether the transport that was asked for could be opened; whether that is HTTP.
#[cfg(feature = "http")]
pub(super) fn check(typed: &Http) -> Result<bool, Failed> {
    let address = typed.listen.as_ref().map(|http| http::address(http, typed.host));
    Ok(address.transpose()?.is_some())
}

/// Whether the transport that was asked for could be opened; whether that is HTTP.
#[cfg(not(feature = "http"))]
pub(super) fn check(typed: &Http) -> Result<bool, Failed> {
    if typed.listen.is_none() {
        return Ok(false);
    }
    let help =
        "leave out `--http` to serve on standard input and output, or install cuff with its feature `http`";
    Err(Failed::usage("this build of cuff has no HTTP").help(help))
}

#[cfg(all(test, not(feature = "http")))]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_http_says_so() {
        let typed = |listen: Option<&str>| Http {
            listen: listen.map(str::to_owned),
            host: None,
            allow_host: Vec::new(),
            allow_origin: Vec::new(),
            token_file: None,
            no_token: false,
        };
        assert!(!check(&typed(None)).unwrap());
        let failed = check(&typed(Some("127.0.0.1:0"))).unwrap_err();
        assert_eq!((failed.code, failed.message.as_str()), (64, "this build of cuff has no HTTP"));
        assert!(failed.help.unwrap().contains("feature `http`"));
    }
}
