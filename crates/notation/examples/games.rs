//! `games FIRST COUNT < STARTS`: makes random games, one JSON object a line, for `tests/test_fairy.py`.
//!
//! Game n is made by its number alone: its variant, its kind, its seed. STARTS holds lines of `variant<TAB>fen`, from
//! which the games of kind `after` begin. A line of output:
//! `{"id", "seed", "variant", "kind", "fen", "moves", "legal", "count_started"}`; `fen` is null for the start position,
//! `legal` are the moves of the last position, and `count_started` is there where the game is to be told one.

use std::io::{BufWriter, Read, Write};
use std::sync::Arc;

use notation::fen;
use rules::{Color, LegalMove, Line, Man, Position, Role, Ruleset, Setup, Square, pieces_limit};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

const SEED: u64 = 20_261_130;
const VARIANTS: [&str; 3] = ["makruk", "cambodian", "karouk"];
const RIGHTS: [&str; 4] = ["D", "E", "d", "e"];

/// How a game is played: the share of moves out of ten that its own taste chooses, and the most plies.
struct Kind {
    name: &'static str,
    taste: u64,
    longest: u64,
}

const KINDS: [Kind; 6] = [
    // Any move.
    kind("random", 0, 240),
    // Captures and promotions.
    kind("greedy", 7, 200),
    // Back to where the man came from: repetitions.
    kind("shuffle", 8, 60),
    // Few men, often with a count near its limit; captures at times.
    kind("ending", 2, 150),
    // Khun, met and rua move while some of the first-move rights are left.
    kind("rights", 5, 60),
    // On from positions of the golden data.
    kind("after", 3, 120),
];

const fn kind(name: &'static str, taste: u64, longest: u64) -> Kind {
    Kind {
        name,
        taste,
        longest,
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len() as u64) as usize]
    }
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, count] = args.as_slice() else {
        return Err("usage: games FIRST COUNT < STARTS".into());
    };
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    let mut starts = String::new();
    std::io::stdin().read_to_string(&mut starts)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in first..first + count {
        writeln!(out, "{}", game(number, &starts)?)?;
    }
    Ok(out.flush()?)
}

fn game(number: u64, starts: &str) -> Result<Value, Failure> {
    let variant = VARIANTS[(number % 3) as usize];
    let kind = &KINDS[(number / 3 % KINDS.len() as u64) as usize];
    let seed = SEED + number;
    let mut random = Random(seed);
    let rules = Ruleset::builtin(&format!("{variant}-fairy"))?;
    let fen = start(variant, kind.name, &rules, starts, &mut random)?;
    let mut line = match &fen {
        None => Line::from_start(&rules),
        Some(text) => {
            let start = fen::parse(text, &rules)?;
            Line::new(&rules, start.position, start.count_state)
        }
    };
    let begun = game_ply(&line);
    let moves = play(&mut line, kind, &mut random);
    let mut legal: Vec<String> = line
        .position()
        .legal_moves()
        .iter()
        .map(|mv| mv.to_string())
        .collect();
    legal.sort();
    let moves: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    let mut game = json!({
        "id": number, "seed": seed, "variant": variant, "kind": kind.name, "fen": fen, "moves": moves, "legal": legal,
    });
    if random.below(5) == 0 {
        // Not at all, or with some move of the game or just before and after it; 0 would mean by itself.
        let told = begun + random.below(moves.len() as u64 + 4) as i64 - 1;
        game["count_started"] = match random.below(4) {
            0 => json!(-1),
            _ => json!(told.max(1)),
        };
    }
    Ok(game)
}

/// The number of plies since the beginning of the whole game, as the reference engine counts them.
fn game_ply(line: &Line) -> i64 {
    let position = line.position();
    2 * (i64::from(position.fullmove().0) - 1) + i64::from(position.turn() as u8)
}

/// Plays a random number of moves. Half of the games stop at their first ending, if they come to one, and some of these
/// one ply before it.
fn play(line: &mut Line, kind: &Kind, random: &mut Random) -> Vec<LegalMove> {
    let plies = random.below(kind.longest + 1);
    let past_the_end = random.below(2) == 0;
    let mut played: Vec<LegalMove> = Vec::new();
    let mut before = line.clone();
    while (played.len() as u64) < plies && (past_the_end || line.ended().is_none()) {
        let legal = line.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let liked: Vec<LegalMove> = legal
            .iter()
            .copied()
            .filter(|&mv| likes(kind.name, line, mv, &played))
            .collect();
        let choice: &[LegalMove] = match liked.is_empty() || random.below(10) >= kind.taste {
            true => &legal,
            false => &liked,
        };
        let mv = *random.of(choice);
        before = line.clone();
        line.push(mv);
        played.push(mv);
    }
    if line.ended().is_some() && !past_the_end && !played.is_empty() && random.below(4) == 0 {
        played.pop();
        *line = before;
    }
    played
}

fn likes(kind: &str, line: &Line, mv: LegalMove, played: &[LegalMove]) -> bool {
    let position = line.position();
    match kind {
        "greedy" | "ending" | "after" => position.is_capture(mv) || mv.is_promotion(),
        "shuffle" => match played.len().checked_sub(2) {
            None => position.role_at(mv.from()) != Some(Role::Bia),
            Some(own) => (mv.from(), mv.to()) == (played[own].to(), played[own].from()),
        },
        "rights" => {
            let role = position.role_at(mv.from());
            [Role::Khun, Role::Met, Role::Rua]
                .into_iter()
                .any(|liked| role == Some(liked))
        }
        _ => false,
    }
}

/// The start of a game; `None` is the rule set's own.
fn start(
    variant: &str,
    kind: &str,
    rules: &Arc<Ruleset>,
    starts: &str,
    random: &mut Random,
) -> Result<Option<String>, Failure> {
    let own = fen::write_position(&rules.start());
    Ok(match kind {
        "ending" => Some(ending(variant, rules, random)),
        "rights" if variant != "makruk" => {
            let left: String = RIGHTS.into_iter().filter(|_| random.below(3) > 0).collect();
            let left = if left.is_empty() { "-" } else { &left };
            Some(own.replacen(" DEde ", &format!(" {left} "), 1))
        }
        "after" => {
            let fens: Vec<&str> = starts
                .lines()
                .filter_map(|line| line.split_once('\t'))
                .filter(|(of, _)| *of == variant)
                .map(|(_, fen)| fen)
                .collect();
            if fens.is_empty() {
                return Err(format!("no starts of {variant}").into());
            }
            Some((*random.of(&fens)).to_owned())
        }
        _ => None,
    })
}

/// A few men anywhere, and mostly a count that is near its limit or beyond.
fn ending(variant: &str, rules: &Arc<Ruleset>, random: &mut Random) -> String {
    loop {
        let mut setup = Setup::empty();
        let strong = *random.of(&Color::ALL);
        for color in Color::ALL {
            setup.put(place(&setup, random), Some(Man::new(color, Role::Khun)));
            let men = match color == strong {
                true => 1 + random.below(5),
                false => [0, 0, 0, 1, 2][random.below(5) as usize],
            };
            for _ in 0..men {
                setup.put(place(&setup, random), Some(man(color, random)));
            }
        }
        setup.turn = *random.of(&Color::ALL);
        let Ok(position) = Position::from_setup(&setup, rules) else {
            continue;
        };
        let text = fen::write_position(&position);
        let board = text.split(' ').next().unwrap_or_default();
        let turn = setup.turn.letter();
        let checks = if variant == "karouk" { " 1+1" } else { "" };
        let full = 20 + random.below(100);
        return match limit(variant, &position, rules).filter(|_| random.below(3) > 0) {
            None => format!("{board} {turn} - -{checks} {} {full}", random.below(30)),
            Some(limit) => {
                let plies = (limit + 2).saturating_sub(random.below(40) as u32);
                format!("{board} {turn} - {limit}{checks} {plies} {full}")
            }
        };
    }
}

/// The limit in plies of the count that can run, as the reference engine writes it (RULES 4, 5.3).
fn limit(variant: &str, position: &Position, rules: &Ruleset) -> Option<u32> {
    let bare: Vec<Color> = Color::ALL
        .into_iter()
        .filter(|&c| position.is_bare(c))
        .collect();
    let no_bia = position.role(Role::Bia).is_empty();
    let few = Color::ALL
        .into_iter()
        .any(|color| position.men(color).len() <= 3);
    let full_moves = match (bare.as_slice(), variant) {
        ([bare], _) if no_bia => pieces_limit(position, !*bare, rules.snn).0,
        ([], "makruk") if no_bia => 64,
        ([], "cambodian" | "karouk") if few => 64,
        _ => return None,
    };
    Some(2 * (full_moves - u32::from(variant != "makruk")))
}

fn place(setup: &Setup, random: &mut Random) -> Square {
    loop {
        let square = Square::from_index(random.below(64) as u8);
        if setup.man_at(square).is_none() {
            return square;
        }
    }
}

fn man(color: Color, random: &mut Random) -> Man {
    let role = *random.of(&[
        Role::Met,
        Role::Met,
        Role::Khon,
        Role::Ma,
        Role::Rua,
        Role::Bia,
    ]);
    Man {
        promoted: role == Role::Met && random.below(2) == 0,
        ..Man::new(color, role)
    }
}
