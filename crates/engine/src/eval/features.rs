//! What the evaluation looks at, as numbered features: each has a weight for the middlegame and one for the endgame.
//!
//! The evaluation is their weighted sum, White's less Black's; so a tuner can learn the weights from games, and the
//! evaluation itself is this same code with a tally that adds weights up.

use rules::{Color, Position, Role, Square};

use super::mop_up::DARK;
use crate::board::{self, FILE_A};

/// Takes note of a feature.
pub(super) trait Tally {
    /// The feature is there so many times.
    fn add(&mut self, feature: usize, times: i32);
}

/// Worth of bia, met, khon, ma, rua.
pub(super) const MATERIAL: usize = 0;
/// A man of each role on each square, files mirrored: 4 files by 8 ranks.
pub(super) const SQUARE: usize = MATERIAL + 5;
/// Squares that a met reaches: not an own man's, not attacked by an enemy bia.
pub(super) const MET_REACH: usize = SQUARE + 6 * 32;
/// The same for khon.
pub(super) const KHON_REACH: usize = MET_REACH + 5;
/// The same for ma.
pub(super) const MA_REACH: usize = KHON_REACH + 6;
/// The same for rua.
pub(super) const RUA_REACH: usize = MA_REACH + 9;
/// A bia guarded by an own bia.
pub(super) const BIA_CHAIN: usize = RUA_REACH + 15;
/// Two own bia side by side.
pub(super) const BIA_PHALANX: usize = BIA_CHAIN + 1;
/// A bia with another own bia before it on its file.
pub(super) const BIA_DOUBLED: usize = BIA_PHALANX + 1;
/// A bia without own bia on the files beside it.
pub(super) const BIA_LONE: usize = BIA_DOUBLED + 1;
/// A bia that no enemy bia can stop, by its steps to promotion, 1 to 3.
pub(super) const BIA_PASSED: usize = BIA_LONE + 1;
/// A passed bia with an enemy man before it.
pub(super) const BIA_BLOCKED: usize = BIA_PASSED + 4;
/// A rua on a file without own bia; without any bia.
pub(super) const RUA_HALF_OPEN: usize = BIA_BLOCKED + 1;
/// See [`RUA_HALF_OPEN`].
pub(super) const RUA_OPEN: usize = RUA_HALF_OPEN + 1;
/// Two ma that guard one another (ma phuk).
pub(super) const MA_LINKED: usize = RUA_OPEN + 1;
/// Met and bia ngai on both square colours: together they can mate.
pub(super) const METS_YOKED: usize = MA_LINKED + 1;
/// A first-move right still alive.
pub(super) const LEAP_RIGHT: usize = METS_YOKED + 1;
/// A piece that an enemy bia attacks, by its role.
pub(super) const BIA_THREAT: usize = LEAP_RIGHT + 1;
/// A khon, ma or rua that a cheaper enemy piece attacks, by its role.
pub(super) const LESSER_THREAT: usize = BIA_THREAT + 5;
/// A man that is attacked and not guarded, by its role.
pub(super) const HANGING: usize = LESSER_THREAT + 5;
/// Own bia, mets and khon beside the khun: none to six.
pub(super) const SHELTER: usize = HANGING + 5;
/// How heavily the enemy khun is beset, in sixteen steps.
pub(super) const DANGER: usize = SHELTER + 7;
/// Nearness to the enemy khun of bia, met, khon, ma, rua: 0 to 6 each.
pub(super) const NEARNESS: usize = DANGER + 16;
/// Own men guarded by own bia, by role.
pub(super) const BIA_GUARD: usize = NEARNESS + 5;
/// How many features there are.
pub(super) const COUNT: usize = BIA_GUARD + 5;

/// What one man adds to the game phase.
const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
/// The phase of a full middlegame.
pub(super) const PHASE_FULL: i32 = 22;

/// 0 for bare khuns to [`PHASE_FULL`].
pub(super) fn phase(pos: &Position) -> i32 {
    let sum: i32 = Role::ALL
        .into_iter()
        .map(|role| PHASE[role as usize] * pos.role(role).len() as i32)
        .sum();
    sum.min(PHASE_FULL)
}

/// What each side attacks, found once for all features.
pub(super) struct Attacks {
    by_role: [[u64; 6]; 2],
    all: [u64; 2],
}

const PIECES: [Role; 4] = [Role::Met, Role::Khon, Role::Ma, Role::Rua];

impl Attacks {
    pub(super) fn of(pos: &Position) -> Attacks {
        let mut attacks = Attacks {
            by_role: [[0; 6]; 2],
            all: [0; 2],
        };
        for color in Color::ALL {
            let side = &mut attacks.by_role[color as usize];
            side[Role::Bia as usize] = board::bia_attacks(color, pos.of(color, Role::Bia).0);
            side[Role::Khun as usize] = board::khun(pos.khun(color).index());
            for role in PIECES {
                for sq in pos.of(color, role) {
                    side[role as usize] |=
                        board::attacks(role, color, sq.index(), pos.occupied().0);
                }
            }
            attacks.all[color as usize] = side.iter().fold(0, |all, attacked| all | attacked);
        }
        attacks
    }

    fn bia(&self, color: Color) -> u64 {
        self.by_role[color as usize][Role::Bia as usize]
    }

    /// Takes note of all features of one side.
    pub(super) fn note(&self, pos: &Position, color: Color, tally: &mut impl Tally) {
        self.note_bia(pos, color, tally);
        let mut siege = self.note_pieces(pos, color, tally);
        let ring = board::khun(pos.khun(!color).index());
        if self.bia(color) & ring != 0 {
            siege += 1;
        }
        let guards = self.by_role[!color as usize][..5]
            .iter()
            .fold(0, |all, attacked| all | attacked);
        siege += (ring & self.all[color as usize] & !guards).count_ones() as usize;
        tally.add(DANGER + siege.min(15), 1);
        self.note_khun(pos, color, tally);
        self.note_threats(pos, color, tally);
        note_pairs(pos, color, tally);
    }

    fn note_bia(&self, pos: &Position, color: Color, tally: &mut impl Tally) {
        let own = pos.of(color, Role::Bia).0;
        let enemy = pos.of(!color, Role::Bia).0;
        tally.add(BIA_CHAIN, (own & self.bia(color)).count_ones() as i32);
        tally.add(
            BIA_PHALANX,
            (own & (own << 1) & !FILE_A).count_ones() as i32,
        );
        let hunted = pos.khun(!color);
        for at in pos.of(color, Role::Bia) {
            let sq = at.index();
            let rank = relative_rank(sq, color);
            tally.add(MATERIAL, 1);
            tally.add(SQUARE + square(sq, color), 1);
            tally.add(NEARNESS, nearness(at, hunted));
            if board::ahead(color, sq) & own != 0 {
                tally.add(BIA_DOUBLED, 1);
            }
            if board::files_beside(sq) & own == 0 {
                tally.add(BIA_LONE, 1);
            }
            if enemy & board::stoppers(color, sq) == 0 && (2..=4).contains(&rank) {
                tally.add(BIA_PASSED + 5 - rank, 1);
                let next = if color == Color::White {
                    sq + 8
                } else {
                    sq - 8
                };
                if pos.men(!color).0 & 1 << next != 0 {
                    tally.add(BIA_BLOCKED, 1);
                }
            }
        }
    }

    /// Pieces one by one; gives their weight in the siege of the enemy khun.
    fn note_pieces(&self, pos: &Position, color: Color, tally: &mut impl Tally) -> usize {
        let hunted = pos.khun(!color);
        let ring = board::khun(hunted.index()) | 1 << hunted.index();
        let free = !pos.men(color).0 & !self.bia(!color);
        let mut siege = 0;
        for role in PIECES {
            let (reach, weight) = match role {
                Role::Met => (MET_REACH, 1),
                Role::Khon => (KHON_REACH, 2),
                Role::Ma => (MA_REACH, 2),
                _ => (RUA_REACH, 3),
            };
            for at in pos.of(color, role) {
                let sq = at.index();
                let attacked = board::attacks(role, color, sq, pos.occupied().0);
                tally.add(MATERIAL + role as usize, 1);
                tally.add(SQUARE + role as usize * 32 + square(sq, color), 1);
                tally.add(reach + (attacked & free).count_ones() as usize, 1);
                tally.add(NEARNESS + role as usize, nearness(at, hunted));
                if attacked & ring != 0 {
                    siege += weight;
                }
                if role == Role::Rua {
                    note_file(pos, color, sq, tally);
                }
            }
        }
        siege
    }

    fn note_khun(&self, pos: &Position, color: Color, tally: &mut impl Tally) {
        let sq = pos.khun(color).index();
        tally.add(SQUARE + Role::Khun as usize * 32 + square(sq, color), 1);
        let guards =
            pos.of(color, Role::Bia) | pos.of(color, Role::Met) | pos.of(color, Role::Khon);
        tally.add(
            SHELTER + ((board::khun(sq) & guards.0).count_ones() as usize).min(6),
            1,
        );
    }

    fn note_threats(&self, pos: &Position, color: Color, tally: &mut impl Tally) {
        let enemy = &self.by_role[!color as usize];
        let light = enemy[Role::Met as usize];
        let middling = light | enemy[Role::Khon as usize] | enemy[Role::Ma as usize];
        let loose = self.all[!color as usize] & !self.all[color as usize];
        for role in [Role::Bia, Role::Met, Role::Khon, Role::Ma, Role::Rua] {
            let men = pos.of(color, role).0;
            let number = |squares: u64| (men & squares).count_ones() as i32;
            tally.add(HANGING + role as usize, number(loose));
            if role == Role::Bia {
                continue;
            }
            tally.add(BIA_THREAT + role as usize, number(self.bia(!color)));
            tally.add(BIA_GUARD + role as usize, number(self.bia(color)));
            match role {
                Role::Khon | Role::Ma => tally.add(
                    LESSER_THREAT + role as usize,
                    number(light & !self.bia(!color)),
                ),
                Role::Rua => tally.add(
                    LESSER_THREAT + role as usize,
                    number(middling & !self.bia(!color)),
                ),
                _ => {}
            }
        }
    }
}

fn note_file(pos: &Position, color: Color, sq: usize, tally: &mut impl Tally) {
    let file = FILE_A << (sq % 8);
    if pos.of(color, Role::Bia).0 & file == 0 {
        let open = pos.of(!color, Role::Bia).0 & file == 0;
        tally.add(if open { RUA_OPEN } else { RUA_HALF_OPEN }, 1);
    }
}

/// Men that work together.
fn note_pairs(pos: &Position, color: Color, tally: &mut impl Tally) {
    let ma = pos.of(color, Role::Ma).0;
    if ma.count_ones() == 2 && board::ma(ma.trailing_zeros() as usize) & ma != 0 {
        tally.add(MA_LINKED, 1);
    }
    let mets = pos.of(color, Role::Met).0;
    if mets & DARK != 0 && mets & !DARK != 0 {
        tally.add(METS_YOKED, 1);
    }
    if !pos.rights().is_empty() {
        tally.add(LEAP_RIGHT, board::leap_rights(pos, color));
    }
}

/// 0 for White's first rank and Black's eighth, up to 7.
fn relative_rank(sq: usize, color: Color) -> usize {
    if color == Color::White {
        sq / 8
    } else {
        7 - sq / 8
    }
}

/// A square's number among 32: ranks from the own side, files from the rim.
fn square(sq: usize, color: Color) -> usize {
    let file = sq % 8;
    relative_rank(sq, color) * 4 + file.min(7 - file)
}

/// 6 beside the khun, 0 across the board.
fn nearness(a: Square, b: Square) -> i32 {
    let files = (i32::from(a.file()) - i32::from(b.file())).abs();
    let ranks = (i32::from(a.rank()) - i32::from(b.rank())).abs();
    7 - files.max(ranks)
}
