//! Rows of the parts of a table, part by part, batch by batch.

use std::collections::VecDeque;
use std::vec;

use tables::{Row, Rows};

use crate::output::Output;
use crate::receipt::Part;
use crate::run::RunError;

/// Rows of those of `parts` that belong to the table of `R`, in order. Memory holds one part's bytes and one batch of rows.
pub(crate) fn rows<'a, R: Row>(output: &'a Output, parts: &[Part]) -> PartRows<'a, R> {
    skip_rows(output, parts, 0)
}

/// As [`rows`], without the first `skip` rows; parts that lie before are not read.
pub(crate) fn skip_rows<'a, R: Row>(
    output: &'a Output,
    parts: &[Part],
    skip: u64,
) -> PartRows<'a, R> {
    let mut waiting: VecDeque<Part> = parts
        .iter()
        .filter(|part| part.table == R::TABLE.name())
        .cloned()
        .collect();
    let mut skip = skip;
    while let Some(part) = waiting.front().filter(|part| part.rows <= skip) {
        skip -= part.rows;
        waiting.pop_front();
    }
    PartRows {
        output,
        waiting,
        skip,
        path: String::new(),
        batches: None,
        batch: Vec::new().into_iter(),
    }
}

/// See [`rows`].
pub(crate) struct PartRows<'a, R: Row> {
    output: &'a Output,
    waiting: VecDeque<Part>,
    skip: u64,
    path: String,
    batches: Option<Rows<R>>,
    batch: vec::IntoIter<R>,
}

impl<R: Row> PartRows<'_, R> {
    /// Fills the batch; false at the end.
    fn refill(&mut self) -> Result<bool, RunError> {
        let broken = |path: &str, error: &tables::TableError| RunError::Broken {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        if self.batches.is_none() {
            let Some(part) = self.waiting.pop_front() else {
                return Ok(false);
            };
            self.path = part.path;
            let bytes = self.output.get(&self.path)?;
            self.batches = Some(tables::read(bytes).map_err(|error| broken(&self.path, &error))?);
        }
        match self.batches.as_mut().and_then(Iterator::next) {
            Some(Ok(batch)) => {
                let mut batch = batch.into_iter();
                while self.skip > 0 && batch.next().is_some() {
                    self.skip -= 1;
                }
                self.batch = batch;
            }
            Some(Err(error)) => return Err(broken(&self.path, &error)),
            None => self.batches = None,
        }
        Ok(true)
    }
}

impl<R: Row> Iterator for PartRows<'_, R> {
    type Item = Result<R, RunError>;

    fn next(&mut self) -> Option<Result<R, RunError>> {
        loop {
            if let Some(row) = self.batch.next() {
                return Some(Ok(row));
            }
            match self.refill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
