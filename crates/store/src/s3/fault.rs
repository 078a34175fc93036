//! From what the SDK reports to what a person can act on.

use std::error::Error as StdError;
use std::sync::atomic::Ordering;

use aws_sdk_s3::config::ProvideCredentials;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};

use super::Bucket;
use crate::error::Error;

/// The HTTP status of an answer; none where nobody answered.
pub(super) fn status<E>(error: &SdkError<E, HttpResponse>) -> Option<u16> {
    error.raw_response().map(|raw| raw.status().as_u16())
}

impl Bucket {
    /// Names a failed request at `place`. Asks once more where only another request can tell.
    pub(super) async fn fault<E>(&self, place: String, error: SdkError<E, HttpResponse>) -> Error
    where
        E: ProvideErrorMetadata + StdError + 'static,
    {
        match &error {
            SdkError::ServiceError(_) | SdkError::ResponseError(_) => {
                let answer = Answer {
                    status: status(&error).unwrap_or(0),
                    code: error.code().unwrap_or_default(),
                    message: error.message().unwrap_or_default(),
                };
                let named = self.name_answer(place, &answer);
                match named {
                    // Some services answer alike for a missing bucket and a missing object.
                    Error::NotFound { .. } if !self.seen.load(Ordering::Relaxed) => {
                        Box::pin(self.check()).await.err().unwrap_or(named)
                    }
                    _ => named,
                }
            }
            SdkError::DispatchFailure(failure) if !failure.is_io() && !failure.is_timeout() => self
                .credentials_fault()
                .await
                .unwrap_or_else(|| self.unreachable(&error)),
            _ => self.unreachable(&error),
        }
    }

    /// The service could not be asked.
    pub(super) fn unreachable(&self, error: &(dyn StdError + 'static)) -> Error {
        Error::Unreachable {
            endpoint: self.endpoint.clone(),
            detail: innermost(error),
        }
    }

    /// Whether it is the credentials that are missing, by asking for them again.
    async fn credentials_fault(&self) -> Option<Error> {
        let place = self.describe();
        let detail = match &self.credentials {
            None => "there is no provider of credentials".to_owned(),
            Some(provider) => innermost(&provider.provide_credentials().await.err()?),
        };
        Some(Error::NoCredentials { place, detail })
    }

    fn name_answer(&self, place: String, answer: &Answer<'_>) -> Error {
        let credentials = |advice| Error::BadCredentials {
            place: self.describe(),
            code: answer.code.to_owned(),
            advice,
        };
        match (answer.status, answer.code) {
            (_, "NoSuchBucket" | "InvalidBucketName") => Error::NoSuchBucket {
                bucket: self.name.clone(),
                endpoint: self.endpoint.clone(),
            },
            (_, "InvalidAccessKeyId") => credentials("AWS_ACCESS_KEY_ID is not known there"),
            (_, "SignatureDoesNotMatch") => {
                credentials("AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID")
            }
            (_, "ExpiredToken" | "InvalidToken" | "TokenRefreshRequired") => {
                credentials("get new temporary credentials (AWS_SESSION_TOKEN)")
            }
            (_, "RequestTimeTooSkewed" | "RequestExpired") => Error::ClockSkew {
                place: self.describe(),
            },
            (301, _)
            | (
                _,
                "AuthorizationHeaderMalformed"
                | "PermanentRedirect"
                | "IllegalLocationConstraintException",
            ) => Error::Settings(format!(
                "the bucket of {} is not in the region asked: set AWS_REGION to its own ({})",
                self.describe(),
                answer.words()
            )),
            (412, _) => Error::Changed { place },
            (507, _) | (_, "QuotaExceeded" | "XMinioStorageFull" | "InsufficientStorage") => {
                Error::NoSpace { place }
            }
            (404, _) => Error::NotFound { place },
            (401 | 403, _) => Error::AccessDenied {
                place,
                detail: answer.words(),
            },
            _ => Error::Service {
                place,
                status: answer.status,
                code: answer.code.to_owned(),
                message: answer.message.to_owned(),
            },
        }
    }
}

/// What the service answered.
struct Answer<'a> {
    status: u16,
    code: &'a str,
    message: &'a str,
}

impl Answer<'_> {
    fn words(&self) -> String {
        let text = format!("{} {} {}", self.status, self.code, self.message);
        text.trim_end().to_owned()
    }
}

/// The cause at the bottom of a chain: the outer ones only say "dispatch failure".
fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
