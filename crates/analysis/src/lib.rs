//! Scores to win chance, accuracy, classes, openings and statistics.
//!
//! In: plain facts of one game (who moved, what an engine said about the move from White's view, what the clock
//! said, how the men stood) or of many games (results, ratings, counts). Out: an [`AnalysedGame`], or the rows of
//! the accumulators [`CountRates`], [`Openings`], [`Formations`] and [`Players`].
//!
//! Pure functions: no files, no clock, no engine and no legality are known here. Whatever is stored is computed
//! with `libm` or with integers, so that one release gives the same bytes on every run; the accumulators sum
//! integers, divide once at the end, and do not care in which order games arrive.
//!
//! ```
//! use analysis::{Class, Eval, Loss, WinCurve};
//! use rules::Color;
//!
//! let loss = Loss { before: Eval::Cp(40), after: Eval::Cp(-320), played_best: false };
//! assert_eq!(loss.class(&WinCurve::PROVISIONAL, Color::White), Class::Blunder);
//! ```

mod accuracy;
mod band;
mod board;
mod class;
mod clock;
mod count_rates;
mod curve;
mod duplicates;
mod formation;
mod formations;
mod game;
mod interval;
mod openings;
mod performance;
mod phase;
mod players;
mod tally;

pub use accuracy::{game_accuracy, move_accuracy};
pub use band::{Rating, RatingBand};
pub use board::{Board, Men, board_of};
pub use class::{Class, ClassCounts, Loss};
pub use clock::{ClockUse, MoveClock, clock_use};
pub use count_rates::{
    CountDraw, CountGame, CountRate, CountRateKey, CountRates, Exclusion, LeftOut, Share,
};
pub use curve::{Eval, START_CP, WinCurve};
pub use duplicates::{
    Duplicate, DuplicateClass, DuplicateLimits, GameRecord, GameRecords, duplicates, player_name,
};
pub use formation::{Formation, FormationBook, FormationBookError, FormationName, GameFormations};
pub use formations::{FormationKey, FormationRow, FormationSeen, Formations};
pub use game::{AnalysedGame, Assessed, Evaluation, GameInput, PlayerFigures, PlyInput, analyse};
pub use interval::{Interval, wilson};
pub use openings::{OpeningGame, OpeningKey, OpeningPly, OpeningRow, Openings};
pub use performance::{dp_for_share, performance};
pub use phase::{Divider, Phase};
pub use players::{Judged, PlayerKey, PlayerMove, PlayerRow, Players};
pub use tally::{Outcome, Tally};
