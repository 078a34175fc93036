//! Rows of a commit's parts.

use std::collections::VecDeque;
use std::marker::PhantomData;

use pipeline::{CommitView, Part};
use tables::{
    AnalysisState, Authority, Class, Color, Ending, GameResult, Hex, Phase, Row, Rows, Status,
    Symbol, Table,
};

use super::CollectError;

tables::row! {
    /// What figures need of every game.
    pub struct GameBrief in Table::Games, ordered by [] {
        pub game_id: Hex<16>,
        pub archive: String,
        pub member: Option<String>,
        pub ordinal: i32,
        pub dialect: Symbol,
        pub white: Option<String>,
        pub black: Option<String>,
        pub variant: Symbol,
        pub rule_set: Option<Symbol>,
        pub authority: Option<Authority>,
        pub status: Status,
        pub reason: Option<String>,
        pub plies: i32,
        pub result_declared: Option<GameResult>,
        pub result_derived: Option<GameResult>,
        pub ending_declared: Option<Ending>,
        pub ending_derived: Option<Ending>,
        pub analysis: AnalysisState,
    }
}

tables::row! {
    /// What figures need of a player in a game.
    pub struct PlayerBrief in Table::Players, ordered by [] {
        pub game_id: Hex<16>,
        pub side: Color,
        pub moves: i32,
        pub accuracy: Option<f64>,
    }
}

tables::row! {
    /// What figures need of an analysed ply.
    pub struct EvaluationBrief in Table::Evaluations, ordered by [] {
        pub game_id: Hex<16>,
        pub side: Color,
        pub loss_cp: i32,
        pub class: Class,
        pub phase: Phase,
    }
}

/// The rows of a table in the order of its parts. Memory holds the bytes of one part and one batch of rows.
pub(super) struct TableRows<'a, R: Row> {
    view: &'a CommitView,
    waiting: VecDeque<&'a Part>,
    open: Option<(String, Rows<R>)>,
    batch: std::vec::IntoIter<R>,
    row: PhantomData<R>,
}

/// Starts reading a table.
pub(super) fn of<R: Row>(view: &CommitView) -> TableRows<'_, R> {
    TableRows {
        view,
        waiting: view.parts(R::TABLE.name()).iter().collect(),
        open: None,
        batch: Vec::new().into_iter(),
        row: PhantomData,
    }
}

/// Gives every row of a table to `visit`.
pub(super) fn each<R: Row>(
    view: &CommitView,
    mut visit: impl FnMut(R),
) -> Result<(), CollectError> {
    of::<R>(view).try_for_each(|row| row.map(&mut visit))
}

impl<R: Row> TableRows<'_, R> {
    /// Fills the batch; false at the end of the table.
    fn refill(&mut self) -> Result<bool, CollectError> {
        let table = |path: &str, source| CollectError::Table {
            path: path.to_owned(),
            source,
        };
        if self.open.is_none() {
            let Some(part) = self.waiting.pop_front() else {
                return Ok(false);
            };
            let bytes =
                self.view
                    .store()
                    .get(&part.path)
                    .map_err(|source| CollectError::Store {
                        path: part.path.clone(),
                        source,
                    })?;
            let rows = tables::read(bytes).map_err(|source| table(&part.path, source))?;
            self.open = Some((part.path.clone(), rows));
        }
        match self
            .open
            .as_mut()
            .and_then(|(path, rows)| Some((&*path, rows.next()?)))
        {
            Some((_, Ok(batch))) => self.batch = batch.into_iter(),
            Some((path, Err(source))) => return Err(table(path, source)),
            None => self.open = None,
        }
        Ok(true)
    }
}

impl<R: Row> Iterator for TableRows<'_, R> {
    type Item = Result<R, CollectError>;

    fn next(&mut self) -> Option<Self::Item> {
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

/// The rows that belong to one game, from a table whose games come in the order of `games`.
pub(super) fn of_game<R>(
    rows: &mut std::iter::Peekable<impl Iterator<Item = Result<R, CollectError>>>,
    mut visit: impl FnMut(R),
    is_its: impl Fn(&R) -> bool,
) -> Result<(), CollectError> {
    while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, &is_its)) {
        visit(row?);
    }
    Ok(())
}
