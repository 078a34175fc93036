//! The advisory lock of an output: a second run of the job learns of the first, and does as `run.lock` says.
//!
//! It saves work and decides nothing: two drivers that both think they hold it make one state, by the commit log.

use std::thread;

use store::Created;

use crate::alive::Sign;
use crate::context::Context;
use crate::job::Lock;
use crate::progress::Event;
use crate::run::RunError;

/// Names the run that holds it.
const LOCK: &str = "_nabsak/lock";

/// The lock, or the knowledge that another run has it. Given back on drop.
pub(crate) struct Held<'a> {
    context: &'a Context<'a>,
    held: bool,
}

/// Takes the lock as the job says. A run that was told to stop while it waits comes back without it.
pub(crate) fn take<'a>(context: &'a Context<'a>) -> Result<Held<'a>, RunError> {
    let mut lock = Held {
        context,
        held: false,
    };
    let wish = context.job.run.lock;
    if wish == Lock::Off {
        return Ok(lock);
    }
    let mut told = None;
    while !context.cancelled() {
        let Some(other) = lock.attempt()? else {
            break;
        };
        if told.as_ref() != Some(&other.run) {
            say(context, wish, &other);
            told = Some(other.run.clone());
        }
        match wish {
            Lock::Stop => return Err(RunError::Busy(other.who())),
            Lock::Wait if context.deadline_came() => return Err(RunError::Busy(other.who())),
            Lock::Wait => {
                context.life.pulse();
                thread::sleep(context.life.patience());
            }
            Lock::Share | Lock::Off => {
                context.life.give_sign()?;
                context.life.keep_company();
                break;
            }
        }
    }
    if told.is_some() {
        context.output.refresh()?;
    }
    Ok(lock)
}

impl Held<'_> {
    /// Tries to take it; comes back with a run that is at work, whether that holds the lock or not.
    fn attempt(&mut self) -> Result<Option<Sign>, RunError> {
        let output = &self.context.output;
        let life = &self.context.life;
        if !self.held {
            if let Some(holder) = self.holder()? {
                if let Some(sign) = life.living(&holder)? {
                    return Ok(Some(sign));
                }
                tracing::warn!(
                    run = self.context.run,
                    holder,
                    "the run that held the lock is dead; what it had done is kept"
                );
                output.delete(LOCK)?;
            }
            // The sign stands before the lock: a lock without a sign is a dead run's.
            life.give_sign()?;
            let created = output.create(LOCK, self.context.run.clone().into())?;
            self.held =
                created == Created::Created || self.holder()?.as_ref() == Some(&self.context.run);
            if !self.held {
                // While it waits, it is not at work.
                life.take_back_sign();
                return self.attempt_again();
            }
        }
        Ok(life.drivers()?.into_iter().next())
    }

    /// Another run was quicker: it is the one to wait for.
    fn attempt_again(&self) -> Result<Option<Sign>, RunError> {
        match self.holder()? {
            Some(holder) => self.context.life.living(&holder),
            None => Ok(None),
        }
    }

    /// The run that has the lock.
    fn holder(&self) -> Result<Option<String>, RunError> {
        match self.context.output.get(LOCK) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.is_missing_object() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let ours = |holder: Option<String>| holder.as_ref() == Some(&self.context.run);
        if self.held
            && self.holder().is_ok_and(ours)
            && let Err(error) = self.context.output.delete(LOCK)
        {
            tracing::debug!(%error, "the lock stays");
        }
    }
}

fn say(context: &Context<'_>, wish: Lock, other: &Sign) {
    let who = other.who();
    let what = match wish {
        Lock::Wait => "waiting until it has ended",
        Lock::Stop => "stopping",
        Lock::Share | Lock::Off => "sharing its work; what it is at is left to it",
    };
    let text = format!("another run of this job is at work here: {who}; {what} (run.lock)");
    tracing::warn!(run = context.run, other = other.run, "{text}");
    context
        .options
        .progress
        .event(&Event::Warning { text: &text });
}
