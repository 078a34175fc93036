//! Games as they stand in the archives.

use std::io::Write;

use archive::Encoding;
use pipeline::{CommitView, GamePlace, Originals, RealStores};
use tables::{GameRow, Hex};

use super::Export;
use crate::commands::pipeline_failure;
use crate::exit::{self, DONE, Exit};

/// A game to be written.
struct Wanted {
    record_hash: Hex<16>,
    encoding: Option<Encoding>,
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
            if !text.takes(game.encoding) {
                self.leave("UTF-16 and other text do not go into one file: choose by --where \"encoding = 'utf-16le'\" or the like");
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

/// The text that is written: all of it is UTF-16 of one kind, or nothing of it.
#[derive(Default)]
struct Text {
    /// Of the first game.
    wide: Option<Option<Encoding>>,
    begun: bool,
}

impl Text {
    fn takes(&mut self, encoding: Option<Encoding>) -> bool {
        let wide = encoding.filter(|encoding| encoding.is_wide());
        *self.wide.get_or_insert(wide) == wide
    }

    fn game(&mut self, bytes: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
        let wide = self.wide.flatten();
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
