//! Which of several legal moves was meant: the one after which the rest of the game is legal.

use archive::TokenKind;
use notation::read::{Matched, match_among};
use rules::{LegalMove, Position};

use super::Walk;

impl Walk<'_> {
    /// Of several legal moves, the only one after which the rest of the game is legal.
    pub(super) fn settle(
        &mut self,
        index: usize,
        position: &Position,
        moves: &[LegalMove],
    ) -> Option<LegalMove> {
        let mut alive = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut after = *position;
            after.play(mv);
            if self.goes_on(index + 1, after) {
                alive.push(mv);
            }
        }
        let [first] = *alive.as_slice() else {
            return None;
        };
        if self.lookahead == 0 {
            return None;
        }
        // A move that nothing follows is not proved by what follows.
        self.raw.tokens[index + 1..]
            .iter()
            .any(|token| token.kind == TokenKind::Move)
            .then_some(first)
    }

    /// Whether the moves from a token on can all be legal after `position`, whichever way a later one of several
    /// readings is taken. A missing move, or looking ahead that gets too dear, leaves the answer yes: not refuted.
    fn goes_on(&mut self, from: usize, position: Position) -> bool {
        let raw = self.raw;
        let mut open = vec![(from, position)];
        while let Some((from, mut position)) = open.pop() {
            let mut refuted = false;
            for (index, token) in raw.tokens.iter().enumerate().skip(from) {
                match token.kind {
                    TokenKind::Move => {}
                    TokenKind::Gap => return true,
                    _ => continue,
                }
                if self.lookahead == 0 {
                    return true;
                }
                self.lookahead -= 1;
                let legal = position.legal_moves();
                match match_among(&raw.text(token), &self.letters, &position, &legal) {
                    Matched::One(found) => position.play(found.mv),
                    Matched::Many(moves) => {
                        open.extend(moves.into_iter().map(|mv| {
                            let mut after = position;
                            after.play(mv);
                            (index + 1, after)
                        }));
                        refuted = true;
                        break;
                    }
                    Matched::None(_) => {
                        refuted = position.has_legal_move();
                        break;
                    }
                }
            }
            if !refuted {
                return true;
            }
        }
        false
    }
}
