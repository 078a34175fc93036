//! How fast archives are read: `speed FILE [SECONDS] [cut|hash|read]`, on one core.

use std::{
    fs::File,
    io::Cursor,
    time::{Duration, Instant},
};

use archive::{Games, Item, ReaderSettings, Slice, Slices, Start, cut_points, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args
        .next()
        .ok_or("usage: speed FILE [SECONDS] [cut|hash|read]")?;
    let seconds = args.next().map_or(Ok(3), |text| text.parse())?;
    let only = args.next();
    let settings = ReaderSettings::default();
    let mut bytes = Vec::new();
    std::io::copy(
        &mut open(Box::new(File::open(&path)?), &settings)?.reader,
        &mut bytes,
    )?;
    let measure = |name: &str, run: &dyn Fn(&[u8]) -> usize| {
        if only.as_ref().is_some_and(|only| only != name) {
            return;
        }
        let (mut rounds, mut count) = (0_u32, 0);
        let (begun, begun_ns) = (Instant::now(), cpu_ns());
        while rounds == 0 || begun.elapsed() < Duration::from_secs(seconds) {
            count = run(&bytes);
            rounds += 1;
        }
        let ns = cpu_ns()
            .zip(begun_ns)
            .map(|(end, start)| (end - start) as f64);
        let took = ns.map_or(begun.elapsed().as_secs_f64(), |ns| ns / 1e9) / f64::from(rounds);
        println!(
            "{name}: {:.0} MB/s, {count} counted, {:.1} ns each",
            bytes.len() as f64 / 1e6 / took,
            took * 1e9 / count.max(1) as f64
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
            .map(|item| match item {
                Ok(Item::Game(game)) => game.moves().count(),
                _ => 0,
            })
            .sum()
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
