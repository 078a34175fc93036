//! What must hold for any bytes: run by the fuzzer, and by `fuzz_seeds` on what it found.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "each test binary uses its own part of what they share"
)]

use archive::{Dialect, ReaderSettings, Start, comment, cut_points, date, outcome, time_control};

use crate::util;

/// As an archive: each file is accounted for to the byte, and the ranges of a survey hold what the survey says. Memory
/// and time are bounded by the limits.
pub fn container(bytes: &[u8]) {
    let settings = ReaderSettings {
        max_decompressed_bytes: 256 << 10,
        max_archive_bytes: 512 << 10,
        max_members: 20,
        max_game_bytes: 20_000,
        zstd_window_log_max: 20,
        ..ReaderSettings::default()
    };
    let (_, found) = util::members(bytes, 1_000, &settings);
    let text: usize = found.iter().map(|member| member.text.len()).sum();
    assert!(text <= 768 << 10 || text <= bytes.len());
}

/// As the text of a member: every byte is somewhere, cut anywhere it reads the same, and whatever stands in a game can be
/// looked at.
pub fn text(bytes: &[u8]) {
    reads(bytes, None);
}

/// As the text of a member whose dialect is said: the first byte chooses it.
pub fn dialect(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let number = usize::from(*first) % Dialect::ALL.len();
    reads(bytes, Some(Dialect::ALL[number]));
}

fn reads(bytes: &[u8], dialect: Option<Dialect>) {
    let settings = ReaderSettings {
        max_game_bytes: 3_000,
        dialect,
        ..ReaderSettings::default()
    };
    let found = util::read_from(bytes, Start::BEGINNING, &settings);
    util::check_accounting(bytes, &found);
    for game in &found.games {
        for token in &game.tokens {
            let text = game.text(token);
            comment::parse(&text);
            outcome::parse(&text);
        }
        for tag in &game.tags {
            date::parse(tag.value);
            time_control::parse(tag.value);
            comment::parse(tag.value);
        }
    }
    let cuts = cut_points(bytes, 1, &settings).unwrap();
    let (mut at, mut games) = (0, 0);
    for range in &cuts.ranges {
        let end = at + range.byte_length as usize;
        let part = util::read_from(&bytes[at..end], range.start, &settings);
        for (one, other) in part.games.iter().zip(&found.games[games..]) {
            assert_eq!(one, other);
        }
        games += part.games.len();
        at = end;
    }
    assert_eq!((at, games), (bytes.len(), found.games.len()));
}
