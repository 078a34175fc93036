//! `evaluations`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::{Class, Color, Phase};

row! {
    /// One row per analysed ply: the position before it, the engine's choice and what the played move
    /// cost.
    pub struct EvaluationRow in Table::Evaluations, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// The ply that was played from the position, 1 is the first.
        pub ply: i32,
        /// Who moved.
        pub side: Color,
        /// Score of the position before the ply with best play, White's view; null if it is a mate.
        pub score_cp: Option<i32>,
        /// Mate distance before the ply with best play, positive if White mates; null if no mate was seen.
        pub mate_in: Option<i32>,
        /// Score of the played move from the same root, White's view; null if it is a mate.
        pub played_cp: Option<i32>,
        /// Mate distance of the played move from the same root, positive if White mates.
        pub played_mate_in: Option<i32>,
        /// The engine's choice, UCI.
        pub best_uci: String,
        /// The played move is the engine's choice.
        pub is_best: bool,
        /// The engine's line, UCI, space-separated, its choice first.
        pub pv: String,
        /// Nodes searched.
        pub nodes: i64,
        /// Last complete depth.
        pub depth: i32,
        /// Mover's win chance before the ply with best play, by the curve of the column curve.
        pub win_before: f64,
        /// Mover's win chance after the played move.
        pub win_after: f64,
        /// What the played move cost the mover, scores clamped to +-1000, never negative.
        pub loss_cp: i32,
        /// Accuracy of the move.
        pub accuracy: f64,
        /// Judgement of the move. Best if it is the engine's choice or no worse. Mates go by the score without the mate,
        /// seen by the mover: allowing a mate or losing one's own is an inaccuracy if the game was decided that way by
        /// 1000 cp or more, a mistake if by more than 700, else a blunder, however small the loss of win chance. A mate turned
        /// into being mated is a blunder, a mate that takes longer is good. All others go by the loss of win chance.
        pub class: Class,
        /// Phase of the game at the position before the ply.
        pub phase: Phase,
        /// Name and version of the win curve, provisional while it is not fitted on makruk.
        pub curve: Symbol,
        /// Identity of the engine: code version and settings.
        pub engine_id: Symbol,
    }
}
