//! The store behind an address, with the credentials that its cloud's own variables name.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, Result, RetryConfig};

use super::client::Connector;
use crate::sys::{Environment, files};

/// How often a request is tried again.
const RETRIES: usize = 2;
/// How long a request and its retries take together.
const PATIENCE: Duration = Duration::from_secs(20);

/// A store, the prefix of its records, and whether its lists are sorted by name.
pub(crate) struct OpenStore {
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) prefix: Path,
    pub(crate) is_sorted: bool,
}

/// Opens the store of an address. Nothing is sent yet. A folder must be there: it may be on a share that is not mounted.
///
/// # Errors
/// The store's own.
pub(crate) fn open(address: &str, environment: &Environment) -> Result<OpenStore> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("file", address));
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let backoff = BackoffConfig { init_backoff: Duration::from_millis(200), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: RETRIES, retry_timeout: PATIENCE };
    let variables = |front: &'static str| {
        let texts =
            environment.variables().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        texts.filter(move |(name, value)| name.starts_with(front) && !value.is_empty())
    };
    let objects: Arc<dyn ObjectStore> = match scheme {
        "s3" => {
            let mut builder = AmazonS3Builder::new().with_http_connector(Connector).with_retry(retry);
            for (name, value) in variables("AWS_") {
                if let Ok(key) = name.to_ascii_lowercase().parse() {
                    builder = builder.with_config(key, value);
                }
            }
            // A server on this machine is reached without TLS.
            let endpoint =
                ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"].iter().find_map(|name| environment.get(name));
            if endpoint.and_then(|endpoint| endpoint.to_str()).is_some_and(is_local) {
                builder = builder.with_allow_http(true);
            }
            Arc::new(builder.with_bucket_name(bucket).build()?)
        }
        "gs" => {
            let mut builder =
                GoogleCloudStorageBuilder::new().with_http_connector(Connector).with_retry(retry);
            for (name, value) in variables("GOOGLE_") {
                if let Ok(key) = name.to_ascii_lowercase().parse() {
                    builder = builder.with_config(key, value);
                }
            }
            Arc::new(builder.with_bucket_name(bucket).build()?)
        }
        "az" => {
            let mut builder = MicrosoftAzureBuilder::new().with_http_connector(Connector).with_retry(retry);
            for (name, value) in variables("AZURE_") {
                if let Ok(key) = name.to_ascii_lowercase().parse() {
                    builder = builder.with_config(key, value);
                }
            }
            let endpoint =
                ["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"].iter().find_map(|name| environment.get(name));
            if endpoint.and_then(|endpoint| endpoint.to_str()).is_some_and(is_local) {
                builder = builder.with_allow_http(true);
            }
            Arc::new(builder.with_container_name(bucket).build()?)
        }
        _ => {
            let folder = std::path::Path::new(rest);
            if !files::look(folder).is_some_and(|found| found.directory) {
                return Err(no_folder());
            }
            let store = LocalFileSystem::new_with_prefix(folder)?;
            return Ok(OpenStore { objects: Arc::new(store), prefix: Path::default(), is_sorted: false });
        }
    };
    Ok(OpenStore { objects, prefix: Path::from(prefix), is_sorted: true })
}

fn is_local(endpoint: &str) -> bool {
    let host = endpoint.strip_prefix("http://").map(|rest| rest.split('/').next().unwrap_or_default());
    let host = host.map(|host| host.rsplit_once(':').map_or(host, |(host, _)| host));
    host.is_some_and(|host| ["127.0.0.1", "localhost", "[::1]"].contains(&host))
}

/// The name of the store in the error of a folder that is not there.
pub(super) const FOLDER: &str = "folder";

/// The error of a folder that is not there.
fn no_folder() -> object_store::Error {
    let why = "the folder does not exist; make it, or mount the share that it is on";
    object_store::Error::Generic { store: FOLDER, source: why.into() }
}
