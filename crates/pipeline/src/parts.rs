//! Rows of one table to the parts of one chunk, in bounded memory.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tables::{Row, TableWriter};

use crate::key::ChunkKey;
use crate::output::Output;
use crate::receipt::Part;
use crate::run::RunError;

/// A part is closed once it holds this much: far below what one upload may hold, and little enough to keep in memory.
const PART_BYTES: u64 = 12 << 20;

/// Writes rows into parts that are closed as they fill. The cuts depend on the rows alone.
pub(crate) struct Parts<'a, R: Row> {
    output: &'a Output,
    key: ChunkKey,
    open: Option<Open<R>>,
    done: Vec<Part>,
}

struct Open<R: Row> {
    writer: TableWriter<R, Counted>,
    bytes: Arc<AtomicU64>,
}

impl<'a, R: Row> Parts<'a, R> {
    pub(crate) fn new(output: &'a Output, key: ChunkKey) -> Parts<'a, R> {
        Parts {
            output,
            key,
            open: None,
            done: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: R) -> Result<(), RunError> {
        if self.open.is_none() {
            self.open = Some(self.begin()?);
        }
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        open.writer.push(row).map_err(|error| broken::<R>(&error))?;
        if open.bytes.load(Ordering::Relaxed) >= PART_BYTES {
            self.close()?;
        }
        Ok(())
    }

    pub(crate) fn extend(&mut self, rows: impl IntoIterator<Item = R>) -> Result<(), RunError> {
        rows.into_iter().try_for_each(|row| self.push(row))
    }

    /// The parts; none where there were no rows.
    pub(crate) fn finish(mut self) -> Result<Vec<Part>, RunError> {
        self.close()?;
        Ok(self.done)
    }

    /// The parts; an empty one where there were no rows, so that a table's folder always has a file to read.
    pub(crate) fn finish_with_one(mut self) -> Result<Vec<Part>, RunError> {
        if self.open.is_none() && self.done.is_empty() {
            self.open = Some(self.begin()?);
        }
        self.finish()
    }

    fn begin(&self) -> Result<Open<R>, RunError> {
        let bytes = Arc::new(AtomicU64::new(0));
        let sink = Counted {
            data: Vec::new(),
            bytes: Arc::clone(&bytes),
        };
        let writer = TableWriter::new(sink).map_err(|error| broken::<R>(&error))?;
        Ok(Open { writer, bytes })
    }

    fn close(&mut self) -> Result<(), RunError> {
        let Some(open) = mem::take(&mut self.open) else {
            return Ok(());
        };
        let rows = open.writer.rows();
        let sink = open.writer.finish().map_err(|error| broken::<R>(&error))?;
        let part = self
            .output
            .part(R::TABLE.name(), &self.key, rows, sink.data)?;
        self.done.push(part);
        Ok(())
    }
}

/// A row that does not fit its table: a fault of this program.
fn broken<R: Row>(error: &tables::TableError) -> RunError {
    RunError::Broken {
        path: R::TABLE.name().to_owned(),
        reason: error.to_string(),
    }
}

/// A buffer whose length can be seen while a writer owns it.
struct Counted {
    data: Vec<u8>,
    bytes: Arc<AtomicU64>,
}

impl Write for Counted {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.data.extend_from_slice(data);
        self.bytes.store(self.data.len() as u64, Ordering::Relaxed);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
