//! What the counting episodes tell beside their numbers: replies left, what draws them, and when.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{CountEpisode, EpisodeEnd, Judge};
use rules::{CountClose, FullMoves, Ruleset};
use util::{accepted, quiet};

fn episodes(
    id: &str,
    fen: &str,
    moves: &[String],
    comments: &[(usize, &str)],
) -> Vec<CountEpisode> {
    let rules = Ruleset::builtin(id).unwrap();
    let variant = match rules.variant() {
        rules::Variant::Makruk => "Makruk",
        rules::Variant::Ouk => "Ouk",
        rules::Variant::KarOuk => "Karouk",
    };
    let mut judge = Judge::default();
    judge.bind(rules.variant(), rules.id()).unwrap();
    let mut moves = moves.to_vec();
    for (ply, text) in comments {
        moves[ply - 1].push_str(&format!(" {{{text}}}"));
    }
    let text = quiet::record(variant, fen, "", &moves, "*");
    accepted(&util::text(&text, &judge)).counts.clone()
}

fn number(number: u32) -> FullMoves {
    FullMoves(number)
}

/// White takes the last man with ply 1: N = 4, L = 8; the timeline of RULES 4.3.
const BARED: &str = "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1";

#[test]
fn the_pieces_honour_after_four_plies() {
    let moves = quiet::moves(BARED, "makruk", "e1e4", 4);
    // Two numbers said with plies 2 and 4: the reply to the second is to come.
    for (id, replies, close, draw_ply) in [
        ("makruk", 3, CountClose::ReplyTo(number(8)), 9),
        ("makruk-ttakji", 3, CountClose::ReplyTo(number(8)), 9),
        ("makruk-fairy", 3, CountClose::Said(number(9)), 10),
        ("ouk", 2, CountClose::Said(number(8)), 8),
        ("ouk-chessplayx", 3, CountClose::ReplyTo(number(8)), 9),
        ("cambodian-fairy", 2, CountClose::Said(number(8)), 8),
        ("kar-ouk", 2, CountClose::Said(number(8)), 8),
        ("karouk-fairy", 2, CountClose::Said(number(8)), 8),
    ] {
        let all = episodes(id, BARED, &moves, &[]);
        let [episode] = all.as_slice() else {
            panic!("{id}: {all:?}");
        };
        assert_eq!(episode.last_number, Some(number(6)), "{id}");
        assert_eq!(episode.replies_left, Some(replies), "{id}");
        assert_eq!((episode.close, episode.draw_ply), (close, draw_ply), "{id}");
    }
    // W by command with ply 2: says 4 and 5, and 8 with ply 10. Silent: the same for the earliest start, replies unknown.
    for id in ["makruk-wikipedia", "ouk-wikipedia"] {
        for (comments, replies) in [(&[(2, "[%count start]")][..], Some(3)), (&[][..], None)] {
            let all = episodes(id, BARED, &moves, comments);
            let episode = all.last().unwrap();
            assert_eq!(episode.last_number, Some(number(5)), "{id}");
            assert_eq!(episode.replies_left, replies, "{id}");
            let want = (CountClose::Said(number(8)), 10);
            assert_eq!((episode.close, episode.draw_ply), want, "{id}");
        }
    }
}

#[test]
fn what_would_have_drawn_is_what_draws() {
    let moves = quiet::moves(BARED, "makruk", "e1e4", 14);
    for id in ["makruk", "makruk-fairy", "ouk", "ouk-chessplayx", "kar-ouk"] {
        let early = episodes(id, BARED, &moves[..3], &[]);
        let late = episodes(id, BARED, &moves, &[]);
        assert_eq!(early[0].draw_ply, late[0].draw_ply, "{id}");
        assert_eq!(late[0].ended, EpisodeEnd::Limit, "{id}");
        assert_eq!(late[0].replies_left, Some(0), "{id}");
        assert_eq!(late.len(), 1, "{id}");
    }
}

/// White has khun, rua and met, Black khun and ma; no bia.
const ARMED: &str = "7k/8/5n2/8/8/8/4M3/R2K4 w - - 0 1";

#[test]
fn the_boards_honour() {
    let moves = quiet::moves(ARMED, "makruk", "", 7);
    let marks = [(2, "[%count start]"), (6, "[%count stop]")];
    // Black says 1, 2 and, stopping, 3. It would have been drawn with the reply to 64, ply 129.
    for id in [
        "makruk",
        "makruk-ttakji",
        "makruk-wikipedia",
        "ouk-wikipedia",
    ] {
        let all = episodes(id, ARMED, &moves, &marks);
        let episode = &all[0];
        assert_eq!(episode.ended, EpisodeEnd::Stopped, "{id}");
        assert_eq!(
            (episode.last_number, episode.draw_ply),
            (Some(number(3)), 129),
            "{id}"
        );
        assert_eq!(episode.close, CountClose::ReplyTo(number(64)), "{id}");
        // 64 - 2: the reply to 3 was still to come.
        assert_eq!(episode.replies_left, Some(62), "{id}");
    }
}

#[test]
fn begun_anew_without_a_stop_is_another_episode() {
    // W's bare khun says 4 with ply 2 and begins anew with ply 4: 4 again.
    let moves = quiet::moves(BARED, "makruk", "e1e4", 6);
    let marks = [(2, "[%count start]"), (4, "[%count start]")];
    let all = episodes("makruk-wikipedia", BARED, &moves, &marks);
    let pieces: Vec<_> = all
        .iter()
        .filter(|episode| episode.limit == number(8))
        .collect();
    assert_eq!(pieces.len(), 2, "{all:#?}");
    assert_eq!(
        (pieces[0].last_number, pieces[0].ended),
        (Some(number(4)), EpisodeEnd::Stopped)
    );
    assert_eq!(
        (pieces[1].last_number, pieces[1].draw_ply),
        (Some(number(5)), 12)
    );
}
