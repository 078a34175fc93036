//! `verdicts`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::{Authority, Ending, GameResult};

row! {
    /// One row per game and rule set, where the job compares rule sets: what each makes of the game. Of a game the rule
    /// set that judges it comes first, then those compared, in the order of their names.
    pub struct VerdictRow in Table::Verdicts, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Rule set whose verdict this is.
        pub rule_set: Symbol,
        /// Whose text the rule set is.
        pub authority: Authority,
        /// It is the rule set that judges the game, with which the others are compared.
        pub judging: bool,
        /// Result on the board; null while the board is not over.
        pub result: Option<GameResult>,
        /// Ending on the board; null while the board is not over.
        pub ending: Option<Ending>,
        /// First ply after which the board is over; null while it is not.
        pub ply: Option<i32>,
        /// Declared ending that the board does not show, such as resignation or time; null if none is declared or the
        /// board was over before.
        pub declared_ending: Option<Ending>,
        /// Result that this rule set gives to the declared ending; null if there is none.
        pub declared_result: Option<GameResult>,
        /// First ply that this rule set does not allow, 0 if the start position; null if it allows all.
        pub refused_ply: Option<i32>,
        /// Why it does not allow it.
        pub refused_reason: Option<String>,
        /// Its verdict is that of the rule set that judges the game.
        pub agrees: bool,
        /// First ply at which the two part; null if they agree.
        pub differs_from_ply: Option<i32>,
        /// The one switch that explains the difference; null if they agree or no single switch does.
        pub switch: Option<Symbol>,
        /// The fewest switches found that explain it together, comma-separated; null if they agree or switches do not
        /// explain it.
        pub switches: Option<Symbol>,
    }
}
