//! For tests of this and of other crates (feature `testing`): the contract that every store keeps, a real S3
//! server, a network that breaks, and a service in trouble.

pub mod contract;
mod faulty;
mod proxy;
mod seaweed;

pub use faulty::{FaultProxy, Trouble};
pub use proxy::CuttingProxy;
pub(crate) use seaweed::keys;
pub use seaweed::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, SeaweedFs};
