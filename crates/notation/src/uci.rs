//! UCI moves: from and to squares, `m` for a promotion. Leaps are plain (RULES 7).

use rules::{LegalMove, ParseUciError, Position, UciMove};
use thiserror::Error;

/// Why a text is no move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciError {
    /// It has not the form of a UCI move.
    #[error("`{0}`: {1}")]
    Form(String, ParseUciError),
    /// No legal move is written so.
    #[error("{0} is not legal here")]
    Illegal(UciMove),
}

/// Reads a move exactly: the promotion letter must stand where a bia promotes and nowhere else.
///
/// # Errors
///
/// [`UciError`] with the text or the wish.
pub fn parse(text: &str, position: &Position) -> Result<LegalMove, UciError> {
    let wish: UciMove = text
        .parse()
        .map_err(|error| UciError::Form(text.chars().take(16).collect(), error))?;
    position.resolve(wish).ok_or(UciError::Illegal(wish))
}

/// Writes a move.
#[must_use]
pub fn write(mv: LegalMove) -> String {
    mv.to_string()
}
