//! Prints what is found in archives: `items FILE...`; one line an item, `-v` for tokens.

use std::fs::File;

use archive::{Games, Item, ReaderSettings, Start, TokenKind, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a == "-v");
    let settings = ReaderSettings::default();
    for path in paths {
        let opened = open(Box::new(File::open(&path)?), &settings)?;
        println!("{path}: {}", opened.container.as_str());
        for item in Games::new(opened.reader, Start::BEGINNING, &settings) {
            match item? {
                Item::Game(game) => {
                    println!(
                        "  game {} at {}+{} {} {} ({}) {} tags {} moves result {:?}",
                        game.ordinal,
                        game.byte_offset,
                        game.byte_length,
                        game.encoding.as_str(),
                        game.dialect.as_str(),
                        game.evidence,
                        game.tags.len(),
                        game.moves().count(),
                        game.result_marker
                    );
                    for note in &game.notes {
                        println!(
                            "    note {} x{} at {}: {}",
                            note.kind.as_str(),
                            note.count,
                            note.offset,
                            note.text
                        );
                    }
                    if !flags.is_empty() {
                        for token in game.tokens.iter().filter(|t| t.kind != TokenKind::Move) {
                            println!("    {:?} {:?}", token.kind, game.text(token));
                        }
                    }
                }
                Item::Unreadable(range) => {
                    println!(
                        "  unreadable {}+{}: {}",
                        range.byte_offset, range.byte_length, range.reason
                    )
                }
                Item::End(sums) => println!("  end {sums:?}"),
            }
        }
    }
    Ok(())
}
