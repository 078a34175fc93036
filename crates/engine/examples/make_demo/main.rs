//! Makes the demo archive, or the parts of it that are named: `make_demo FOLDER [PART...]`. The same engine makes the
//! same bytes.
//!
//! Every game is self-play of the built-in engine: players of different strength, random openings, clocks, resignations,
//! draws by counting, repetition and agreement. Names are invented.

mod defects;
mod dialect;
mod game;
mod pack;
mod people;
mod san;

use std::io::Result;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::{Builtin, BuiltinSettings};

use crate::dialect::Comments;
use crate::game::{Game, Plan};
use crate::people::Circle;

const BLITZ: &[(u32, u32)] = &[(180, 2), (300, 3), (300, 0), (600, 5)];
const RAPID: &[(u32, u32)] = &[(900, 10), (1800, 20)];
const PLAYOK: &[(u32, u32)] = &[(300, 0), (600, 0), (900, 0)];
const ENGINE: &[(u32, u32)] = &[(10, 0), (20, 0)];

/// Writes one part into the folder.
type Part = fn(&Path) -> Result<()>;

const PARTS: [(&str, Part); 7] = [
    ("defects", defective),
    ("pychess-month", pychess_month),
    ("pychess-user", pychess_user),
    ("cutechess", cutechess),
    ("winboard", winboard),
    ("playok", playok),
    ("federation", federation),
];

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "demo".into());
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder.join("playok"))?;
    // Parts do not depend on one another: each can be made alone.
    for (name, part) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            part(folder)?;
        }
    }
    Ok(())
}

fn plan(
    rules: &'static str,
    games: u64,
    circle: Circle,
    paces: &'static [(u32, u32)],
    seed: u64,
) -> Plan {
    Plan {
        rules,
        games,
        circle,
        nodes: (3000, 9000),
        paces,
        from: (2025, 11, 1),
        days: 29,
        stubborn: false,
        seed,
    }
}

/// All games of a plan, in order, played on all cores.
fn play(plan: &Plan) -> Vec<Game> {
    let next = AtomicU64::new(0);
    let games = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut engine = Builtin::new(&BuiltinSettings { hash_mib: 1 });
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.games {
                        return;
                    }
                    let game = plan.play(number, &mut engine);
                    games.lock().expect("no player panics").push(game);
                }
            });
        }
    });
    let mut games = games.into_inner().expect("no player panics");
    games.sort_by_key(|game| game.number);
    eprintln!("{} {} games for {:?}", plan.games, plan.rules, plan.circle);
    games
}

/// Deals several plans' games out as one file has them: by date, then as they came.
fn mixed(plans: &[Plan]) -> Vec<Game> {
    let mut games: Vec<Game> = plans.iter().flat_map(play).collect();
    games.sort_by_key(|game| game.date);
    games
}

/// The texts of the games in two parts, for containers with several.
fn halves(texts: Vec<String>) -> [String; 2] {
    let (first, second) = texts.split_at(texts.len() / 2);
    [first.concat(), second.concat()]
}

fn pychess_month(folder: &Path) -> Result<()> {
    let games = mixed(&[
        plan("makruk", 90, Circle::Online, BLITZ, 101),
        plan("ouk", 40, Circle::Online, BLITZ, 102),
        plan("kar-ouk", 6, Circle::Online, BLITZ, 103),
    ]);
    let texts = games
        .iter()
        .map(|game| dialect::pychess(game, Comments::None))
        .collect();
    std::fs::write(
        folder.join("pychess_db_2025-11.pgn.bz2"),
        pack::bzip2(&halves(texts))?,
    )
}

fn pychess_user(folder: &Path) -> Result<()> {
    let games = mixed(&[
        plan("makruk", 40, Circle::Online, BLITZ, 111),
        plan("ouk", 12, Circle::Online, BLITZ, 112),
    ]);
    let texts = games
        .iter()
        .map(|game| dialect::pychess(game, Comments::Full))
        .collect();
    std::fs::write(
        folder.join("pychess-rua_dam.pgn.zst"),
        pack::zstd(&halves(texts))?,
    )
}

fn cutechess(folder: &Path) -> Result<()> {
    let makruk = play(&Plan {
        nodes: (5000, 12_000),
        ..plan("makruk", 80, Circle::Engines, ENGINE, 121)
    });
    let texts = makruk
        .iter()
        .map(|game| dialect::cutechess(game, "Siam Engine League 4"))
        .collect();
    std::fs::write(
        folder.join("engine-league.pgn.gz"),
        pack::gzip(&halves(texts))?,
    )?;
    let ouk = play(&plan("ouk", 28, Circle::Engines, ENGINE, 122));
    let texts: Vec<String> = ouk
        .iter()
        .map(|game| dialect::cutechess(game, "Angkor Engine Cup"))
        .collect();
    std::fs::write(folder.join("engine-cup-ouk.pgn"), texts.concat())
}

fn winboard(folder: &Path) -> Result<()> {
    let makruk = play(&plan("makruk", 36, Circle::Thai, BLITZ, 131));
    let ouk = play(&plan("ouk", 30, Circle::Khmer, BLITZ, 132));
    let text = |games: &[Game]| games.iter().map(dialect::winboard).collect::<String>();
    std::fs::write(folder.join("winboard-club.pgn"), text(&makruk))?;
    std::fs::write(folder.join("winboard-phnom-penh.pgn"), text(&ouk))
}

fn playok(folder: &Path) -> Result<()> {
    let games = play(&plan("makruk", 60, Circle::PlayOk, PLAYOK, 141));
    let (single, together) = games.split_at(24);
    for game in single {
        let name = format!("playok/mk{}.txt", 91_204_000 + game.number * 137);
        std::fs::write(folder.join(name), dialect::playok(game))?;
    }
    let text: String = together.iter().map(dialect::playok).collect();
    std::fs::write(folder.join("playok/mk-2025-11.txt"), text)
}

fn federation(folder: &Path) -> Result<()> {
    let open = play(&Plan {
        stubborn: true,
        ..plan("makruk", 30, Circle::Thai, RAPID, 151)
    });
    let text: String = open
        .iter()
        .map(|game| dialect::federation(game, "Korat Open 2568", "Nakhon Ratchasima THA", true))
        .collect();
    std::fs::write(folder.join("korat-open.pgn"), text)?;
    let club = play(&plan("makruk", 20, Circle::ThaiScript, RAPID, 152));
    let text: String = club
        .iter()
        .map(|game| dialect::federation(game, "ชิงถ้วยสโมสรหมากรุกไทย", "กรุงเทพมหานคร", false))
        .collect();
    let (bytes, _, unmappable) = encoding_rs::WINDOWS_874.encode(&text);
    assert!(!unmappable, "Thai and Latin letters are all in Windows-874");
    std::fs::write(folder.join("thai-club.pgn"), bytes)
}

fn defective(folder: &Path) -> Result<()> {
    let mut engine = Builtin::new(&BuiltinSettings { hash_mib: 1 });
    let defects = defects::defects(&mut engine);
    let bytes: Vec<u8> = defects
        .iter()
        .flat_map(|defect| defect.bytes.clone())
        .collect();
    std::fs::write(folder.join("defects.pgn"), bytes)?;
    let mut table = String::from("file\tordinal\tcode\twhat\n");
    for (at, defect) in defects.iter().enumerate() {
        table.push_str(&format!(
            "defects.pgn\t{}\t{}\t{}\n",
            at + 1,
            defect.code,
            defect.what
        ));
    }
    std::fs::write(folder.join("EXPECTED.tsv"), table)
}
