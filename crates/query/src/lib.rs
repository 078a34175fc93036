//! SQL over the tables of one commit, read only.
//!
//! In come a [`store::Store`] and the part names of one commit; out comes an [`Answer`] that prints
//! itself. Nothing here knows how a commit is made, and nothing here writes: the statements that
//! DataFusion would let change anything are refused.
//!
//! A session sees exactly the parts it was given. A commit that appears meanwhile changes nothing
//! for it.

mod answer;
mod bridge;
mod session;

pub use answer::{Answer, Format};
pub use bridge::reader;
pub use session::{Part, Planned, QueryError, Session};
