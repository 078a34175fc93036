//! The words that a UCI engine says, as types.

use rules::UciMove;

use crate::Score;

/// One line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// `id name ...`
    Name(String),
    /// `option name UCI_Variant type combo ... var x`: the values offered.
    Option {
        name: String,
        values: Vec<String>,
    },
    UciOk,
    ReadyOk,
    /// An `info` line with a score.
    Info(Info),
    /// `bestmove`, as text: whether it is a move at all is the caller's question.
    BestMove(String),
    /// Anything else that the protocol lets an engine say.
    Other,
}

/// What an `info` line tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) score: Score,
    /// The score is only a bound.
    pub(crate) bound: bool,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) multipv: u32,
    /// As far as its moves have the form of moves.
    pub(crate) pv: Vec<UciMove>,
}

/// Reads a line; `None` if it begins like a UCI line but makes no sense.
pub(crate) fn read(line: &str) -> Option<Said> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("uciok") => Some(Said::UciOk),
        Some("readyok") => Some(Said::ReadyOk),
        Some("bestmove") => words.next().map(|mv| Said::BestMove(mv.to_owned())),
        Some("id") => Some(read_id(line)),
        Some("option") => Some(read_option(line)),
        Some("info") => read_info(words),
        // The protocol: unknown words are to be ignored.
        _ => Some(Said::Other),
    }
}

fn read_id(line: &str) -> Said {
    match line.trim().strip_prefix("id name") {
        Some(name) => Said::Name(name.trim().to_owned()),
        None => Said::Other,
    }
}

fn read_option(line: &str) -> Said {
    let Some((_, rest)) = line.split_once("name ") else {
        return Said::Other;
    };
    let Some((name, rest)) = rest.split_once(" type ") else {
        return Said::Other;
    };
    let values = rest
        .split(" var ")
        .skip(1)
        .map(|value| value.trim().to_owned())
        .collect();
    Said::Option {
        name: name.trim().to_owned(),
        values,
    }
}

fn read_info<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Said> {
    let (mut score, mut bound, mut depth, mut nodes, mut multipv, mut pv) =
        (None, false, 0, 0, 1, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "score" => score = Some(read_score(&mut words)?),
            "lowerbound" | "upperbound" => bound = true,
            "depth" => depth = words.next()?.parse().ok()?,
            "nodes" => nodes = words.next()?.parse().ok()?,
            "multipv" => multipv = words.next()?.parse().ok()?,
            "pv" => pv = words.by_ref().map_while(|word| word.parse().ok()).collect(),
            "string" => break,
            _ => {}
        }
    }
    Some(match score {
        Some(score) => Said::Info(Info {
            score,
            bound,
            depth,
            nodes,
            multipv,
            pv,
        }),
        None => Said::Other,
    })
}

fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Score> {
    let kind = words.next()?;
    let number = words.next()?.parse().ok()?;
    match kind {
        "cp" => Some(Score::Cp(number)),
        "mate" => Some(Score::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines() {
        let line = "info depth 12 seldepth 17 multipv 1 score cp -31 nodes 10021 nps 5000 time 9 pv e3e4 a5a6m";
        let Some(Said::Info(info)) = read(line) else {
            panic!("an info line")
        };
        assert_eq!(
            (info.score, info.depth, info.nodes, info.bound),
            (Score::Cp(-31), 12, 10_021, false)
        );
        assert_eq!(info.pv.len(), 2);
        let line = "info depth 3 score mate -2 upperbound nodes 7";
        let Some(Said::Info(info)) = read(line) else {
            panic!("an info line")
        };
        assert_eq!((info.score, info.bound), (Score::Mate(-2), true));
        assert_eq!(
            read("info string NNUE evaluation score cp x"),
            Some(Said::Other)
        );
        assert_eq!(read("info depth score cp 1"), None);
        assert_eq!(read("info score cp"), None);
    }

    #[test]
    fn options_and_names() {
        assert_eq!(
            read("id name Fairy-Stockfish 11.1"),
            Some(Said::Name("Fairy-Stockfish 11.1".into()))
        );
        let line = "option name UCI_Variant type combo default chess var chess var makruk";
        let expected = Said::Option {
            name: "UCI_Variant".into(),
            values: vec!["chess".into(), "makruk".into()],
        };
        assert_eq!(read(line), Some(expected));
        assert_eq!(
            read("bestmove (none)"),
            Some(Said::BestMove("(none)".into()))
        );
        assert_eq!(read("bestmove"), None);
        assert_eq!(read("hello"), Some(Said::Other));
    }
}
