//! What is no game, as a finding.

use archive::{ContainerError, UnreadableReason};
use replay::FindingCode;

/// The finding that a reason makes in a file of this name.
pub(crate) fn finding(reason: &UnreadableReason, name: &str) -> (FindingCode, String) {
    let reason = reason.clone().for_name(name);
    let message = match reason.advice() {
        Some(advice) => format!("{reason}; {advice}"),
        None => reason.to_string(),
    };
    (code_of(&reason), message)
}

fn code_of(reason: &UnreadableReason) -> FindingCode {
    match reason {
        UnreadableReason::NotGameText(_)
        | UnreadableReason::OtherDialect(_)
        | UnreadableReason::NoFile(_) => FindingCode::NotGameText,
        UnreadableReason::GameTooLarge { .. } => FindingCode::GameTooLarge,
        UnreadableReason::Container(ContainerError::Truncated { .. }) => {
            FindingCode::TruncatedInput
        }
        UnreadableReason::MemberName(_) => FindingCode::BrokenText,
        UnreadableReason::Empty => FindingCode::EmptyArchive,
        _ => FindingCode::UnreadableBytes,
    }
}
