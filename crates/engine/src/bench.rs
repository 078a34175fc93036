//! A number that says "same behaviour": nodes over fixed positions. `nabsak bench` prints it, commits quote it.

use std::time::{Duration, Instant};

use notation::fen;
use rules::{Line, Ruleset};

use crate::{Analyser, Budget, Builtin, BuiltinSettings, Unit};

/// The outcome of [`bench()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// Positions searched.
    pub positions: usize,
    /// All nodes together: the signature. It changes when the search or the evaluation does, and never else.
    pub nodes: u64,
    /// How long it took on this machine; not part of the signature.
    pub elapsed: Duration,
}

impl Bench {
    /// Nodes a second on this machine.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000 / self.elapsed.as_micros().max(1)) as u64
    }
}

/// Searches some thirty positions of all three games to a fixed depth. Takes a second or two.
#[must_use]
pub fn bench() -> Bench {
    let started = Instant::now();
    let mut engine = Builtin::new(&BuiltinSettings::default());
    let nodes = POSITIONS
        .iter()
        .filter_map(|(id, text)| nodes(&mut engine, id, text))
        .sum();
    Bench {
        positions: POSITIONS.len(),
        nodes,
        elapsed: started.elapsed(),
    }
}

fn nodes(engine: &mut Builtin, id: &str, text: &str) -> Option<u64> {
    let rules = Ruleset::builtin(id).ok()?;
    let start = fen::parse(text, &rules).ok()?;
    let line = Line::new(&rules, start.position, start.count_state);
    let budget = Budget {
        nodes: u64::MAX,
        depth: Some(DEPTH),
    };
    engine
        .assess(&Unit {
            line: &line,
            played: None,
            budget,
        })
        .ok()
        .map(|found| found.nodes)
}

const DEPTH: u32 = 9;

/// Positions of self-play, an opening to bare khuns; with and without a count; leaps; kar ouk.
const POSITIONS: [(&str, &str); 30] = [
    (
        "makruk",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    ),
    (
        "makruk",
        "rn1m2nr/3sks2/ppppp1p1/5p1p/4P2P/PPPPMPP1/3K3R/RNS2SN1 b - - 3 6",
    ),
    (
        "makruk",
        "rnsmr3/3k2s1/ppp2n1p/7p/2PPpN1R/P1N1P1P1/1S6/R2KMS2 b - - 3 13",
    ),
    (
        "makruk",
        "r3k1r1/3nm3/1ps1p2p/p1p2p2/P1P2PnP/1PNSP1P1/5M2/R1SK3R w - - 6 16",
    ),
    (
        "makruk",
        "4k3/r3ms2/p2p2p1/2p3P1/PsP5/5n1N/8/1R1KM2S b - - 1 24",
    ),
    (
        "makruk",
        "4r3/nsm1nsk1/1p2p1pr/pPp1PpNp/P1Pp1P1P/1S1P1SPK/1N3M2/R6R w - - 19 30",
    ),
    (
        "makruk",
        "3mk1r1/r7/1s2s3/2p1npPp/1pP1p2P/1P1nP1M1/RSNNS3/3K1R2 w - - 24 35",
    ),
    (
        "makruk",
        "r4k2/5r2/1mspsnp1/p1p1pp1p/PpP1P2P/1P1PMPPS/2S1N3/RK3R2 b - - 6 43",
    ),
    (
        "makruk",
        "2n3r1/2ksm3/p2pS3/P1pPpS2/1pP1P3/1P2M3/8/3K3R w - - 15 55",
    ),
    (
        "makruk",
        "4r3/3k4/3m1ps1/3s1p1p/1M2m~2P/P3S1P1/1N2K3/2R5 w - - 7 60",
    ),
    (
        "makruk",
        "2r4r/1kmn1s2/1pn1p3/p1psPp1p/P2P1PpP/NPRSM1P1/3N2S1/K1R5 w - - 8 67",
    ),
    (
        "makruk",
        "4R3/3n2kr/p2m2p1/Pp1n1pP1/1PpP3p/2P2P1P/1S3S1M/1K6 w - - 1 73",
    ),
    ("makruk", "3N1k2/8/3mM~1p1/2pP2P1/8/2K5/8/8 w - - 6 81"),
    ("makruk", "8/4k3/7p/1R4pP/3p1pP1/r2M~1P2/5MK1/8 w - - 17 84"),
    ("makruk", "8/8/S1M~5/1P3k2/3m4/1K1m~4/8/8 w - - 38 93"),
    ("makruk", "8/2K1k3/3N4/2p5/3m~S3/8/8/8 w - - 73 100"),
    ("makruk", "6k1/8/2R3M~1/4M~3/3M4/6K1/7r/8 b - - 6 109"),
    ("makruk", "8/8/1K1M~4/1p6/2k5/4m~3/8/8 b - - 2 119"),
    ("makruk", "8/8/8/2k5/2s1r3/8/K5R1/8 b - - 18 139"),
    ("makruk", "8/8/8/8/5N2/5M~2/5K2/7k w - - 0 1"),
    ("makruk", "8/8/8/8/6M1/5S2/5K2/7k w - 88 9 60"),
    ("makruk", "7k/8/8/8/8/8/R7/1R2K3 b - 16 8 40"),
    ("makruk-fairy", "8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - 128 18 50"),
    (
        "ouk",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
    ),
    (
        "ouk",
        "r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b DEe - 0 5",
    ),
    (
        "ouk",
        "2n3s1/r5k1/p2m1p2/8/1RpP4/4P3/3S3K/1N1SMR2 w E - 0 25",
    ),
    ("ouk", "8/2R5/8/5ks1/8/8/7K/8 w - 126 2 42"),
    (
        "cambodian-fairy",
        "rn1m1snr/3sk3/p1ppppp1/1p5p/2P1P3/PPMP1PPP/8/RNSK1SNR w Dd - 0 5",
    ),
    (
        "kar-ouk",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 1+1 0 1",
    ),
    (
        "kar-ouk",
        "1nsm1snr/3r4/1pkpM~1pp/p1p5/3P4/PPP2PPP/2K1N3/RNS1MS1R w Ed - 1+1 0 8",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched_and_twice_the_same() {
        let mut engine = Builtin::new(&BuiltinSettings::default());
        for (id, text) in POSITIONS {
            assert!(nodes(&mut engine, id, text).is_some(), "{id}: {text}");
        }
        assert_eq!(bench().nodes, bench().nodes);
    }
}
