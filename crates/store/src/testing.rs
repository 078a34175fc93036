//! For tests of this and of other crates (feature `testing`): the contract that every store keeps, a real S3
//! server, and a network that breaks.

pub mod contract;
mod proxy;
mod seaweed;

pub use proxy::CuttingProxy;
pub(crate) use seaweed::keys;
pub use seaweed::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, SeaweedFs};
