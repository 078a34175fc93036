//! How fast plies are written and read: `cargo run --release -p nabsak-tables --example bench_write [ROWS]`.

#[path = "sample/rows.rs"]
mod sample;

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tables::{Hex, Key, PlyRow, Row, Table, TableWriter, read, row};

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

/// Plies that repeat as those of real games do: 80 a game, some 400 different moves.
fn plies(n: usize) -> Vec<PlyRow> {
    let mut plies: Vec<PlyRow> = sample::rows(n, 1);
    for (index, ply) in plies.iter_mut().enumerate() {
        let game = (index / 80) as u64;
        let hash = game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ply.game_id = Hex([hash.to_be_bytes(), hash.rotate_left(17).to_be_bytes()]
            .concat()
            .try_into()
            .unwrap_or([0; 16]));
        ply.ply = (index % 80) as i32 + 1;
        let mv = u64::from(ply.position_key) % 400;
        ply.san = format!(
            "{}{}{}",
            ["", "N", "S", "R", "M", "K"][mv as usize % 6],
            ["a", "b", "c", "d"][mv as usize % 4],
            mv % 8
        );
        ply.uci = format!(
            "{}{}{}{}",
            ["a", "b", "c"][mv as usize % 3],
            mv % 8,
            ["a", "b", "c", "d"][mv as usize % 4],
            mv / 50
        );
        ply.token = ply.san.clone();
        ply.token_offset = Some(index as i64 * 6);
        ply.eval_text = None;
        ply.eval_cp = None;
        ply.eval_mate = None;
        ply.eval_depth = None;
    }
    plies
}

/// Time on a processor so far: what others do on the machine does not count. Linux only.
fn busy() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(
        text.split(' ')
            .next()
            .and_then(|first| first.parse().ok())
            .unwrap_or(0),
    )
}

fn measure<R: Row>(what: &str, rows: Vec<R>) -> Vec<u8> {
    let n = rows.len() as f64;
    let start = busy();
    let mut writer = TableWriter::new(Vec::new()).expect("a Vec takes all bytes");
    writer.extend(rows).expect("a Vec takes all bytes");
    let part = writer.finish().expect("a Vec takes all bytes");
    let seconds = (busy() - start).as_secs_f64();
    println!(
        "{what}: {:.2} M rows/s written, {:.1} bytes a row",
        n / seconds / 1e6,
        part.len() as f64 / n
    );
    let start = busy();
    let read: usize = read::<R>(Bytes::from(part.clone()))
        .expect("just written")
        .map(|batch| batch.map_or(0, |rows| rows.len()))
        .sum();
    println!(
        "{what}: {:.2} M rows/s read",
        read as f64 / (busy() - start).as_secs_f64() / 1e6
    );
    part
}

fn main() -> io::Result<()> {
    let n = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_000_000);
    let all = plies(n);
    let twelve = all.iter().map(|ply| TwelveColumns {
        game_id: ply.game_id,
        ply: ply.ply,
        side: ply.side,
        san: ply.san.clone(),
        uci: ply.uci.clone(),
        position_key: ply.position_key,
        gives_check: ply.gives_check,
        is_capture: ply.is_capture,
        clock_ms: ply.clock_ms,
        count_kind: ply.count_kind,
        count_number: ply.count_number,
        repetitions: ply.repetitions,
    });
    measure("12 columns", twelve.collect());
    measure("all of plies", all);
    Ok(())
}
