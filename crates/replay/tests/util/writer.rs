//! Random legal games, written in the letters of each dialect.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::sync::Arc;

use notation::san;
use rules::{LegalMove, Line, MoveKind, Position, Role, Ruleset};

/// A small generator of random numbers; the same seed gives the same games.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A random game: captures and bia moves come more often, so that men promote and go.
pub fn random_game(rules: &Arc<Ruleset>, plies: usize, random: &mut Random) -> Vec<LegalMove> {
    let mut line = Line::from_start(rules);
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = line.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let lively: Vec<LegalMove> = legal
            .iter()
            .copied()
            .filter(|&mv| {
                line.position().is_capture(mv) || mv.is_promotion() || mv.kind() != MoveKind::Normal
            })
            .collect();
        let pick = if !lively.is_empty() && random.below(3) == 0 {
            &lively[..]
        } else {
            &legal[..]
        };
        let mv = pick[random.below(pick.len())];
        line.push(mv);
        moves.push(mv);
    }
    moves
}

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Standard,
    PlayOk,
    Uci,
    Long,
}

impl Style {
    pub const ALL: [Style; 4] = [Style::Standard, Style::PlayOk, Style::Uci, Style::Long];

    pub fn write(self, position: &Position, mv: LegalMove) -> String {
        match self {
            Style::Standard => san::write(position, mv),
            Style::Uci => mv.to_string(),
            Style::Long => long(position, mv),
            Style::PlayOk => playok(position, mv),
        }
    }
}

fn long(position: &Position, mv: LegalMove) -> String {
    let role = position.role_at(mv.from()).unwrap();
    let letter = if role == Role::Bia {
        String::new()
    } else {
        role.letter().to_string()
    };
    let between = if position.is_capture(mv) { 'x' } else { '-' };
    let promotion = if mv.is_promotion() { "=M" } else { "" };
    format!("{letter}{}{between}{}{promotion}", mv.from(), mv.to())
}

fn playok(position: &Position, mv: LegalMove) -> String {
    let letter = |mv: LegalMove| {
        let man = position.man_at(mv.from()).unwrap();
        match (man.role, man.promoted) {
            (Role::Bia, _) => "",
            (Role::Met, true) => "P",
            (Role::Met, false) => "Q",
            (Role::Khon, _) => "B",
            (Role::Ma, _) => "N",
            (Role::Rua, _) => "R",
            (Role::Khun, _) => "K",
        }
    };
    let mine = letter(mv);
    let legal = position.legal_moves();
    let rivals: Vec<LegalMove> = legal
        .iter()
        .copied()
        .filter(|rival| {
            rival.to() == mv.to() && rival.from() != mv.from() && letter(*rival) == mine
        })
        .collect();
    let (file, rank) = (&mv.from().to_string()[..1], &mv.from().to_string()[1..]);
    let capture = position.is_capture(mv);
    let origin = if mine.is_empty() {
        if capture {
            file.to_owned()
        } else {
            String::new()
        }
    } else if rivals.is_empty() {
        String::new()
    } else if rivals
        .iter()
        .all(|rival| rival.from().file() != mv.from().file())
    {
        file.to_owned()
    } else if rivals
        .iter()
        .all(|rival| rival.from().rank() != mv.from().rank())
    {
        rank.to_owned()
    } else {
        format!("{file}{rank}")
    };
    let promotion = if mv.is_promotion() { "=P" } else { "" };
    let check = match position.gives_check(mv) {
        true => {
            let mut after = *position;
            after.play(mv);
            if after.has_legal_move() { "+" } else { "#" }
        }
        false => "",
    };
    format!(
        "{mine}{origin}{}{}{promotion}{check}",
        if capture { "x" } else { "" },
        mv.to()
    )
}

/// A whole record.
pub fn record(
    rules: &Arc<Ruleset>,
    moves: &[LegalMove],
    style: Style,
    tags: &str,
    result: &str,
) -> String {
    let mut text = format!("{tags}[Result \"{result}\"]\n\n");
    let mut position = rules.start();
    for (index, &mv) in moves.iter().enumerate() {
        if index % 2 == 0 {
            text.push_str(&format!("{}. ", index / 2 + 1));
        }
        text.push_str(&style.write(&position, mv));
        text.push(if index % 8 == 7 { '\n' } else { ' ' });
        position.play(mv);
    }
    text.push_str(result);
    text.push('\n');
    text
}
