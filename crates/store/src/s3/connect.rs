//! From settings and environment to a client, and the runtime that drives it.

use std::env;
use std::future::Future;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use aws_config::environment::region::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::region::ProfileFileRegionProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, Region};
use aws_sdk_s3::Client;
pub(super) use aws_sdk_s3::config::Credentials as Keys;
use aws_sdk_s3::config::{RequestChecksumCalculation, ResponseChecksumValidation};
use aws_smithy_http_client::Builder as HttpClient;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use tokio::runtime::{Builder as RuntimeBuilder, Runtime};

use super::{Bucket, Checksums, S3Settings};
use crate::error::Error;

/// Time for a connection to stand.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time from a request to the first byte of its answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Tries of one request, within about ten seconds: enough for a server that restarts. `AWS_MAX_ATTEMPTS` overrides it.
const ATTEMPTS: u32 = 5;
/// What look-alikes take where no region is named.
const ANY_REGION: &str = "us-east-1";

/// Builds the way to a bucket.
pub(super) fn bucket(
    name: &str,
    prefix: &str,
    settings: &S3Settings,
    keys: Option<Keys>,
) -> Result<Bucket, Error> {
    let endpoint = endpoint(settings)?;
    runtime()?;
    let mut loader = loader(settings, endpoint.as_deref());
    if let Some(keys) = keys.or_else(test_keys) {
        loader = loader.credentials_provider(keys);
    }
    let config = wait(loader.load());
    let endpoint = endpoint.or_else(|| config.endpoint_url().map(str::to_owned));
    let region = match (config.region(), &endpoint) {
        (Some(region), _) => region.clone(),
        (None, Some(_)) => Region::from_static(ANY_REGION),
        (None, None) => {
            return Err(Error::Settings(format!(
                "no region for s3://{name}: set AWS_REGION, or AWS_ENDPOINT_URL for a service that is not AWS"
            )));
        }
    };
    let described = match &endpoint {
        Some(url) => url.clone(),
        None => format!("AWS in {region}"),
    };
    let s3 = aws_sdk_s3::config::Builder::from(&config)
        .region(region)
        .force_path_style(settings.path_style.unwrap_or(endpoint.is_some()))
        .build();
    let prefix = prefix.trim_matches('/');
    Ok(Bucket {
        client: Client::from_conf(s3),
        name: name.to_owned(),
        prefix: if prefix.is_empty() {
            String::new()
        } else {
            format!("{prefix}/")
        },
        endpoint: described,
        credentials: config.credentials_provider(),
        page: None,
        seen: AtomicBool::new(false),
    })
}

/// The keys of the tests' server in a process that started one: a test cannot set its own environment safely.
#[cfg(any(test, feature = "testing"))]
fn test_keys() -> Option<Keys> {
    let (id, secret) = crate::testing::keys()?;
    Some(Keys::new(id, secret, None, None, "testing"))
}

#[cfg(not(any(test, feature = "testing")))]
fn test_keys() -> Option<Keys> {
    None
}

/// The endpoint that settings or environment name; one in a profile is found by the loader.
fn endpoint(settings: &S3Settings) -> Result<Option<String>, Error> {
    let ignored = env::var("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
        .is_ok_and(|it| it.eq_ignore_ascii_case("true"));
    let from_env = || {
        ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
            .into_iter()
            .filter(|_| !ignored)
            .find_map(|name| env::var(name).ok().filter(|url| !url.is_empty()))
    };
    let Some(url) = settings.endpoint.clone().or_else(from_env) else {
        return Ok(None);
    };
    if url.starts_with("http://") || url.starts_with("https://") {
        Ok(Some(url))
    } else {
        Err(Error::Settings(format!(
            "`{url}` is no S3 endpoint: write it as http://host:port or https://host"
        )))
    }
}

fn loader(settings: &S3Settings, endpoint: Option<&str>) -> ConfigLoader {
    // The provider is named here, so that a process with two of them (Ballista brings aws-lc) needs no default.
    let http = HttpClient::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https();
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(ANSWER_TIMEOUT);
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .http_client(http)
        .timeout_config(timeouts.build());
    if env::var_os("AWS_MAX_ATTEMPTS").is_none() {
        loader = loader.retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS));
    }
    if let Some(profile) = &settings.profile {
        loader = loader.profile_name(profile);
    }
    if let Some(url) = endpoint {
        loader = loader.endpoint_url(url);
    }
    loader = match (&settings.region, endpoint) {
        (Some(region), _) => loader.region(Region::new(region.clone())),
        // Without this the chain would ask the instance's metadata service, which outside AWS costs seconds.
        (None, Some(_)) => loader.region(region_off_aws(settings)),
        (None, None) => loader,
    };
    with_checksums(loader, settings, endpoint)
}

fn region_off_aws(settings: &S3Settings) -> RegionProviderChain {
    let mut profile = ProfileFileRegionProvider::builder();
    if let Some(name) = &settings.profile {
        profile = profile.profile_name(name);
    }
    RegionProviderChain::first_try(EnvironmentVariableRegionProvider::new())
        .or_else(profile.build())
        .or_else(Region::from_static(ANY_REGION))
}

fn with_checksums(
    loader: ConfigLoader,
    settings: &S3Settings,
    endpoint: Option<&str>,
) -> ConfigLoader {
    let named = env::var_os("AWS_REQUEST_CHECKSUM_CALCULATION").is_some();
    let choice = settings.checksums.or(match endpoint {
        Some(_) if !named => Some(Checksums::WhenRequired),
        _ => None,
    });
    match choice {
        None => loader,
        Some(Checksums::WhenSupported) => loader
            .request_checksum_calculation(RequestChecksumCalculation::WhenSupported)
            .response_checksum_validation(ResponseChecksumValidation::WhenSupported),
        Some(Checksums::WhenRequired) => loader
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired),
    }
}

/// Runs a request on the crate's runtime while this thread waits for it.
///
/// # Panics
/// Inside an async task, as every blocking call of tokio; and where [`runtime`] was not made before.
pub(super) fn wait<F: Future>(request: F) -> F::Output {
    RUNTIME
        .get()
        .expect("no bucket exists before the runtime does")
        .block_on(request)
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

/// Makes the one runtime of the process. It is never dropped, since a runtime must not be dropped inside another.
fn runtime() -> Result<(), Error> {
    if RUNTIME.get().is_some() {
        return Ok(());
    }
    let made = RuntimeBuilder::new_multi_thread()
        .worker_threads(2)
        .thread_name("store-s3")
        .enable_all()
        .build()
        .map_err(|source| Error::Io {
            place: "threads for S3".to_owned(),
            source,
        })?;
    // Where two threads come here at once, the second runtime is dropped, outside any async task.
    drop(RUNTIME.set(made));
    Ok(())
}
