//! Games with one planted defect each, and the finding that each must give.

use engine::Builtin;
use engine::selfplay::Dice;
use rules::{Ending, Line};

use crate::game::{Game, Plan};
use crate::people::Circle;
use crate::san::{Spelling, san};

/// A defective record and the code of its finding.
pub(crate) struct Defect {
    pub(crate) bytes: Vec<u8>,
    pub(crate) code: &'static str,
    pub(crate) what: &'static str,
}

/// A plain record: its tags and its moves, easy to spoil.
#[derive(Clone)]
struct Sheet {
    tags: Vec<(&'static str, String)>,
    /// Moves with their numbers and comments.
    words: Vec<String>,
    marker: &'static str,
}

impl Sheet {
    fn of(game: &Game, round: usize) -> Sheet {
        let tags = vec![
            ("Event", "Defective records".to_owned()),
            ("Site", "Nonthaburi".to_owned()),
            ("Date", game.dotted_date()),
            ("Round", round.to_string()),
            ("White", game.players[0].name.clone()),
            ("Black", game.players[1].name.clone()),
            ("Result", game.result().to_owned()),
            (
                "TimeControl",
                format!("{}+{}", game.base_s, game.increment_s),
            ),
            ("Variant", "Makruk".to_owned()),
        ];
        Sheet {
            tags,
            words: numbered(&game.sans(Spelling::Fairy)),
            marker: game.result(),
        }
    }

    fn tag(&mut self, name: &'static str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value.to_owned(),
            None => self.tags.push((name, value.to_owned())),
        }
    }

    fn without(&mut self, name: &str) {
        self.tags.retain(|(known, _)| *known != name);
    }

    fn bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        for (name, value) in &self.tags {
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        text.push('\n');
        for line in self.words.chunks(16) {
            text.push_str(&line.join(" "));
            text.push('\n');
        }
        if !self.marker.is_empty() {
            text.push_str(self.marker);
            text.push('\n');
        }
        text.push('\n');
        text.into_bytes()
    }
}

fn numbered(sans: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for (ply, san) in sans.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
    }
    words
}

/// The place of a ply's move among the numbered words.
fn word_of(ply: usize) -> usize {
    ply + ply / 2 + 1
}

const PLAN: Plan = Plan {
    rules: "makruk",
    games: 400,
    circle: Circle::Thai,
    nodes: (300, 900),
    paces: &[(900, 10)],
    from: (2025, 8, 2),
    days: 30,
    stubborn: false,
    seed: 4242,
};

/// The records of `defects.pgn`, in order.
pub(crate) fn defects(engine: &mut Builtin) -> Vec<Defect> {
    let mut source = (0..PLAN.games).map(|number| PLAN.play(number, engine));
    let mut wanted = |fits: &dyn Fn(&Game) -> bool| {
        source
            .by_ref()
            .find(|game| fits(game))
            .expect("enough games")
    };
    let plain =
        |game: &Game| game.record.plies.len() >= 50 && game.record.ending == Ending::Resignation;
    let mut defects = Vec::new();
    let mut add = |sheet: &Sheet, code, what| {
        defects.push(Defect {
            bytes: sheet.bytes(),
            code,
            what,
        })
    };
    let mut round = 0;
    let mut sheet = |game: &Game| {
        round += 1;
        Sheet::of(game, round)
    };

    let mut s = sheet(&wanted(&plain));
    s.words[word_of(20)] = "Ra8xh1".into();
    add(
        &s,
        "illegal_move",
        "ply 21 is a rook move that no rook can make",
    );

    let game = wanted(&|game| ambiguity(game).is_some());
    let mut s = sheet(&game);
    let (ply, short) = ambiguity(&game).expect("just asked for");
    s.words.truncate(word_of(ply));
    s.words.push(short);
    add(
        &s,
        "ambiguous_move",
        "the last move has lost the file that told two men apart",
    );

    let game = wanted(&|game| game.record.ending == Ending::Checkmate);
    let mut s = sheet(&game);
    s.words.extend(["Kd4".into(), "Kd5".into()]);
    add(&s, "moves_after_end", "two moves after mate");

    let mut s = sheet(&wanted(&|game| {
        game.record.ending == Ending::Checkmate && game.result() == "1-0"
    }));
    s.tag("Result", "0-1");
    s.marker = "0-1";
    add(
        &s,
        "result_contradicts_board",
        "White mates, the record says that Black won",
    );

    let mut s = sheet(&wanted(&|game| {
        game.record.ending == Ending::Stalemate || game.record.ending == Ending::BareKings
    }));
    s.tag("Result", "1-0");
    s.marker = "1-0";
    add(
        &s,
        "result_contradicts_board",
        "a draw on the board, the record says that White won",
    );

    let mut s = sheet(&wanted(&plain));
    let other = if s.marker == "1-0" { "0-1" } else { "1-0" };
    s.tag("Result", other);
    add(&s, "result_mismatch", "tag and end marker differ");

    let mut s = sheet(&wanted(&plain));
    s.without("Result");
    s.marker = "";
    add(&s, "result_missing", "neither tag nor marker");

    let mut s = sheet(&wanted(&plain));
    s.without("Variant");
    add(
        &s,
        "variant_unknown",
        "no Variant tag and no source that tells",
    );

    let mut s = sheet(&wanted(&plain));
    s.tag("Variant", "Makpong");
    add(
        &s,
        "variant_set_aside",
        "makpong looks like makruk and is another game",
    );

    let mut s = sheet(&wanted(&plain));
    s.tag("Variant", "Sittuyin");
    s.words = "1. e4 e5 2. f4 f5 3. R@e1 R@e8"
        .split(' ')
        .map(str::to_owned)
        .collect();
    s.marker = "1/2-1/2";
    s.tag("Result", "1/2-1/2");
    add(&s, "variant_set_aside", "sittuyin, with its drops");

    let mut s = sheet(&wanted(&plain));
    s.tag("White", "Phanit, S@ri");
    let mut broken = s.bytes();
    if let Some(at) = broken.iter().position(|&byte| byte == b'@') {
        broken[at] = 0xFF;
    }
    add(
        &s,
        "broken_text",
        "a byte in a name that is no text in any encoding of the file",
    );
    if let Some(last) = defects.last_mut() {
        last.bytes = broken;
    }
    let mut add = |sheet: &Sheet, code, what| {
        defects.push(Defect {
            bytes: sheet.bytes(),
            code,
            what,
        })
    };

    let game = wanted(&|game| game.record.ending == Ending::PiecesCount);
    let mut s = sheet(&game);
    s.words = numbered(&played_on(&game));
    s.tag("Result", "1-0");
    s.marker = "1-0";
    add(
        &s,
        "count_played_on",
        "the pieces' honour count runs out and play goes on",
    );

    let mut s = sheet(&wanted(&plain));
    s.tag(
        "FEN",
        "rnsm1snr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    );
    s.tag("SetUp", "1");
    add(
        &s,
        "start_position_invalid",
        "a start position without a black khun",
    );

    let game = wanted(&plain);
    let mut s = sheet(&game);
    for ply in (0..40).rev() {
        let left = if ply == 24 {
            3600
        } else {
            game.clocks[ply].0 / 1000
        };
        let clock = format!(
            "{{[%clk {}:{:02}:{:02}]}}",
            left / 3600,
            left / 60 % 60,
            left % 60
        );
        s.words.insert(word_of(ply) + 1, clock);
    }
    add(&s, "clock_rises", "White's clock jumps up to an hour");

    let mut s = sheet(&wanted(&plain));
    s.words.insert(word_of(12) + 1, "{[%count start]}".into());
    add(
        &s,
        "count_command_invalid",
        "a board's honour count started with all bia on the board",
    );

    let mut s = sheet(&wanted(&|game| {
        let bia = game.end().position().role(rules::Role::Bia);
        game.record.ending == Ending::Agreement && bia.len() >= 4
    }));
    s.tag("Termination", "board's honour");
    add(
        &s,
        "count_draw_impossible",
        "a draw by counting is declared with bia on the board",
    );

    let mut s = sheet(&wanted(&|game| game.record.ending == Ending::Checkmate));
    s.tag("Termination", "stalemate");
    add(
        &s,
        "ending_mismatch",
        "mate on the board, with the right result, but the record says stalemate",
    );

    let mut s = sheet(&wanted(&plain));
    s.words[word_of(30)] = "N?x!z9".into();
    add(&s, "unreadable_move", "ply 31 is no move in any spelling");

    let mut s = sheet(&wanted(&plain));
    s.words.truncate(word_of(33) + 1);
    s.without("Result");
    s.marker = "";
    let mut cut = s.bytes();
    while cut.last().is_some_and(u8::is_ascii_whitespace) {
        cut.pop();
    }
    add(
        &s,
        "result_missing",
        "the file ends in the middle of the game",
    );
    if let Some(last) = defects.last_mut() {
        last.bytes = cut;
    }
    defects
}

/// The last ply after which the game may be cut so that its move, with the file left out, fits two men.
fn ambiguity(game: &Game) -> Option<(usize, String)> {
    let mut line = Line::from_start(&game.rules);
    let mut found = None;
    for (ply, played) in game.record.plies.iter().enumerate() {
        let text = san(&line, played.mv, Spelling::Fairy);
        let bytes = text.as_bytes();
        let told = bytes.len() == 4
            && bytes[0].is_ascii_uppercase()
            && matches!(bytes[1], b'a'..=b'h')
            && bytes[2].is_ascii_lowercase();
        if told && ply > 24 && bytes[2] != b'x' {
            found = found.or(Some((ply, format!("{}{}", &text[..1], &text[2..]))));
        }
        line.push(played.mv);
    }
    found
}

/// The game's moves, and six more after its end.
fn played_on(game: &Game) -> Vec<String> {
    let mut sans = game.sans(Spelling::Fairy);
    let mut line = game.end();
    let mut dice = Dice::new(game.number);
    for _ in 0..6 {
        let legal = line.position().legal_moves();
        let Some(&mv) = dice.pick(&legal) else { break };
        sans.push(san(&line, mv, Spelling::Fairy));
        line.push(mv);
    }
    sans
}
