//! Where a member can be cut so that its parts are read apart.

use std::io::Read;

use crate::{
    error::{ContainerError, ReadError},
    games::{Accounting, Slice, Slices, Unreadable, UnreadableReason},
    settings::ReaderSettings,
    sniff,
    window::Start,
};

/// A range of a decompressed member that starts at a game (the first one at byte 0).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutRange {
    /// Where a reading of it begins.
    pub start: Start,
    /// Its length in the decompressed member.
    pub byte_length: u64,
    /// Games in it.
    pub games: u32,
    /// BLAKE3 of its bytes.
    pub hash: [u8; 32],
}

/// A member cut into ranges that follow one another without gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts {
    /// In order; one at least.
    pub ranges: Vec<CutRange>,
    /// The first 1,000 stretches that are no game, over the whole member; `sums` counts them all.
    pub unreadable: Vec<Unreadable>,
    /// The sums over the whole member.
    pub sums: Accounting,
    /// What is wrong with the member's container; it is among `unreadable`, too, if that has room.
    pub fault: Option<ContainerError>,
}

const MAX_UNREADABLE: usize = 1_000;

/// Reads a decompressed member once and cuts it at game starts, each range at least `target_bytes` long but the last, and
/// the first at least as long as what tells a member's kind.
///
/// Reading the ranges apart, each from its own `start`, finds the same games with the same ordinals as reading the
/// whole. For a member whose stream is broken the last range ends where the bytes do.
///
/// # Errors
/// The input's own; a broken container is an entry of `unreadable`.
pub fn cut_points(
    reader: impl Read,
    target_bytes: u64,
    settings: &ReaderSettings,
) -> Result<Cuts, ReadError> {
    cut_points_where(reader, target_bytes, settings, |_| true)
}

/// As [`cut_points`], cutting only where `may_cut` says that a reading can begin at an offset.
pub(crate) fn cut_points_where(
    reader: impl Read,
    target_bytes: u64,
    settings: &ReaderSettings,
    may_cut: impl Fn(u64) -> bool,
) -> Result<Cuts, ReadError> {
    let mut slices = Slices::new(reader, Start::BEGINNING, settings);
    slices.window().hash_bytes();
    let mut cuts = Cuts {
        ranges: Vec::new(),
        unreadable: Vec::new(),
        sums: Accounting::default(),
        fault: None,
    };
    let mut open = CutRange {
        start: Start::BEGINNING,
        byte_length: 0,
        games: 0,
        hash: [0; 32],
    };
    open.start.wide = slices.window().wide();
    while let Some(slice) = slices.next_with(|start, window, game_begins| {
        // What a member is shows in its first bytes, which stay together.
        let full = start.byte_offset - open.start.byte_offset >= target_bytes
            && start.byte_offset >= sniff::HEAD_BYTES as u64;
        if game_begins && full && open.games > 0 && may_cut(start.byte_offset) {
            let next = CutRange {
                start,
                byte_length: 0,
                games: 0,
                hash: [0; 32],
            };
            let mut closed = std::mem::replace(&mut open, next);
            closed.byte_length = start.byte_offset - closed.start.byte_offset;
            closed.hash = window.take_hash();
            cuts.ranges.push(closed);
        }
        open.games += 1;
    }) {
        match slice? {
            Slice::Game(_) => {}
            Slice::Unreadable(unreadable) => {
                if let UnreadableReason::Container(fault) = &unreadable.reason {
                    cuts.fault = Some(fault.clone());
                }
                if cuts.unreadable.len() < MAX_UNREADABLE {
                    cuts.unreadable.push(unreadable);
                }
            }
            Slice::End(sums) => cuts.sums = sums,
        }
    }
    open.byte_length = cuts.sums.total_bytes() - open.start.byte_offset;
    open.hash = slices.window().take_hash();
    cuts.ranges.push(open);
    Ok(cuts)
}
