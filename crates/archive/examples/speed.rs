//! How fast archives are read: `speed FILE [SECONDS|ROUNDSx] [cut|hash|read]`, on one core.
//!
//! Instructions a move, which a busy machine does not change: two numbers of rounds under callgrind, subtracted and
//! divided by the moves that it prints, times the difference of the rounds.
//!
//! ```text
//! cargo build --release -p nabsak-archive --example speed
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/speed FILE 1x read
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/speed FILE 3x read
//! ```

use std::{
    fs::File,
    hint::black_box,
    io::Cursor,
    time::{Duration, Instant},
};

use archive::{Games, Item, ReaderSettings, Slice, Slices, Start, cut_points, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args
        .next()
        .ok_or("usage: speed FILE [SECONDS|ROUNDSx] [cut|hash|read]")?;
    let amount = args.next().unwrap_or_else(|| "3".to_owned());
    let (seconds, exactly) = match amount.strip_suffix('x') {
        Some(rounds) => (0, Some(rounds.parse()?)),
        None => (amount.parse()?, None),
    };
    let only = args.next();
    let settings = ReaderSettings::default();
    let mut bytes = Vec::new();
    std::io::copy(
        &mut open(Box::new(File::open(&path)?), &settings)?.reader,
        &mut bytes,
    )?;
    let moves: usize = Games::new(Cursor::new(&bytes), Start::BEGINNING, &settings)
        .map(|item| match item {
            Ok(Item::Game(game)) => game.moves().count(),
            _ => 0,
        })
        .sum();
    let measure = |name: &str, run: &dyn Fn(&[u8]) -> usize| {
        if only.as_ref().is_some_and(|only| only != name) {
            return;
        }
        let (mut rounds, mut count) = (0_u32, 0);
        let (begun, begun_ns) = (Instant::now(), cpu_ns());
        let goes_on = |rounds| match exactly {
            Some(wanted) => rounds < wanted,
            None => rounds == 0 || begun.elapsed() < Duration::from_secs(seconds),
        };
        while goes_on(rounds) {
            count = run(&bytes);
            rounds += 1;
        }
        let ns = cpu_ns()
            .zip(begun_ns)
            .map(|(end, start)| (end - start) as f64);
        let took = ns.map_or(begun.elapsed().as_secs_f64(), |ns| ns / 1e9) / f64::from(rounds);
        println!(
            "{name}: {:.0} MB/s, {count} games, {moves} moves, {:.1} ns a move",
            bytes.len() as f64 / 1e6 / took,
            took * 1e9 / moves.max(1) as f64
        );
    };
    measure("cut", &|bytes| {
        Slices::new(Cursor::new(bytes), Start::BEGINNING, &settings)
            .filter(|slice| matches!(slice, Ok(Slice::Game(_))))
            .count()
    });
    measure("hash", &|bytes| {
        cut_points(bytes, 64 << 20, &settings).map_or(0, |cuts| cuts.sums.games as usize)
    });
    measure("read", &|bytes| {
        Games::new(Cursor::new(bytes), Start::BEGINNING, &settings)
            .filter(|item| matches!(black_box(item), Ok(Item::Game(_))))
            .count()
    });
    Ok(())
}

/// Time on the CPU, which a busy machine does not spoil; only Linux tells.
fn cpu_ns() -> Option<u64> {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()?
        .split(' ')
        .next()?
        .parse()
        .ok()
}
