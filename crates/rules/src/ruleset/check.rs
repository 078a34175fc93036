//! Switches that contradict each other.

use super::Ruleset;
use super::file::Values;
use super::switches::{
    BoardTrigger, BoardWho, CountEnd, CountStart, KingLeap, MetLeap, RookLoss, Sutra, Variant,
};
use crate::{Position, Role, Square};

/// Why these values cannot stand together, if they cannot.
pub(super) fn contradiction(variant: Variant, v: &Values) -> Option<String> {
    let leaps = v.king_leap != KingLeap::None || v.met_leap != MetLeap::None;
    let rights = leaps || !v.sutras.is_empty();
    let auto_board = v.board_start == CountStart::Auto;
    let mut sutras = v.sutras.clone();
    sutras.sort_unstable();
    sutras.dedup();
    let rules: [(bool, &str); 16] = [
        (
            v.king_leap == KingLeap::None && v.king_rook_loss != RookLoss::None,
            "king_rook_loss takes away a right that king_leap = none does not give",
        ),
        (
            !rights && v.leap_until_capture,
            "leap_until_capture ends rights, but there are none",
        ),
        (
            !rights && v.rep_rights,
            "rep_rights makes rights part of the position, but there are none",
        ),
        (
            v.first_check_wins != (variant == Variant::KarOuk),
            "first_check_wins is the rule of variant kar-ouk and of no other",
        ),
        (
            v.board_who == BoardWho::Le3 && v.board_trigger != BoardTrigger::Le3,
            "board_who = le3 needs board_trigger = le3",
        ),
        (
            auto_board && matches!(v.board_who, BoardWho::Weaker | BoardWho::Armed),
            "board_start = auto needs a counting side that the board shows: board_who = to_move or le3",
        ),
        (
            !auto_board && v.board_who == BoardWho::ToMove,
            "board_who = to_move names the side to move when the count starts by itself, but board_start = manual",
        ),
        (
            auto_board && v.board_stop,
            "board_stop contradicts board_start = auto: a stopped count would start again at once",
        ),
        (
            v.pieces_start == CountStart::Auto && v.pieces_restart,
            "pieces_restart contradicts pieces_start = auto",
        ),
        (
            v.board_limit.0 == 0 || v.board_limit.0 > 1000,
            "board_limit must be between 1 and 1000 full moves",
        ),
        (
            v.board_limit.0 == 1 && v.board_end == CountEnd::Reach,
            "board_limit = 1 with board_end = reach: the first number said would be the draw",
        ),
        (v.snn.0 != 32 && v.snn.0 != 44, "snn must be 32 or 44"),
        (
            v.sutras.contains(&Sutra::Khun) && v.king_leap == KingLeap::None,
            "sutras has khun, but king_leap = none",
        ),
        (
            v.sutras.contains(&Sutra::Met) && v.met_leap != MetLeap::None,
            "sutras has met, but met_leap gives the met another first move by the same right",
        ),
        (
            v.first_check_wins && !v.sutras.is_empty(),
            "sutras belong to makruk, first_check_wins to kar ouk",
        ),
        (sutras.len() != v.sutras.len(), "sutras names one twice"),
    ];
    rules
        .iter()
        .find(|(wrong, _)| *wrong)
        .map(|(_, reason)| (*reason).to_owned())
}

/// A first move that the rule set gives to men who stand at home, while its start claims no right to it for any of them.
pub(super) fn unclaimed(start: &Position, rules: &Ruleset) -> Option<String> {
    let moves = rules.move_rules();
    [Role::Khun, Role::Met, Role::Ma].into_iter().find_map(|role| {
        let homes = Square::ALL.into_iter().filter(|&home| {
            let given = moves.right_holder(home) == Some(role);
            given && start.role_at(home) == Some(role) && !start.promoted().contains(home)
        });
        let mut homes = homes.peekable();
        let home = *homes.peek()?;
        let none = homes.all(|home| !start.rights().has(home));
        none.then(|| {
            format!("a switch gives the man on {home} a first move, but the rights of [start] do not")
        })
    })
}
