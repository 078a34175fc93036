//! What a run does about an output that is not as its names say: another driver's clean-up took something, or a part is damaged.

use std::collections::BTreeSet;

use crate::context::Context;
use crate::driver::number_of;
use crate::run::RunError;

/// What was mended so far, so that nothing is mended twice in vain.
#[derive(Debug, Default)]
pub(crate) struct Mending {
    done: BTreeSet<String>,
}

impl Mending {
    /// Whether planning again helps against an error: then what stood in the way is gone from the names. Any other error comes back.
    ///
    /// - A part whose bytes are not those that its name promises is removed; its chunk is done again.
    /// - An object that should be there and is not was taken by another driver's clean-up, or by a hand. `base` is the commit that
    ///   was current.
    pub(crate) fn helps(
        &mut self,
        context: &Context<'_>,
        base: u64,
        error: RunError,
    ) -> Result<(), RunError> {
        if context.options.cancel.is_raised() {
            return Err(error);
        }
        match &error {
            RunError::Damaged { path, .. } if self.done.insert(path.clone()) => {
                tracing::warn!(run = context.run, path, %error, "removed: it is made anew");
                context.output.delete(path)?;
                context.output.refresh()?;
                Ok(())
            }
            missing if missing.is_missing_object() => {
                context.output.refresh()?;
                let overtaken = number_of(context.output.current()?.as_ref()) != base;
                if overtaken || self.done.insert(missing.to_string()) {
                    return Ok(());
                }
                Err(error)
            }
            _ => Err(error),
        }
    }
}
