//! The compressed input: counted, and with its own errors marked, so that they cannot be taken for the decoder's.

use std::{
    error::Error,
    fmt,
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::error::{ContainerError, container_error};

/// How many compressed bytes have been read.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceCount(Arc<AtomicU64>);

impl SourceCount {
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) struct Source<R> {
    input: R,
    count: SourceCount,
}

impl<R> Source<R> {
    pub(crate) fn new(input: R, count: SourceCount) -> Self {
        Source { input, count }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            // Of a container around this one.
            _ if container_error(&error).is_some() => error,
            kind => io::Error::new(kind, InputError(error)),
        })?;
        self.count.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// An error of the input itself.
#[derive(Debug)]
struct InputError(io::Error);

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for InputError {}

/// The input's error as it came, if it is one.
pub(crate) fn unwrap_input_error(error: io::Error) -> io::Error {
    if !error
        .get_ref()
        .is_some_and(|inner| inner.is::<InputError>())
    {
        return error;
    }
    let kind = error.kind();
    match error
        .into_inner()
        .map(|inner| inner.downcast::<InputError>())
    {
        Some(Ok(inner)) => inner.0,
        Some(Err(inner)) => io::Error::new(kind, inner),
        None => kind.into(),
    }
}

/// The input's error as it came, or the decoder's as a fault of the container.
pub(super) fn container_fault(
    error: io::Error,
    name: impl FnOnce(&io::Error) -> ContainerError,
) -> io::Error {
    let ours = error
        .get_ref()
        .is_some_and(|inner| inner.is::<InputError>() || inner.is::<ContainerError>());
    if ours || error.kind() == io::ErrorKind::Interrupted {
        return unwrap_input_error(error);
    }
    io::Error::new(io::ErrorKind::InvalidData, name(&error))
}
