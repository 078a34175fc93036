//! Games as the programs that keep them write them (FORMATS D1, D6, D7, D10).

use std::fmt::Write;

use engine::Score;
use rules::{Color, CountCommand, Ending, Variant};

use crate::game::{Game, side};
use crate::san::Spelling;

/// Tags, one a line.
struct Tags(String);

impl Tags {
    fn new() -> Tags {
        Tags(String::new())
    }

    fn add(mut self, name: &str, value: &str) -> Tags {
        self.0.push_str(&format!("[{name} \"{value}\"]\n"));
        self
    }

    fn add_if(self, wanted: bool, name: &str, value: &str) -> Tags {
        if wanted { self.add(name, value) } else { self }
    }
}

const MAKRUK: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w";

fn start(game: &Game, ouk: &str, makruk: &str) -> String {
    let rest = if game.rules.variant() == Variant::Makruk {
        makruk
    } else {
        ouk
    };
    format!("{MAKRUK} {rest}")
}

fn title(game: &Game) -> &'static str {
    match game.rules.variant() {
        Variant::Makruk => "Makruk",
        Variant::Ouk => "Cambodian",
        Variant::KarOuk => "Karouk",
    }
}

/// What pychess writes into comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    None,
    /// `%clk` after each move, some `%eval`, and the commands of the board's honour count.
    Full,
}

/// pychess.org: all moves on one line, FEN always there.
pub(crate) fn pychess(game: &Game, comments: Comments) -> String {
    let elo = |at: usize| {
        let person = &game.players[at];
        format!(
            "{}{}",
            person.elo,
            if person.provisional { "?" } else { "" }
        )
    };
    let fen = match game.rules.variant() {
        Variant::KarOuk => format!("{MAKRUK} DEde - 1+1 0 1"),
        _ => start(game, "DEde - 0 1", "- - 0 1"),
    };
    let tags = Tags::new()
        .add("Event", "PyChess rated game")
        .add("Site", &format!("https://www.pychess.org/{}", id(game)))
        .add("Date", &game.dotted_date())
        .add("Round", "-")
        .add("White", &game.players[0].name)
        .add("Black", &game.players[1].name)
        .add("Result", game.result())
        .add(
            "TimeControl",
            &format!("{}+{}", game.base_s, game.increment_s),
        )
        .add("WhiteElo", &elo(0))
        .add("BlackElo", &elo(1))
        .add("Variant", title(game))
        .add("FEN", &fen)
        .add("SetUp", "1");
    let mut text = tags.0;
    text.push('\n');
    let mut commented = true;
    for (ply, san) in game.sans(Spelling::Fairy).iter().enumerate() {
        number(&mut text, ply, commented);
        text.push_str(san);
        text.push(' ');
        let comment = if comments == Comments::Full {
            pychess_comment(game, ply)
        } else {
            String::new()
        };
        commented = !comment.is_empty();
        text.push_str(&comment);
    }
    text + game.result() + "\n\n"
}

fn pychess_comment(game: &Game, ply: usize) -> String {
    let mut comment = String::from("{ ");
    if let Some(command) = game.command(ply) {
        comment.push_str(if command == CountCommand::Start {
            "[%count start] "
        } else {
            "[%count stop] "
        });
    }
    if let Some(score) = game.score(ply).filter(|_| game.number.is_multiple_of(3)) {
        comment.push_str(&format!("[%eval {}] ", white_eval(score, side(ply))));
    }
    let left = game.clocks[ply].0 / 1000;
    comment.push_str(&format!(
        "[%clk {}:{:02}:{:02}] }} ",
        left / 3600,
        left / 60 % 60,
        left % 60
    ));
    comment
}

/// White's view, pawns with two decimals, `#3` for mates.
fn white_eval(score: Score, mover: Color) -> String {
    match score.to_white(mover) {
        Score::Cp(cp) => decimal(cp),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

fn decimal(cp: i32) -> String {
    let sign = if cp < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cp.abs() / 100, cp.abs() % 100)
}

/// `1.`, and `1...` where a comment stands between.
fn number(text: &mut String, ply: usize, commented: bool) {
    if ply.is_multiple_of(2) {
        text.push_str(&format!("{}. ", ply / 2 + 1));
    } else if commented {
        text.push_str(&format!("{}... ", ply / 2 + 1));
    }
}

/// Eight letters and digits that look like a game's id.
fn id(game: &Game) -> String {
    let mut dice = engine::selfplay::Dice::new(game.number * 977 + u64::from(game.players[0].elo));
    let letters = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    (0..8)
        .filter_map(|_| dice.pick(letters))
        .map(|&letter| char::from(letter))
        .collect()
}

/// cutechess-cli: a comment with score, depth and time on each move, wrapped lines, `0` in the FEN's count field.
pub(crate) fn cutechess(game: &Game, event: &str) -> String {
    let variant = title(game).to_lowercase();
    let time = matches!(game.record.ending, Ending::Time);
    let tags = Tags::new()
        .add("Event", event)
        .add("Site", "lab-04")
        .add("Date", &game.dotted_date())
        .add("Round", &game.number.to_string())
        .add("White", &game.players[0].name)
        .add("Black", &game.players[1].name)
        .add("Result", game.result())
        .add("FEN", &start(game, "DEde 0 0 1", "- 0 0 1"))
        .add("PlyCount", &game.record.plies.len().to_string())
        .add("SetUp", "1")
        .add_if(time, "Termination", "time forfeit")
        .add(
            "TimeControl",
            &format!("{}+{}", game.base_s, game.increment_s),
        )
        .add("Variant", &variant);
    let mut words = Vec::new();
    let sans = game.sans(Spelling::Fairy);
    for (ply, san) in sans.iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
        let last = ply + 1 == sans.len();
        let comment = match game.score(ply) {
            None => "book".to_owned(),
            Some(score) => {
                let took = game.clocks[ply].1;
                let depth = 6 + game.clocks[ply].1 / 40 % 5;
                format!(
                    "{}/{depth} {}.{:02}s",
                    engine_score(score),
                    took / 1000,
                    took / 10 % 100
                )
            }
        };
        let comment = if last {
            format!("{comment}, {}", cutechess_end(game))
        } else {
            comment
        };
        words.push(format!("{{{comment}}}"));
    }
    words.push(game.result().to_owned());
    format!("{}\n{}\n", tags.0, wrap(&words, 80))
}

/// The mover's view, with its sign.
fn engine_score(score: Score) -> String {
    match score {
        Score::Cp(cp) if cp > 0 => format!("+{}", decimal(cp)),
        Score::Cp(cp) => decimal(cp),
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * moves - 1),
        Score::Mate(moves) => format!("-M{}", -2 * moves),
    }
}

fn cutechess_end(game: &Game) -> String {
    let white = game.result() == "1-0";
    let (winner, loser) = if white {
        ("White", "Black")
    } else {
        ("Black", "White")
    };
    match game.record.ending {
        Ending::Checkmate => format!("{winner} mates"),
        Ending::FirstCheck => format!("{winner} wins by first check"),
        Ending::Time => format!("{loser} loses on time"),
        Ending::Resignation => format!("{loser} resigns"),
        Ending::Repetition => "Draw by 3-fold repetition".into(),
        Ending::Stalemate => "Draw by stalemate".into(),
        Ending::BoardCount => "Draw by board's honour count".into(),
        Ending::PiecesCount => "Draw by pieces' honour count".into(),
        Ending::Agreement => "Draw by agreement".into(),
        other => format!("Draw by {other}"),
    }
}

/// Words on lines of at most `width` bytes; a comment is not broken.
fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

/// WinBoard: five FEN fields, a board drawing as the first comment, scores in some games.
pub(crate) fn winboard(game: &Game) -> String {
    let ouk = game.rules.variant() != Variant::Makruk;
    let tags = Tags::new()
        .add("Event", "Computer Chess Game")
        .add("Site", "KRUNGTHEP-PC")
        .add("Date", &game.dotted_date())
        .add("Round", &game.number.to_string())
        .add("White", &game.players[0].name)
        .add("Black", &game.players[1].name)
        .add("Result", game.result())
        .add(
            "TimeControl",
            &format!("{}+{}", game.base_s, game.increment_s),
        )
        .add("Variant", &title(game).to_lowercase())
        .add_if(ouk, "VariantMen", "M:FifD;K:KiN")
        .add("FEN", &start(game, "EDed 0 1", "- 0 1"))
        .add("SetUp", "1");
    let rows = [
        "r n s m k s n r",
        ". . . . . . . .",
        "p p p p p p p p",
        ". . . . . . . .",
        ". . . . . . . .",
        "P P P P P P P P",
        ". . . . . . . .",
        "R N S K M S N R",
    ];
    let drawing = format!(
        "{{--------------\n{}\nwhite to play\n--------------}}\n",
        rows.join("\n")
    );
    let mut words = Vec::new();
    for (ply, san) in game.sans(Spelling::Fairy).iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
        if let Some(score) = game.score(ply).filter(|_| game.number.is_multiple_of(2)) {
            words.push(format!(
                "{{{}/{} {}}}",
                engine_score(score),
                7 + ply % 4,
                game.clocks[ply].1 / 1000
            ));
        }
    }
    let last = match game.record.ending {
        Ending::Checkmate | Ending::FirstCheck if game.result() == "1-0" => "White mates",
        Ending::Checkmate | Ending::FirstCheck => "Black mates",
        Ending::Resignation if game.result() == "1-0" => "Black resigns",
        Ending::Resignation => "White resigns",
        Ending::Time if game.result() == "1-0" => "Black forfeits on time",
        Ending::Time => "White forfeits on time",
        Ending::Repetition => "Draw by repetition",
        Ending::Agreement => "Draw by agreement",
        _ => "",
    };
    if !last.is_empty() {
        words.push(format!("{{{last}}}"));
    }
    words.push(game.result().to_owned());
    format!("{}\n{drawing}{}\n", tags.0, wrap(&words, 75))
}

/// PlayOK's text: no variant, other letters, lines that end in CR CR LF.
pub(crate) fn playok(game: &Game) -> String {
    let minute = game.number * 7 % 60;
    let tags = Tags::new()
        .add("Event", "?")
        .add("Site", "PlayOK")
        .add("Date", &game.dotted_date())
        .add("Round", "-")
        .add("White", &game.players[0].name)
        .add("Black", &game.players[1].name)
        .add("Result", game.result())
        .add(
            "Time",
            &format!(
                "{:02}:{minute:02}:{:02}",
                8 + game.number % 14,
                game.number * 13 % 60
            ),
        )
        .add("TimeControl", &game.base_s.to_string())
        .add("WhiteElo", &game.players[0].elo.to_string())
        .add("BlackElo", &game.players[1].elo.to_string());
    let mut words = Vec::new();
    for (ply, san) in game.sans(Spelling::PlayOk).iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
    }
    words.push(game.result().to_owned());
    format!("{}\n{}\n", tags.0, wrap(&words, 80)).replace('\n', "\r\r\n")
}

/// A federation's own records: PGN with the rule set, the reason of the end, and the count commands.
pub(crate) fn federation(game: &Game, event: &str, site: &str, counts: bool) -> String {
    let tags = Tags::new()
        .add("Event", event)
        .add("Site", site)
        .add("Date", &game.dotted_date())
        .add(
            "Round",
            &format!(
                "{}.{}",
                (game.number - 1) / 5 + 1,
                (game.number - 1) % 5 + 1
            ),
        )
        .add("White", &game.players[0].name)
        .add("Black", &game.players[1].name)
        .add("Result", game.result())
        .add("WhiteElo", &game.players[0].elo.to_string())
        .add("BlackElo", &game.players[1].elo.to_string())
        .add(
            "TimeControl",
            &format!("{}+{}", game.base_s, game.increment_s),
        )
        .add("Variant", title(game))
        .add("Termination", game.reason());
    let mut words = Vec::new();
    let mut text = String::new();
    for (ply, san) in game.sans(Spelling::Fairy).iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
        match game.command(ply).filter(|_| counts) {
            Some(CountCommand::Start) => words.push("{[%count start]}".into()),
            Some(CountCommand::Stop) => words.push("{[%count stop]}".into()),
            None => {}
        }
    }
    words.push(game.result().to_owned());
    write!(text, "{}\n{}\n", tags.0, wrap(&words, 80)).expect("a string takes all text");
    text
}
