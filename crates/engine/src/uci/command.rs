//! What to start, and what to tell it.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to start an outside engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciCommand {
    /// The executable: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// `setoption` pairs, sent in this order once `uciok` has come. `Threads` is set to 1 unless given.
    pub options: Vec<(String, String)>,
    /// How long one unit may take, and how long the engine may take to start.
    pub deadline_per_ply: Duration,
    /// Restarts for one unit before its error is handed up.
    pub restarts: u32,
    /// Let the engine judge rule sets that it is known to have wrong.
    pub force_variant: bool,
}

impl UciCommand {
    /// A command without arguments or options, ten seconds a unit, two restarts.
    pub fn new(program: impl Into<PathBuf>) -> UciCommand {
        UciCommand {
            program: program.into(),
            args: Vec::new(),
            options: Vec::new(),
            deadline_per_ply: Duration::from_secs(10),
            restarts: 2,
            force_variant: false,
        }
    }

    /// The command with one option more.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> UciCommand {
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The executable's real place.
    pub(super) fn executable(&self) -> std::io::Result<PathBuf> {
        if self.program.components().count() > 1 {
            return self.program.canonicalize();
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(&self.program))
            .find(|file| file.is_file())
            .ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "not found in PATH"))
    }
}

/// Where Fairy-Stockfish is: the environment variable `NABSAK_FAIRY_STOCKFISH`, else Debian's place, else `PATH`.
#[must_use]
pub fn fairy_stockfish() -> PathBuf {
    let debian = Path::new("/usr/games/fairy-stockfish");
    match std::env::var_os("NABSAK_FAIRY_STOCKFISH") {
        Some(path) => path.into(),
        None if debian.is_file() => debian.to_owned(),
        None => PathBuf::from("fairy-stockfish"),
    }
}
