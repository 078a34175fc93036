//! The rows: one plain struct per table, each the only place in code where its columns are listed.

mod archive;
mod count;
mod count_rate;
mod duplicate;
mod evaluation;
mod finding;
mod formation;
mod game;
mod game_opening;
mod opening;
mod player;
mod ply;
mod run;
mod verdict;

pub use archive::ArchiveRow;
pub use count::CountRow;
pub use count_rate::CountRateRow;
pub use duplicate::DuplicateRow;
pub use evaluation::EvaluationRow;
pub use finding::FindingRow;
pub use formation::FormationRow;
pub use game::GameRow;
pub use game_opening::GameOpeningRow;
pub use opening::OpeningRow;
pub use player::PlayerRow;
pub use ply::PlyRow;
pub use run::RunRow;
pub use verdict::VerdictRow;
