//! Games as they stand in the archives.

use std::io::Write;

use archive::{Dialect, Encoding};
use pipeline::{CommitView, GamePlace, Originals, RealStores};
use tables::{GameRow, Hex};

use super::Export;
use crate::commands::pipeline_failure;
use crate::exit::{self, DONE, Exit};

/// A game to be written.
struct Wanted {
    record_hash: Hex<16>,
    encoding: Option<Encoding>,
    dialect: Option<Dialect>,
}

/// The chosen games of one archive.
#[derive(Default)]
struct Batch {
    archive: String,
    places: Vec<GamePlace>,
    games: Vec<Wanted>,
}

impl Export {
    /// Writes the chosen games' bytes, a blank line after each. Exit code 3 if some could not be read again.
    pub(super) fn as_original(
        &mut self,
        view: &CommitView,
        inputs: &[String],
        out: &mut dyn Write,
    ) -> anyhow::Result<Exit> {
        let originals = Originals::open(view, inputs, &RealStores).map_err(pipeline_failure)?;
        let mut text = Text::default();
        let mut batch = Batch::default();
        let mut lost = 0;
        for game in view.rows::<GameRow>() {
            let game = game.map_err(pipeline_failure)?;
            if !self.wants(&game) {
                continue;
            }
            if game.archive != batch.archive {
                lost += self.archive(&originals, std::mem::take(&mut batch), &mut text, out)?;
                batch.archive.clone_from(&game.archive);
            }
            batch.places.push(GamePlace {
                member: game.member,
                byte_offset: game.byte_offset.unsigned_abs(),
                byte_length: game.byte_length.unsigned_abs(),
            });
            batch.games.push(Wanted {
                record_hash: game.record_hash,
                encoding: game.encoding.parse().ok(),
                dialect: game.dialect.parse().ok(),
            });
        }
        lost += self.archive(&originals, batch, &mut text, out)?;
        out.flush()?;
        Ok(if lost > 0 { exit::INPUT } else { DONE })
    }

    /// Writes games of one archive; gives how many could not be read again.
    fn archive(
        &mut self,
        originals: &Originals,
        batch: Batch,
        text: &mut Text,
        out: &mut dyn Write,
    ) -> anyhow::Result<usize> {
        let mut found = 0;
        let there = originals.read(&batch.archive, &batch.places, |number, bytes| {
            let Some(game) = batch.games.get(number) else {
                return Ok(());
            };
            if Hex::from(replay::RecordHash::new(bytes)) != game.record_hash {
                return Ok(());
            }
            found += 1;
            if !text.takes(Kind::of(game, bytes)) {
                self.leave("games, lists of positions, JSON and UTF-16 would not be read again from one file: write one of them at a time, by --where \"dialect = 'epd'\", \"encoding = 'utf-16le'\" or the like");
                return Ok(());
            }
            self.written += 1;
            text.game(bytes, out)
        })?;
        let lost = batch.games.len() - found;
        for _ in 0..lost {
            self.leave(match there {
                true => format!("{} is not as the run read it", batch.archive),
                false => format!(
                    "{} is not there: say with --input where the archives lie",
                    batch.archive
                ),
            });
        }
        Ok(lost)
    }
}

/// What may stand in one file: behind a game of one kind a record of another would be taken for a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    wide: Option<Encoding>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Game,
    Position,
    Json,
    /// JSON in base64.
    Packed,
}

impl Kind {
    fn of(game: &Wanted, bytes: &[u8]) -> Kind {
        let first = bytes.iter().find(|byte| **byte != 0);
        let form = match game.dialect {
            Some(Dialect::Epd | Dialect::Ren) => Form::Position,
            _ if first == Some(&b'{') => Form::Json,
            Some(Dialect::Kpgn) => Form::Packed,
            _ => Form::Game,
        };
        Kind {
            wide: game.encoding.filter(|encoding| encoding.is_wide()),
            form,
        }
    }
}

/// The text that is written: all of it is of the kind of its first game.
#[derive(Default)]
struct Text {
    kind: Option<Kind>,
    begun: bool,
}

impl Text {
    fn takes(&mut self, kind: Kind) -> bool {
        *self.kind.get_or_insert(kind) == kind
    }

    fn game(&mut self, bytes: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
        let wide = self.kind.and_then(|kind| kind.wide);
        if let (false, Some(encoding)) = (self.begun, wide) {
            out.write_all(&unit(encoding, 0xFEFF))?;
        }
        self.begun = true;
        out.write_all(bytes)?;
        match wide {
            Some(encoding) => {
                let line_end = unit(encoding, u16::from(b'\n'));
                if !bytes.ends_with(&line_end) {
                    out.write_all(&line_end)?;
                }
                out.write_all(&line_end)
            }
            None if bytes.ends_with(b"\n") => out.write_all(b"\n"),
            None => out.write_all(b"\n\n"),
        }
    }
}

fn unit(encoding: Encoding, unit: u16) -> [u8; 2] {
    match encoding {
        Encoding::Utf16Be => unit.to_be_bytes(),
        _ => unit.to_le_bytes(),
    }
}
