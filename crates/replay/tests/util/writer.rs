//! Random legal games, written in the letters of each dialect.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

use std::sync::Arc;

use archive::Dialect;
use notation::san;
use rules::{Color, LegalMove, Line, Man, MoveKind, Position, Role, Ruleset, Square, Variant};

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
    let letter = |man: Man| match (man.role, man.promoted) {
        (Role::Bia, _) => "",
        (Role::Met, true) => "P",
        (Role::Met, false) => "Q",
        (Role::Khon, _) => "B",
        (Role::Ma, _) => "N",
        (Role::Rua, _) => "R",
        (Role::Khun, _) => "K",
    };
    short(position, mv, &letter, "=P")
}

/// Letters of SchemingMind, which knows no promoted bia and writes no promotion.
fn page(position: &Position, mv: LegalMove) -> String {
    let letter = |man: Man| match man.role {
        Role::Bia => "",
        Role::Met => "Q",
        Role::Khon => "B",
        Role::Ma => "N",
        Role::Rua => "R",
        Role::Khun => "K",
    };
    short(position, mv, &letter, "")
}

fn makruk_js(position: &Position, mv: LegalMove) -> String {
    let letter = |man: Man| match (man.role, man.promoted) {
        (Role::Bia, _) => "",
        (Role::Met, true) => "F",
        (Role::Met, false) => "E",
        (Role::Khon, _) => "T",
        (Role::Ma, _) => "M",
        (Role::Rua, _) => "R",
        (Role::Khun, _) => "K",
    };
    short(position, mv, &letter, "=F")
}

fn thai_letter(man: Man) -> &'static str {
    match (man.role, man.promoted) {
        (Role::Bia, _) => "",
        (Role::Met, true) => "ง",
        (Role::Met, false) => "ม็",
        (Role::Khon, _) => "ค",
        (Role::Ma, _) => "ม",
        (Role::Rua, _) => "ร",
        (Role::Khun, _) => "ข",
    }
}

/// Squares in Thai letters and digits.
fn in_thai(square: Square) -> String {
    let file = "กขคงจฉชญ".chars().nth(usize::from(square.file())).unwrap();
    let rank = char::from_u32('๑' as u32 + u32::from(square.rank())).unwrap();
    format!("{file}{rank}")
}

/// As Fairy-Stockfish writes THAI_LAN: letter, blank, origin, mark, target.
fn thai_long(position: &Position, mv: LegalMove) -> String {
    let man = position.man_at(mv.from()).unwrap();
    let letter = if man.role == Role::Bia {
        "บ"
    } else {
        thai_letter(man)
    };
    let between = if position.is_capture(mv) { 'x' } else { '-' };
    let promotion = if mv.is_promotion() { "=ง" } else { "" };
    format!(
        "{letter} {}{between}{}{promotion}",
        in_thai(mv.from()),
        in_thai(mv.to())
    )
}

/// As Fairy-Stockfish writes THAI_SAN: a dash between a man and its square.
fn thai_short(position: &Position, mv: LegalMove) -> String {
    let latin = short(position, mv, &|man| thai_letter(man), "=ง");
    let man = position.man_at(mv.from()).unwrap();
    let letter = thai_letter(man);
    let rest = latin.strip_prefix(letter).unwrap();
    let files: Vec<char> = "กขคงจฉชญ".chars().collect();
    let rest: String = rest
        .chars()
        .map(|c| match c {
            'a'..='h' => files[(c as u8 - b'a') as usize],
            '1'..='8' => char::from_u32('๑' as u32 + (c as u32 - '1' as u32)).unwrap(),
            c => c,
        })
        .collect();
    let dash = if letter.is_empty() || position.is_capture(mv) {
        ""
    } else {
        "-"
    };
    format!("{letter}{dash}{rest}")
}

/// KPGN: the letter in the mover's case, squares mirrored, `<` for a capture, `*` for promotion.
fn kpgn(position: &Position, mv: LegalMove) -> String {
    let man = position.man_at(mv.from()).unwrap();
    let letter = match (man.role, man.promoted) {
        (Role::Bia, _) => 'F',
        (Role::Met, true) => 'T',
        (Role::Met, false) => 'Q',
        (Role::Khon, _) => 'G',
        (Role::Ma, _) => 'H',
        (Role::Rua, _) => 'B',
        (Role::Khun, _) => 'K',
    };
    let letter = if position.turn() == Color::White {
        letter
    } else {
        letter.to_ascii_lowercase()
    };
    let square =
        |square: Square| format!("{}{}", (b'h' - square.file()) as char, square.rank() + 1);
    let capture = if position.is_capture(mv) { "<0" } else { "" };
    let promotion = if mv.is_promotion() { "*" } else { "" };
    format!(
        "{letter}{}{}{capture}{promotion}",
        square(mv.from()),
        square(mv.to())
    )
}

fn numbered(position: &Position, mv: LegalMove) -> String {
    let number = |square: Square| square.rank() * 8 + square.file() + 1;
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    format!("{}{sign}{}", number(mv.from()), number(mv.to()))
}

fn typed(position: &Position, mv: LegalMove) -> String {
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let spaced = |square: Square| {
        let text = square.to_string();
        format!("{} {}", &text[..1], &text[1..])
    };
    format!("{} {sign} {}", spaced(mv.from()), spaced(mv.to()))
}

/// A short move in the letters given, disambiguated among the men of one letter.
fn short(
    position: &Position,
    mv: LegalMove,
    letter_of: &dyn Fn(Man) -> &'static str,
    promotion: &str,
) -> String {
    let letter = |mv: LegalMove| letter_of(position.man_at(mv.from()).unwrap());
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
    let promotion = if mv.is_promotion() { promotion } else { "" };
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

/// A whole record in the layout of a dialect, with its own way of writing moves.
pub fn in_dialect(rules: &Arc<Ruleset>, moves: &[LegalMove], dialect: Dialect) -> String {
    let name = match rules.variant() {
        Variant::Makruk => "Makruk",
        Variant::Ouk => "Cambodian",
        Variant::KarOuk => "Karouk",
    };
    let mut position = rules.start();
    let mut written: Vec<String> = Vec::new();
    for &mv in moves {
        written.push(match dialect {
            Dialect::PlayOk => playok(&position, mv),
            Dialect::SchemingMind => page(&position, mv),
            Dialect::ThaiChess | Dialect::HandTyped => typed_or_block(&position, mv, dialect),
            Dialect::Thai => thai_long(&position, mv),
            Dialect::Kpgn => kpgn(&position, mv),
            Dialect::MakrukJs => makruk_js(&position, mv),
            Dialect::Numbered => numbered(&position, mv),
            Dialect::KhmerClient => long(&position, mv).replace('-', "").replace("=M", "=F"),
            Dialect::BjMakruk => san::write(&position, mv).replace('S', "C"),
            Dialect::MakrukSf
            | Dialect::MakrukSfJson
            | Dialect::OpenMakruk
            | Dialect::Uci
            | Dialect::Json => mv.to_string(),
            _ => san::write(&position, mv),
        });
        position.play(mv);
    }
    let tag = format!("[Variant \"{name}\"]\n");
    let list = || {
        written
            .iter()
            .map(|mv| format!("\"{mv}\""))
            .collect::<Vec<_>>()
            .join(",")
    };
    let numbers = |sign: &str| {
        let mut text = String::new();
        for (index, mv) in written.iter().enumerate() {
            if index % 2 == 0 {
                text.push_str(&format!("{}{sign} ", index / 2 + 1));
            }
            text.push_str(mv);
            text.push(if index % 8 == 7 { '\n' } else { ' ' });
        }
        text
    };
    match dialect {
        Dialect::PlayOk => format!("[Site \"PlayOK\"]\n\n{}*\n", numbers(".")),
        Dialect::SchemingMind => format!(
            "This game is being played under {name} rules. Click the 'info' tab for more information.\n{}\nDraw\n",
            numbers(".")
        ),
        Dialect::MakrukSf => format!(
            "{tag}[Event \"Makruk-SF Self-Play\"]\n\n{}*\n",
            numbers(".")
        ),
        Dialect::MakrukSfJson => format!(
            "{{\"ply_count\":1,\"variant\":\"{name}\",\"moves\":[{}]}}\n",
            list()
        ),
        Dialect::OpenMakruk => format!(
            "{{\"subtitle\":\"\",\"variant\":\"{name}\",\"moves\":[{}]}}\n",
            list()
        ),
        Dialect::Json => format!(
            "[{{\"variant\":\"{name}\",\"moves\":\"{}\"}}]",
            written.join(" ")
        ),
        Dialect::Kpgn => format!(
            "{{\"variant\":\"{name}\",\"moves\":[{}],\"ren\":null}}\n",
            list()
        ),
        Dialect::WinBoard => format!("{tag}[VariantMen \"x\"]\n\n{}*\n", numbers(".")),
        Dialect::Pychess => format!(
            "{tag}[Site \"https://www.pychess.org/x\"]\n\n{}*\n",
            numbers(".")
        ),
        Dialect::PychessAnalysis => format!(
            "{tag}[Site \"https://www.pychess.org/analysis\"]\n\n{}*\n",
            numbers(".")
        ),
        Dialect::Cutechess => format!("{tag}[GameDuration \"1\"]\n\n{}*\n", numbers(".")),
        Dialect::PychessDesktop => format!("{tag}[Annotator \"PyChess\"]\n\n{}*\n", numbers(".")),
        Dialect::BjMakruk => format!("[Variant \"{name}\" ]\n\n{}\n", numbers(".")),
        Dialect::KhmerClient => format!("[Variant \"Ouk Chatrang\"]\n\n{}*\n", numbers(".")),
        Dialect::ThaiChess => format!(
            "{tag}[ResultReason \"x\"]\n[MoveCount \"1\"]\n\n{}\n",
            written.join(" ")
        ),
        Dialect::MakrukJs => format!(
            "{tag}[FEN \"rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTKETMR w 1\"]\n\n{}*\n",
            numbers(".")
        ),
        Dialect::HandTyped => format!("{tag}\n{}\n", numbers(")")),
        _ => format!("{tag}\n{}*\n", numbers(".")),
    }
}

/// Thai short moves in a record of their own.
pub fn in_thai_short(moves: &[LegalMove], rules: &Arc<Ruleset>) -> String {
    let mut position = rules.start();
    let mut text = String::from("[Variant \"Makruk\"]\n\n");
    for &mv in moves {
        text.push_str(&thai_short(&position, mv));
        text.push(' ');
        position.play(mv);
    }
    text.push_str("*\n");
    text
}

fn typed_or_block(position: &Position, mv: LegalMove, dialect: Dialect) -> String {
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    match dialect {
        Dialect::ThaiChess => format!("{}{sign}{}", mv.from(), mv.to()),
        _ => typed(position, mv),
    }
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
