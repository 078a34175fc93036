//! The unit of search: its key, its answer, and the files answers lie in between search and assemble.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};

use engine::{Assessment, Budget, EngineError, EngineId, Score};
use rules::{LegalMove, Line};
use serde::{Deserialize, Serialize};

use crate::alone::DIED;
use crate::key::ChunkKey;
use crate::output::Output;
use crate::receipt::Part;
use crate::run::RunError;

/// The key of a unit: everything that its answer depends on, and nothing else.
pub(crate) fn key(engine: &EngineId, budget: Budget, line: &Line, played: LegalMove) -> ChunkKey {
    let rules = line.ruleset();
    let mut history = Vec::with_capacity(line.keys().len() * 8);
    line.keys()
        .iter()
        .for_each(|key| history.extend_from_slice(&key.to_le_bytes()));
    ChunkKey::of("unit")
        .field("engine", engine.as_str())
        .field("rules", rules.hash())
        .field("position", notation::fen::write_position(line.position()))
        // The text of plain numbers: who counts what, up to where.
        .field("count", format!("{:?}", line.count_state()))
        .field("history", history)
        .field("played", played.raw().to_bits().to_le_bytes())
        .number("nodes", budget.nodes)
        .number("depth", budget.depth.map_or(0, u64::from))
        .finish()
}

/// What an engine said about a unit. Scores are from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// It judged.
    Scored {
        /// Best move.
        b: String,
        /// Its score.
        s: Stored,
        /// Its line.
        v: String,
        /// The played move's score.
        p: Stored,
        /// Nodes.
        n: u64,
        /// Depth.
        d: u32,
    },
    /// It cannot judge this unit, now or later.
    Refused {
        /// Why.
        e: String,
    },
}

/// A score as stored: `[centipawns, 0]` or `[moves, 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stored(i32, u8);

impl From<Score> for Stored {
    fn from(score: Score) -> Stored {
        match score {
            Score::Cp(cp) => Stored(cp, 0),
            Score::Mate(moves) => Stored(moves, 1),
        }
    }
}

impl From<Stored> for Score {
    fn from(stored: Stored) -> Score {
        if stored.1 == 0 {
            Score::Cp(stored.0)
        } else {
            Score::Mate(stored.0)
        }
    }
}

impl Answer {
    pub(crate) fn scored(found: &Assessment) -> Answer {
        let moves: Vec<String> = found.pv.iter().map(ToString::to_string).collect();
        Answer::Scored {
            b: found.best.to_string(),
            s: found.score.into(),
            v: moves.join(" "),
            p: found.played.unwrap_or(found.score).into(),
            n: found.nodes,
            d: found.depth,
        }
    }

    /// Of a game that took every process down.
    pub(crate) fn died() -> Answer {
        Answer::Refused { e: DIED.to_owned() }
    }

    pub(crate) fn refused(error: &EngineError) -> Answer {
        Answer::Refused {
            e: error.to_string(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    k: ChunkKey,
    a: Answer,
}

/// Level of zstd for work files.
const LEVEL: i32 = 3;

/// Writes answers in the order given.
pub(crate) fn write(
    output: &Output,
    chunk: &ChunkKey,
    answers: Vec<(ChunkKey, Answer)>,
) -> Result<Part, RunError> {
    let broken = |error: &dyn std::fmt::Display| RunError::Broken {
        path: format!("work file of {chunk}"),
        reason: error.to_string(),
    };
    let rows = answers.len() as u64;
    let mut out = zstd::Encoder::new(Vec::new(), LEVEL).map_err(|error| broken(&error))?;
    for (k, a) in answers {
        serde_json::to_writer(&mut out, &Entry { k, a }).map_err(|error| broken(&error))?;
        out.write_all(b"\n").map_err(|error| broken(&error))?;
    }
    let bytes = out.finish().map_err(|error| broken(&error))?;
    output.work(chunk, rows, bytes)
}

/// Reads the answers of a work file.
pub(crate) fn read(output: &Output, part: &Part) -> Result<HashMap<ChunkKey, Answer>, RunError> {
    let broken = |error: &dyn std::fmt::Display| RunError::Broken {
        path: part.path.clone(),
        reason: error.to_string(),
    };
    let bytes = output.part_bytes(&part.path)?;
    let reader = zstd::Decoder::new(bytes.as_ref()).map_err(|error| broken(&error))?;
    let mut answers = HashMap::new();
    for line in BufReader::new(reader).lines() {
        let line = line.map_err(|error| broken(&error))?;
        let entry: Entry = serde_json::from_str(&line).map_err(|error| broken(&error))?;
        answers.insert(entry.k, entry.a);
    }
    Ok(answers)
}
