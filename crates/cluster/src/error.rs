//! Why a cluster does not do what it should.

use std::time::Duration;

use crate::address::Address;

/// Why a cluster does not do what it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The scheduler is of another build (exit status 2).
    #[error("{0}")]
    OtherBuild(String),
    /// An address beyond loopback, and nobody said that this is meant (exit status 2).
    #[error(
        "refusing to bind {0}: the cluster's ports have neither encryption nor passwords, and whoever reaches them can run work and read \
         files as this user. Bind 127.0.0.1, or say --insecure-network if only machines that you trust reach this address"
    )]
    OpenNetwork(String),
    /// The query cannot be asked this way (exit status 2).
    #[error("{0}")]
    Question(String),
    /// No scheduler answers.
    #[error("no scheduler answers at {address} ({reason}), tried for {} s. `nabsak cluster scheduler` starts one", patience.as_secs())]
    NoScheduler {
        /// Where.
        address: Address,
        /// What the last try met.
        reason: String,
        /// For how long it was tried.
        patience: Duration,
    },
    /// A scheduler without workers.
    #[error("the scheduler at {address} has no worker, for {} s now. `nabsak-worker cluster {address}` starts one", patience.as_secs())]
    NoWorkers {
        /// The scheduler's.
        address: Address,
        /// For how long there was none.
        patience: Duration,
    },
    /// The cluster's work failed.
    #[error("{0}")]
    Failed(String),
    /// A port, a thread or a folder cannot be had.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// The system's error.
        source: std::io::Error,
    },
}

impl ClusterError {
    /// The process's exit status: 2 wrong usage, 5 a service failed.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            ClusterError::OtherBuild(_)
            | ClusterError::OpenNetwork(_)
            | ClusterError::Question(_) => 2,
            _ => 5,
        }
    }

    pub(crate) fn io(doing: &str, source: std::io::Error) -> ClusterError {
        ClusterError::Io {
            doing: doing.to_owned(),
            source,
        }
    }
}
