//! How fast rows are written and read: `cargo run --release -p nabsak-tables --example bench_write DIR [ROUNDS [TABLE]]`,
//! DIR with the output of a run.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use bytes::Bytes;
use tables::{
    CountRow, EvaluationRow, FindingRow, GameRow, Hex, Key, PlyRow, Row, Table, TableWriter, read,
    read_all, row,
};

row! {
    /// The usual yardstick: twelve columns.
    pub struct TwelveColumns in Table::Plies, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Its ply.
        pub ply: i32,
        /// Who moved.
        pub side: tables::Color,
        /// The move.
        pub san: String,
        /// The move.
        pub uci: String,
        /// The position.
        pub position_key: Key,
        /// Check.
        pub gives_check: bool,
        /// Capture.
        pub is_capture: bool,
        /// The clock.
        pub clock_ms: Option<i64>,
        /// The count.
        pub count_kind: Option<tables::CountKind>,
        /// The count.
        pub count_number: Option<i32>,
        /// Repetitions.
        pub repetitions: i32,
    }
}

/// The rows of a table in a folder.
fn rows<R: Row>(dir: &Path) -> io::Result<Vec<R>> {
    let entries = fs::read_dir(dir.join(R::TABLE.name()))?.flatten();
    let mut parts: Vec<_> = entries.map(|entry| entry.path()).collect();
    parts.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    parts.sort();
    let mut all = Vec::new();
    for part in parts {
        let bytes = Bytes::from(fs::read(part)?);
        all.extend(read_all::<R>(bytes).map_err(io::Error::other)?);
    }
    all.sort_by(R::order);
    Ok(all)
}

/// Writes and reads the rows some times over and prints the quickest of each: what others do on the machine counts least there.
fn measure<R: Row>(what: &str, dir: &Path, rounds: usize) -> io::Result<()> {
    let all = rows::<R>(dir)?;
    let (mut writing, mut reading) = (Duration::MAX, Duration::MAX);
    let mut part = Bytes::new();
    for _ in 0..rounds {
        let rows = all.clone();
        let start = Instant::now();
        let mut writer = TableWriter::new(Vec::new()).map_err(io::Error::other)?;
        writer.extend(rows).map_err(io::Error::other)?;
        part = Bytes::from(writer.finish().map_err(io::Error::other)?);
        writing = writing.min(start.elapsed());
        let start = Instant::now();
        let mut found = 0;
        for batch in read::<R>(part.clone()).map_err(io::Error::other)? {
            found += batch.map_err(io::Error::other)?.len();
        }
        reading = reading.min(start.elapsed());
        assert_eq!(found, all.len());
    }
    let n = all.len().max(1) as f64;
    let each = |time: Duration| time.as_nanos() as f64 / n;
    println!(
        "{what:<20} {n:>8} rows {:>8.1} ns a row written {:>8.1} read {:>7.2} bytes",
        each(writing),
        each(reading),
        part.len() as f64 / n
    );
    Ok(())
}

fn main() -> io::Result<()> {
    let mut words = env::args_os().skip(1);
    let dir = words
        .next()
        .ok_or_else(|| io::Error::other("usage: bench_write DIR [ROUNDS]"))?;
    let dir = Path::new(&dir);
    let rounds = words
        .next()
        .and_then(|text| text.to_str()?.parse().ok())
        .unwrap_or(15);
    let only = words.next().and_then(|text| text.into_string().ok());
    let wanted = |table: &str| only.as_deref().is_none_or(|only| only == table);
    if wanted("twelve") {
        measure::<TwelveColumns>("plies, 12 columns", dir, rounds)?;
    }
    if wanted("plies") {
        measure::<PlyRow>("plies", dir, rounds)?;
    }
    if wanted("games") {
        measure::<GameRow>("games", dir, rounds)?;
    }
    if wanted("evaluations") {
        measure::<EvaluationRow>("evaluations", dir, rounds)?;
    }
    if wanted("counts") {
        measure::<CountRow>("counts", dir, rounds)?;
    }
    if wanted("findings") {
        measure::<FindingRow>("findings", dir, rounds)?;
    }
    Ok(())
}
