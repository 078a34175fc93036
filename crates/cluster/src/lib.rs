//! The chunks of a run, and questions to a commit, done by the workers of a Ballista cluster.
//!
//! A stage's chunks go out in waves, each one job: an in-memory manifest of indices with one partition a chunk, and above it an
//! operator that does chunk `i` with [`pipeline::task`]. What is done stands in the store and nowhere else; the scheduler may forget
//! everything, workers may die or come back from the dead, and the next look at the store says what is left.
//!
//! This crate refuses to know what a chunk is.

mod address;
mod client;
mod codec;
mod driver;
mod error;
mod guard;
mod hands;
mod operator;
mod question;
mod scheduler;
mod stores;
mod worker;

pub use address::{Address, NotAnAddress};
pub use driver::Driver;
pub use error::ClusterError;
pub use question::ask;
pub use scheduler::{SchedulerSettings, run_scheduler};
pub use worker::{WorkerSettings, run_worker};
