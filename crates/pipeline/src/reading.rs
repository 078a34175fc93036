//! Rows of the parts of a table, part by part, batch by batch.

use std::collections::VecDeque;
use std::sync::Arc;
use std::vec;

use store::Store;
use tables::{Row, Rows};

use crate::output::{Output, part_bytes};
use crate::receipt::Part;
use crate::run::RunError;

/// Rows of those of `parts` that belong to the table of `R`, in order.
pub(crate) fn rows<R: Row>(output: &Output, parts: &[Part]) -> PartRows<R> {
    skip_rows(output, parts, 0)
}

/// As [`rows`], without the first `skip` rows; parts that lie before are not read.
pub(crate) fn skip_rows<R: Row>(output: &Output, parts: &[Part], skip: u64) -> PartRows<R> {
    PartRows::new(Arc::clone(output.store()), parts, skip)
}

/// The parts in order; neighbouring stretches of one object are one, so that it is read once.
fn stretches<'a>(parts: impl Iterator<Item = &'a Part>) -> VecDeque<Part> {
    let mut whole: VecDeque<Part> = VecDeque::new();
    for part in parts.filter(|part| part.rows > 0) {
        let last = whole.back_mut();
        let goes_on = |last: &&mut Part| {
            last.path == part.path && last.first_row + last.rows == part.first_row
        };
        match last.filter(goes_on) {
            Some(last) => last.rows += part.rows,
            None => whole.push_back(part.clone()),
        }
    }
    whole
}

/// Rows of a table, part by part: memory holds one part's bytes and one batch of rows.
pub struct PartRows<R: Row> {
    store: Arc<dyn Store>,
    waiting: VecDeque<Part>,
    path: String,
    batches: Option<Rows<R>>,
    batch: vec::IntoIter<R>,
}

impl<R: Row> std::fmt::Debug for PartRows<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartRows")
            .field("table", &R::TABLE)
            .field("part", &self.path)
            .finish_non_exhaustive()
    }
}

impl<R: Row> PartRows<R> {
    pub(crate) fn new(store: Arc<dyn Store>, parts: &[Part], skip: u64) -> PartRows<R> {
        let mut skip = skip;
        let own = parts.iter().filter(|part| part.table == R::TABLE.name());
        let mut waiting = stretches(own);
        while let Some(part) = waiting.front().filter(|part| part.rows <= skip) {
            skip -= part.rows;
            waiting.pop_front();
        }
        if let Some(part) = waiting.front_mut() {
            part.first_row += skip;
            part.rows -= skip;
        }
        PartRows {
            store,
            waiting,
            path: String::new(),
            batches: None,
            batch: Vec::new().into_iter(),
        }
    }

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
            let bytes = part_bytes(self.store.as_ref(), &self.path)?;
            let rows = tables::read_rows(bytes, part.first_row, part.rows);
            self.batches = Some(rows.map_err(|error| broken(&self.path, &error))?);
        }
        match self.batches.as_mut().and_then(Iterator::next) {
            Some(Ok(batch)) => self.batch = batch.into_iter(),
            Some(Err(error)) => return Err(broken(&self.path, &error)),
            None => self.batches = None,
        }
        Ok(true)
    }
}

impl<R: Row> Iterator for PartRows<R> {
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
