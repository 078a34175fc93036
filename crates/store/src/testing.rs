//! For tests of this and of other crates (feature `testing`): the contract that every store keeps.

pub mod contract;
