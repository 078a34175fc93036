//! One run, from plan to commit.

use crate::job::Job;
use crate::outcome::RunOutcome;
use crate::run::{RunError, RunOptions};

pub(crate) fn run(_job: &Job, _options: &RunOptions) -> Result<RunOutcome, RunError> {
    Err(RunError::Usage(
        "running comes with the next commits".to_owned(),
    ))
}
