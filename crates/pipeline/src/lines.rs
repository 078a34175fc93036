//! Rows of `games` back to lines of play: the later stages never read the archive again.

use rules::{CountCommand, LegalMove, Line, UciMove};
use tables::{Hex, Symbol, Table};

use crate::chunk::Halt;
use crate::rulebook::Rulebook;

tables::row! {
    /// What rebuilds a game's line.
    pub struct GameLine in Table::Games, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Who judged it.
        pub rule_set: Option<Symbol>,
        /// What became of it.
        pub status: tables::Status,
        /// Where it starts.
        pub start_fen: Option<String>,
        /// Its moves.
        pub moves: String,
        /// Count commands.
        pub count_commands: Option<String>,
    }
}

/// What [`walk`] needs of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineOf<'a> {
    pub(crate) game_id: Hex<16>,
    pub(crate) rule_set: &'a str,
    pub(crate) start_fen: &'a str,
    pub(crate) moves: &'a str,
    pub(crate) count_commands: &'a str,
}

impl GameLine {
    /// The line of an accepted game.
    pub(crate) fn line(&self) -> Option<LineOf<'_>> {
        accepted(self.status).then_some(())?;
        Some(LineOf {
            game_id: self.game_id,
            rule_set: self.rule_set.as_deref()?,
            start_fen: self.start_fen.as_deref()?,
            moves: &self.moves,
            count_commands: self.count_commands.as_deref().unwrap_or(""),
        })
    }
}

/// The line of an accepted game.
pub(crate) fn line_of(game: &tables::GameRow) -> Option<LineOf<'_>> {
    accepted(game.status).then_some(())?;
    Some(LineOf {
        game_id: game.game_id,
        rule_set: game.rule_set.as_deref()?,
        start_fen: game.start_fen.as_deref()?,
        moves: &game.moves,
        count_commands: game.count_commands.as_deref().unwrap_or(""),
    })
}

pub(crate) fn accepted(status: tables::Status) -> bool {
    status == tables::Status::Accepted
}

/// Plays a game through: `visit` sees the line before each move, and the move. Gives the line after the last one.
///
/// # Errors
/// [`Halt::Failed`] where the row does not give a line, which is a fault of this program or of who changed the part; else what
/// `visit` gives.
pub(crate) fn walk(
    rulebook: &Rulebook,
    game: LineOf<'_>,
    mut visit: impl FnMut(&Line, LegalMove) -> Result<(), Halt>,
) -> Result<Line, Halt> {
    let fault = |what: &str| Halt::Failed(format!("game {}: {what}", game.game_id));
    let rules = rulebook
        .rule_set(game.rule_set)
        .ok_or_else(|| fault("its rule set is not known"))?;
    let start =
        notation::fen::parse(game.start_fen, &rules).map_err(|error| fault(&error.to_string()))?;
    let mut line = Line::new(&rules, start.position, start.count_state);
    let mut commands = commands(game.count_commands).peekable();
    for (index, text) in game.moves.split_ascii_whitespace().enumerate() {
        while let Some((_, command)) = commands.next_if(|(ply, _)| *ply == index + 1) {
            line.command(command)
                .map_err(|error| fault(&error.to_string()))?;
        }
        let wish: UciMove = text.parse().map_err(|_| fault("a move is not in UCI"))?;
        let mv = line
            .position()
            .resolve(wish)
            .ok_or_else(|| fault("a move is not legal"))?;
        visit(&line, mv)?;
        line.push(mv);
    }
    Ok(line)
}

/// `41w+ 97w-`: ply before which, side, start or stop.
fn commands(text: &str) -> impl Iterator<Item = (usize, CountCommand)> {
    text.split_ascii_whitespace().filter_map(|word| {
        let command = if word.ends_with('+') {
            CountCommand::Start
        } else {
            CountCommand::Stop
        };
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok().map(|ply| (ply, command))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let read: Vec<_> = commands("41w+ 97w-").collect();
        assert_eq!(read, [(41, CountCommand::Start), (97, CountCommand::Stop)]);
        assert_eq!(commands("").count(), 0);
    }
}
