//! `many_games FIRST COUNT < BASES > PGN`: as many makruk games as one likes, no two alike, for `tools/scale.py`.
//!
//! BASES holds the moves of real games, UCI, a game a line. Game n is made by its number alone: a base, cut at a random ply, and some
//! random legal moves behind it. So openings repeat as they do in archives, and no game is a copy or the beginning of another.

use std::io::{BufWriter, Read, Write};
use std::sync::Arc;

use notation::san;
use rules::{Line, Ruleset};

type Failure = Box<dyn std::error::Error>;

/// Random moves at the end of each game: about 20 to the power of 8 ways.
const OWN_PLIES: u64 = 8;
/// No game is cut before this ply.
const SHORTEST: u64 = 20;
/// Width of a line, as most programs write it.
const WIDTH: usize = 80;

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
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, count] = args.as_slice() else {
        return Err("usage: many_games FIRST COUNT < BASES".into());
    };
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    let mut bases = String::new();
    std::io::stdin().read_to_string(&mut bases)?;
    let bases: Vec<Vec<&str>> = bases
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|moves| moves.len() as u64 >= SHORTEST)
        .collect();
    if bases.is_empty() {
        return Err("no base has 20 plies".into());
    }
    let rules = Ruleset::builtin("makruk")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in first..first + count {
        write_game(&mut out, number, &bases, &rules)?;
    }
    Ok(out.flush()?)
}

fn write_game(
    out: &mut impl Write,
    number: u64,
    bases: &[Vec<&str>],
    rules: &Arc<Ruleset>,
) -> Result<(), Failure> {
    let mut random = Random(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let base = &bases[random.below(bases.len() as u64) as usize];
    let cut = SHORTEST + random.below(base.len() as u64 - SHORTEST + 1);
    let mut line = Line::from_start(rules);
    let mut sans = Vec::new();
    for word in base.iter().take(cut as usize) {
        let mv = notation::uci::parse(word, line.position())?;
        sans.push(san::write(line.position(), mv));
        line.push(mv);
    }
    for _ in 0..OWN_PLIES {
        let legal = line.position().legal_moves();
        if line.ended().is_some() || legal.is_empty() {
            break;
        }
        let mv = legal[random.below(legal.len() as u64) as usize];
        sans.push(san::write(line.position(), mv));
        line.push(mv);
    }
    // A game that the board has not ended was resigned or agreed.
    let result = match line.ended() {
        Some(_) => "*",
        None => ["1-0", "0-1", "1/2-1/2"][random.below(3) as usize],
    };
    tags(out, number, result, &mut random)?;
    moves(out, &sans, result)
}

/// Players meet as in a league of thousands: the lower the number, the more games.
fn tags(
    out: &mut impl Write,
    number: u64,
    result: &str,
    random: &mut Random,
) -> Result<(), Failure> {
    let mut player = || {
        let below = 1 + random.below(20_000);
        random.below(below)
    };
    let (white, black) = (player(), player());
    let (elo_w, elo_b) = (900 + random.below(1600), 900 + random.below(1600));
    let (year, month, day) = (
        2019 + random.below(8),
        1 + random.below(12),
        1 + random.below(28),
    );
    let minutes = [1, 3, 5, 10, 15][random.below(5) as usize];
    writeln!(out, "[Event \"Rated Makruk game\"]")?;
    writeln!(out, "[Site \"https://example.org/{number:010}\"]")?;
    writeln!(out, "[Date \"{year}.{month:02}.{day:02}\"]")?;
    writeln!(out, "[Round \"-\"]")?;
    writeln!(out, "[White \"player{white}\"]")?;
    writeln!(out, "[Black \"player{black}\"]")?;
    writeln!(out, "[Result \"{result}\"]")?;
    writeln!(out, "[WhiteElo \"{elo_w}\"]")?;
    writeln!(out, "[BlackElo \"{elo_b}\"]")?;
    writeln!(out, "[Variant \"Makruk\"]")?;
    writeln!(out, "[TimeControl \"{}+3\"]", minutes * 60)?;
    Ok(writeln!(out)?)
}

fn moves(out: &mut impl Write, sans: &[String], result: &str) -> Result<(), Failure> {
    let mut line = String::new();
    let put = |out: &mut dyn Write, line: &mut String, word: &str| -> std::io::Result<()> {
        if line.len() + word.len() + 1 > WIDTH {
            writeln!(out, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        Ok(())
    };
    for (ply, san) in sans.iter().enumerate() {
        if ply % 2 == 0 {
            put(out, &mut line, &format!("{}.", ply / 2 + 1))?;
        }
        put(out, &mut line, san)?;
    }
    put(out, &mut line, result)?;
    Ok(writeln!(out, "{line}\n")?)
}
