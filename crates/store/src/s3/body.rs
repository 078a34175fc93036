//! The bytes of an object, which survive a broken connection.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::primitives::ByteStream;
use bytes::{Buf, Bytes};

use super::{Bucket, connect};
use crate::contents::Etag;
use crate::error::{Error, Retry};

/// Reopenings in a row without a byte in between; one that does not even open counts twice.
const RESUMES: u32 = 6;
/// Time without a byte after which a connection counts as broken.
const STALL: Duration = Duration::from_secs(60);

/// An open object on its way.
///
/// Invariants:
/// - every byte comes from the one state named by `etag`: a connection is reopened with `If-Match`;
/// - the end is reported only after the last byte the first answer promised.
pub(super) struct Body {
    bucket: Arc<Bucket>,
    key: String,
    etag: Etag,
    /// Next byte to come from the stream, counted from the object's start.
    offset: u64,
    /// One past the last byte promised.
    end: u64,
    stream: Option<ByteStream>,
    chunk: Bytes,
    failures: u32,
}

impl Body {
    /// Takes over an answer whose body begins at `start`.
    pub(super) fn new(
        bucket: Arc<Bucket>,
        key: &str,
        output: GetObjectOutput,
        start: u64,
    ) -> Result<Self, Error> {
        let odd = |message: &str| Error::Service {
            place: bucket.place(key),
            status: 200,
            code: String::new(),
            message: message.to_owned(),
        };
        let length = output
            .content_length()
            .and_then(|length| u64::try_from(length).ok());
        let length = length.ok_or_else(|| odd("the answer has no length"))?;
        let etag = output.e_tag().map(Etag::new);
        let etag = etag.ok_or_else(|| odd("the answer has no ETag"))?;
        if start > 0 && !begins_at(&output, start) {
            return Err(odd("the service ignored the range of the request"));
        }
        Ok(Self {
            bucket,
            key: key.to_owned(),
            etag,
            offset: start,
            end: start + length,
            stream: Some(output.body),
            chunk: Bytes::new(),
            failures: 0,
        })
    }

    /// Brings the next bytes into `chunk`, reopening where need be.
    async fn fill(&mut self) -> Result<(), Error> {
        while self.chunk.is_empty() {
            let detail = match &mut self.stream {
                None => "the connection broke".to_owned(),
                Some(stream) => match tokio::time::timeout(STALL, stream.next()).await {
                    Ok(Some(Ok(bytes))) => {
                        self.take(bytes);
                        continue;
                    }
                    Ok(Some(Err(error))) => error.to_string(),
                    Ok(None) => "the answer ended too early".to_owned(),
                    Err(_) => format!("no byte within {} s", STALL.as_secs()),
                },
            };
            self.reopen(detail).await?;
        }
        Ok(())
    }

    fn take(&mut self, mut bytes: Bytes) {
        // A service that sends more than it promised is not believed.
        let promised = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        bytes.truncate(promised);
        self.offset += bytes.len() as u64;
        self.failures = 0;
        self.chunk = bytes;
    }

    async fn reopen(&mut self, detail: String) -> Result<(), Error> {
        self.stream = None;
        self.failures += 1;
        let place = self.bucket.place(&self.key);
        if self.failures > RESUMES {
            return Err(Error::Unreachable {
                endpoint: self.bucket.endpoint.clone(),
                detail: format!("{place} broke off at byte {}: {detail}", self.offset),
            });
        }
        tracing::warn!(
            place,
            offset = self.offset,
            detail,
            "reading goes on where it broke"
        );
        tokio::time::sleep(Duration::from_millis(50 << self.failures)).await;
        let rest = self.offset..self.end;
        match self
            .bucket
            .open(&self.key, Some(rest), Some(&self.etag))
            .await
        {
            Ok(Some((output, start))) if start == 0 || begins_at(&output, start) => {
                self.stream = Some(output.body);
                Ok(())
            }
            // The rest of this state is not there any more.
            Ok(_) => Err(Error::Changed { place }),
            // An object that went away in mid-read has changed.
            Err(Error::NotFound { place }) => Err(Error::Changed { place }),
            Err(error) if error.retry() == Retry::Later => {
                // The client has tried several times already.
                self.failures += 1;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.chunk.is_empty() {
            if self.offset >= self.end {
                return Ok(0);
            }
            connect::wait(self.fill()).map_err(Error::into_io)?;
        }
        let length = buffer.len().min(self.chunk.len());
        self.chunk.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

/// Whether an answer says that its first byte is byte `start` of the object.
fn begins_at(output: &GetObjectOutput, start: u64) -> bool {
    output
        .content_range()
        .and_then(|range| range.strip_prefix("bytes ")?.split('-').next())
        .is_some_and(|first| first.parse() == Ok(start))
}
