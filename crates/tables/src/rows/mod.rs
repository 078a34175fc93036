//! The rows: one plain struct per table, each the only place in code where its columns are listed.

mod archive;
mod game;
mod ply;
mod finding;
mod count;
mod evaluation;
mod player;
mod game_opening;
mod count_rate;
mod opening;
mod formation;
mod run;

pub use archive::ArchiveRow;
pub use game::GameRow;
pub use ply::PlyRow;
pub use finding::FindingRow;
pub use count::CountRow;
pub use evaluation::EvaluationRow;
pub use player::PlayerRow;
pub use game_opening::GameOpeningRow;
pub use count_rate::CountRateRow;
pub use opening::OpeningRow;
pub use formation::FormationRow;
pub use run::RunRow;
