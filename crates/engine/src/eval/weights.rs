//! Every number of the evaluation, in hundredths of a bia.
//!
//! The scale follows what players say (bia 1, met 2, khon 3, ma 3 to 4, rua 6); the rest is set by hand and kept in one
//! file so that a tuner can rewrite it.

use super::pair::{Pair, p};

/// Worth of a man by role: bia, met, khon, ma, rua, khun.
pub(crate) const MATERIAL: [Pair; 6] = [p(75, 110), p(175, 185), p(285, 270), p(350, 345), p(590, 640), p(0, 0)];

/// What one man adds to the game phase: 24 or more is a full middlegame.
pub(crate) const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
/// The phase of a full middlegame.
pub(crate) const PHASE_FULL: i32 = 22;

/// A bia by its rank (White's view); it never stands on a rank beyond the fifth.
pub(crate) const BIA_RANK: [Pair; 8] =
    [p(0, 0), p(0, 0), p(0, 0), p(8, 8), p(22, 34), p(30, 60), p(30, 60), p(0, 0)];
/// A bia on the files towards the middle.
pub(crate) const BIA_FILE: [i32; 8] = [-4, 0, 4, 8, 8, 4, 0, -4];
/// A bia that an own bia guards.
pub(crate) const BIA_CHAIN: Pair = p(9, 9);
/// Two own bia side by side.
pub(crate) const BIA_PHALANX: Pair = p(4, 5);
/// A bia that no enemy bia can stop, by the steps it has to go (index 1 to 3).
pub(crate) const BIA_PASSED: [Pair; 4] = [p(0, 0), p(40, 75), p(18, 40), p(6, 16)];
/// A passed bia whose next square is taken by an enemy man.
pub(crate) const BIA_BLOCKED: Pair = p(-10, -18);

/// By how central a square is (0 rim to 3 middle), for met, khon, ma, rua.
pub(crate) const MET_CENTRE: Pair = p(4, 4);
/// See [`MET_CENTRE`].
pub(crate) const KHON_CENTRE: Pair = p(5, 4);
/// See [`MET_CENTRE`].
pub(crate) const MA_CENTRE: Pair = p(10, 8);
/// See [`MET_CENTRE`].
pub(crate) const RUA_CENTRE: Pair = p(2, 1);
/// The khun walks to the middle when few men are left.
pub(crate) const KHUN_CENTRE: Pair = p(-6, 12);
/// The khun by its rank: it is safest behind the bia.
pub(crate) const KHUN_RANK: [Pair; 8] =
    [p(2, -6), p(8, 0), p(-12, 4), p(-40, 6), p(-70, 6), p(-90, 6), p(-100, 4), p(-100, 0)];
/// A met is slow: it must come forward to count.
pub(crate) const MET_RANK: [i32; 8] = [-6, 0, 5, 9, 9, 6, 2, -2];
/// So must a khon.
pub(crate) const KHON_RANK: [i32; 8] = [-8, 0, 7, 13, 13, 9, 3, -4];

/// A move more, over what a man of that role has on average: khon, ma, rua.
pub(crate) const KHON_MOBILITY: Pair = p(3, 4);
/// See [`KHON_MOBILITY`].
pub(crate) const MA_MOBILITY: Pair = p(5, 5);
/// See [`KHON_MOBILITY`].
pub(crate) const RUA_MOBILITY: Pair = p(3, 5);
/// A rua on a file without own bia.
pub(crate) const RUA_HALF_OPEN: Pair = p(12, 8);
/// A rua on a file without any bia.
pub(crate) const RUA_OPEN: Pair = p(22, 12);
/// Two ma that guard one another (ma phuk).
pub(crate) const MA_LINKED: Pair = p(8, 4);
/// Met and bia ngai on both square colours: together they can mate.
pub(crate) const METS_YOKED: Pair = p(6, 18);

/// An own piece that an enemy bia attacks.
pub(crate) const BIA_THREAT: Pair = p(-42, -36);
/// An own piece that a cheaper enemy piece attacks.
pub(crate) const LESSER_THREAT: Pair = p(-26, -24);
/// An own man that is attacked and not guarded.
pub(crate) const HANGING: Pair = p(-16, -18);

/// Weight of an attacker near the khun by role.
pub(crate) const KHUN_ATTACKER: [i32; 6] = [6, 10, 17, 20, 22, 0];
/// Weight of a square beside the khun that is attacked and not guarded.
pub(crate) const KHUN_WEAK_SQUARE: i32 = 9;
/// An own bia, met or khon beside the khun.
pub(crate) const KHUN_SHELTER: Pair = p(7, 0);
/// The attack on a khun is worth the square of its weight over this, in the middlegame.
pub(crate) const KHUN_DANGER_DIVISOR: i32 = 36;
/// But not more than this.
pub(crate) const KHUN_DANGER_MOST: i32 = 260;

/// The right to move.
pub(crate) const TEMPO: i32 = 12;
/// A leap right still alive (ouk), khun and met alike.
pub(crate) const LEAP_RIGHT: Pair = p(6, 0);
