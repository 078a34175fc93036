//! Check marks: as they are written, and as the board has them.

use notation::read::CheckMark;
use rules::{Ended, Ending, Line};

use crate::endings::leaves_no_move;

/// The sign of a check mark.
pub(super) fn sign_of(mark: CheckMark) -> Option<u8> {
    match mark {
        CheckMark::None => None,
        CheckMark::Check => Some(b'+'),
        CheckMark::Mate => Some(b'#'),
    }
}

/// The sign of a check or mate that the board shows.
#[inline]
pub(super) fn check_sign(line: &Line) -> Option<u8> {
    let over = |line: &Line| {
        let ending = line.current_ending();
        ending.is_some_and(|(ending, _)| leaves_no_move(ending))
    };
    line.in_check()
        .then(|| if over(line) { b'#' } else { b'+' })
}

/// Whether a check mark says what the board shows. Kar ouk's winning check bears `#` in some dialects, `+` in others.
pub(super) fn mark_is_right(mark: CheckMark, shown: Option<u8>, ended: Option<Ended>) -> bool {
    if matches!(
        ended,
        Some(Ended {
            ending: Ending::FirstCheck,
            ..
        })
    ) {
        return mark != CheckMark::None;
    }
    match mark {
        CheckMark::None => !matches!(shown, Some(b'+' | b'#')),
        CheckMark::Check => shown == Some(b'+'),
        CheckMark::Mate => shown == Some(b'#'),
    }
}

/// The check mark of a token that was settled by what follows it.
pub(super) fn mark_of(token: &str) -> CheckMark {
    match token.trim_end_matches(['!', '?']).as_bytes().last() {
        Some(b'#') => CheckMark::Mate,
        Some(b'+') => CheckMark::Check,
        _ => CheckMark::None,
    }
}
