//! What a user may say about an S3 service, in a job file or in the environment.

/// When the client adds and checks checksums of its own. Requests are signed over their bytes either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksums {
    /// Wherever the operation has them: the default at AWS itself.
    WhenSupported,
    /// Only where the operation demands them: the default at any other endpoint, since several look-alikes break on the first.
    WhenRequired,
}

/// How to reach S3. What is `None` comes from the environment, then from the profile files, then from the default named here.
///
/// Credentials are never settings: they come from the usual chain, in this order: `AWS_ACCESS_KEY_ID` with
/// `AWS_SECRET_ACCESS_KEY` (and `AWS_SESSION_TOKEN`); the profile `AWS_PROFILE` in `~/.aws/credentials` and `~/.aws/config` (or
/// `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`), with `role_arn` and `source_profile`; `AWS_WEB_IDENTITY_TOKEN_FILE` with `AWS_ROLE_ARN`
/// (Kubernetes); `AWS_CONTAINER_CREDENTIALS_*_URI` (ECS, EKS); the instance's metadata service, unless
/// `AWS_EC2_METADATA_DISABLED=true`. Not built in: `sso_session` and `credential_process` profiles; for those run
/// `eval "$(aws configure export-credentials --format env)"` first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct S3Settings {
    /// Base URL of the service, such as `http://127.0.0.1:8333`. Else `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, the profile, AWS itself.
    pub endpoint: Option<String>,
    /// Region. Else `AWS_REGION`, `AWS_DEFAULT_REGION`, the profile, `us-east-1` at an endpoint of one's own, or the instance's region.
    pub region: Option<String>,
    /// `endpoint/bucket/key` instead of `bucket.endpoint/key`. Else true at an endpoint of one's own, false at AWS.
    pub path_style: Option<bool>,
    /// Else `AWS_REQUEST_CHECKSUM_CALCULATION`, the profile, or the default by endpoint (see [`Checksums`]).
    pub checksums: Option<Checksums>,
    /// The profile to use; else `AWS_PROFILE`, else `default`.
    pub profile: Option<String>,
}
