//! What a GUI says, as types.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// One line from the GUI.
#[derive(Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Box<Go>),
    Perft(u32),
    Stop,
    Quit,
    /// An empty line.
    Nothing,
    Unknown(String),
}

/// The limits of a search; what is not given does not limit.
#[derive(Debug, Default)]
pub(super) struct Go {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) movetime: Option<Duration>,
    /// White's and Black's clock.
    pub(super) time: [Option<Duration>; 2],
    pub(super) increment: [Duration; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) infinite: bool,
    pub(super) search_moves: Vec<String>,
    pub(super) stop: Arc<AtomicBool>,
}

impl Go {
    /// Whether only `stop` ends it.
    pub(super) fn is_endless(&self) -> bool {
        let limited = self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some();
        self.infinite || !(limited || self.time.iter().any(Option::is_some))
    }
}

/// Reads a line.
pub(super) fn read(line: &str) -> Command {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        None => Command::Nothing,
        Some("uci") => Command::Uci,
        Some("isready") => Command::IsReady,
        Some("ucinewgame") => Command::NewGame,
        Some("stop") => Command::Stop,
        Some("quit") => Command::Quit,
        Some("setoption") => read_option(line),
        Some("position") => read_position(words),
        Some("go") => read_go(words),
        Some(_) => Command::Unknown(line.trim().chars().take(200).collect()),
    }
}

fn read_option(line: &str) -> Command {
    let rest = line.trim().trim_start_matches("setoption").trim();
    let rest = rest.strip_prefix("name").unwrap_or(rest).trim();
    let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
    Command::SetOption {
        name: name.trim().to_owned(),
        value: value.trim().to_owned(),
    }
}

fn read_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let start = words.next();
    let rest: Vec<&str> = words.collect();
    let split = rest
        .iter()
        .position(|word| *word == "moves")
        .unwrap_or(rest.len());
    let moves = rest
        .iter()
        .skip(split + 1)
        .map(|word| (*word).to_owned())
        .collect();
    let fen = match start {
        Some("startpos") => None,
        // `position fen F` and, as some tools have it, `position F`.
        Some("fen") => Some(rest[..split].join(" ")),
        Some(other) => Some(
            std::iter::once(other)
                .chain(rest[..split].iter().copied())
                .collect::<Vec<_>>()
                .join(" "),
        ),
        None => return Command::Unknown("position".into()),
    };
    Command::Position { fen, moves }
}

fn read_go<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "searchmoves" => go.search_moves = words.by_ref().map(str::to_owned).collect(),
            _ => {
                let Some(number) = words.next().and_then(|number| number.parse::<i64>().ok())
                else {
                    return Command::Unknown(format!("go {word}"));
                };
                let number = number.max(0) as u64;
                if word == "perft" {
                    return Command::Perft(u32::try_from(number).unwrap_or(u32::MAX));
                }
                set_limit(&mut go, word, number);
            }
        }
    }
    Command::Go(Box::new(go))
}

fn set_limit(go: &mut Go, word: &str, number: u64) {
    let time = Duration::from_millis(number);
    let small = u32::try_from(number).unwrap_or(u32::MAX);
    match word {
        "nodes" => go.nodes = Some(number),
        "depth" => go.depth = Some(small),
        "movetime" => go.movetime = Some(time),
        "wtime" => go.time[0] = Some(time),
        "btime" => go.time[1] = Some(time),
        "winc" => go.increment[0] = time,
        "binc" => go.increment[1] = time,
        "movestogo" => go.moves_to_go = Some(small.max(1)),
        // `mate` and whatever else a GUI may think of does not limit.
        _ => {}
    }
}
