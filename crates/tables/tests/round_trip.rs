//! Rows -> Parquet -> rows; equal bytes for equal rows; order, projection and memory of the writer.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../examples/sample/rows.rs"]
mod sample;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use sample::rows;
use tables::{
    ArchiveRow, BATCH_ROWS, CountRateRow, CountRow, DuplicateRow, EvaluationRow, FindingRow,
    FormationRow, GameOpeningRow, GameRow, Hex, Key, OpeningRow, PlayerRow, PlyRow, ROW_GROUP_ROWS,
    Row, RunRow, Table, TableError, TableWriter, VerdictRow, read, read_all, row, write,
};

fn there_and_back<R: Row + PartialEq + std::fmt::Debug>() {
    let mut written: Vec<R> = rows(300, 7);
    let part = Bytes::from(write(written.clone()).unwrap());
    written.sort_by(R::order);
    assert!(read_all::<R>(part).unwrap() == written, "{}", R::TABLE);
    assert_eq!(
        read_all::<R>(Bytes::from(write::<R>(Vec::new()).unwrap())).unwrap(),
        []
    );
}

#[test]
fn every_table_comes_back() {
    there_and_back::<ArchiveRow>();
    there_and_back::<GameRow>();
    there_and_back::<PlyRow>();
    there_and_back::<FindingRow>();
    there_and_back::<CountRow>();
    there_and_back::<VerdictRow>();
    there_and_back::<EvaluationRow>();
    there_and_back::<PlayerRow>();
    there_and_back::<GameOpeningRow>();
    there_and_back::<DuplicateRow>();
    there_and_back::<CountRateRow>();
    there_and_back::<OpeningRow>();
    there_and_back::<FormationRow>();
    there_and_back::<RunRow>();
}

#[test]
fn bytes_do_not_depend_on_how_rows_are_pushed() {
    let all: Vec<PlyRow> = rows(3 * BATCH_ROWS + 17, 3);
    let whole = write(all.clone()).unwrap();
    let mut writer = TableWriter::new(Vec::new()).unwrap();
    for piece in all.chunks(1000) {
        writer.extend(piece.iter().cloned()).unwrap();
    }
    assert!(writer.finish().unwrap() == whole);
    assert!(write(all).unwrap() == whole);
}

/// The length and a sum of the bytes: a change of either is a change of what is stored, and must be meant.
#[test]
fn bytes_are_those_of_this_release() {
    let part = write(rows::<PlyRow>(1000, 1)).unwrap();
    let sum = part.iter().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(*byte))
    });
    assert_eq!(
        (part.len(), sum),
        SIGNATURE,
        "stored bytes changed: say so in the changelog and raise the stage versions"
    );
}

const SIGNATURE: (usize, u32) = (53368, 825813036);

#[test]
fn rows_against_the_order_are_refused() {
    let mut archives: Vec<ArchiveRow> = rows(2, 1);
    archives[0].archive = "b.pgn".into();
    archives[1].archive = "a.pgn".into();
    let mut writer = TableWriter::new(Vec::new()).unwrap();
    let error = writer.extend(archives).unwrap_err();
    assert!(
        matches!(
            error,
            TableError::OutOfOrder {
                table: Table::Archives,
                row: 1
            }
        ),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "table archives: row 1 comes after one that must follow it (order: archive)"
    );
}

row! {
    /// Two columns of `plies`, the other way round.
    pub struct Visited in Table::Plies, ordered by [] {
        /// The position.
        pub position_key: Key,
        /// The game.
        pub game_id: Hex<16>,
    }
}

#[test]
fn a_narrow_row_reads_its_own_columns() {
    let plies: Vec<PlyRow> = rows(100, 5);
    let part = Bytes::from(write(plies.clone()).unwrap());
    let visited = read_all::<Visited>(part).unwrap();
    let expected: Vec<Visited> = plies
        .iter()
        .map(|ply| Visited {
            position_key: ply.position_key,
            game_id: ply.game_id,
        })
        .collect();
    assert_eq!(visited, expected);
}

#[test]
fn a_missing_column_is_named() {
    let part = Bytes::from(write(rows::<ArchiveRow>(3, 1)).unwrap());
    let error = read::<Visited>(part).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table plies: the file has no column position_key"
    );
    assert!(matches!(
        read::<Visited>(Bytes::from_static(b"no parquet")),
        Err(TableError::Parquet { .. })
    ));
}

#[test]
fn a_word_outside_its_list_is_named() {
    row! {
        /// `findings` by someone with another idea of severity.
        pub struct Loose in Table::Findings, ordered by [] {
            /// Any word.
            pub severity: tables::Symbol,
        }
    }
    row! {
        /// The same, strict.
        pub struct Strict in Table::Findings, ordered by [] {
            /// One of the list.
            pub severity: tables::Severity,
        }
    }
    let part = Bytes::from(
        write(vec![Loose {
            severity: "fatal".into(),
        }])
        .unwrap(),
    );
    let error = read_all::<Strict>(part).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table findings, column severity: \"fatal\" is not one of note, warning, error, critical"
    );
}

#[test]
fn parts_carry_what_readers_prune_by() {
    let n = ROW_GROUP_ROWS + 1;
    let part = Bytes::from(write(rows::<PlyRow>(n, 9)).unwrap());
    let file = SerializedFileReader::new(part).unwrap();
    let metadata = file.metadata();
    assert_eq!(metadata.num_row_groups(), 2);
    assert_eq!(
        metadata.file_metadata().created_by(),
        Some("nabsak version 1.0.0")
    );
    for group in metadata.row_groups() {
        for column in group.columns() {
            let name = column.column_descr().name();
            let pruned_by = !Table::Plies.without_statistics().contains(&name);
            assert_eq!(
                column.statistics().is_some(),
                pruned_by,
                "{name}: statistics"
            );
            assert_eq!(
                column.column_index_offset().is_some(),
                pruned_by,
                "{name}: page index"
            );
            assert!(column.offset_index_offset().is_some(), "{name}: pages");
            assert_eq!(
                column.bloom_filter_offset().is_some(),
                name == "game_id",
                "{name}: Bloom filter"
            );
        }
    }
    let games =
        SerializedFileReader::new(Bytes::from(write(rows::<GameRow>(10, 2)).unwrap())).unwrap();
    let order = games
        .metadata()
        .row_group(0)
        .sorting_columns()
        .unwrap()
        .iter()
        .map(|key| key.column_idx)
        .collect::<Vec<_>>();
    assert_eq!(order, [2], "archive");
}

#[test]
fn repeated_tags_are_kept_apart() {
    let mut tags = tables::Tags::default();
    [
        ("Event", "a"),
        ("Event", "b"),
        ("Site", "c"),
        ("Event", "d"),
    ]
    .iter()
    .for_each(|(name, value)| tags.push(name, value));
    let pairs: Vec<(&str, &str)> = tags.iter().collect();
    assert_eq!(
        pairs,
        [
            ("Event", "a"),
            ("Event#2", "b"),
            ("Site", "c"),
            ("Event#3", "d")
        ]
    );
    assert_eq!(tags.get("Event#2"), Some("b"));
}

#[test]
fn many_tags_are_named_as_few_are() {
    // Names that repeat, and names that look like a repeated one's.
    let names: Vec<String> = (0..400)
        .map(|i: usize| match i % 7 {
            0 => "A".to_owned(),
            1 => format!("A#{}", i * 13 % 60),
            2 => format!("B#{}", i % 9),
            3 => "B".to_owned(),
            _ => format!("T{}", i * 31 % 97),
        })
        .collect();
    let mut slowly = tables::Tags::default();
    names.iter().for_each(|name| slowly.push(name, "x"));
    let pairs = names.iter().map(|name| (name.as_str(), "x"));
    assert_eq!(tables::Tags::of(pairs), slowly);
}

#[test]
fn ids_come_back() {
    let key = Key::from(0x00ab_cdef_0123_4567);
    assert_eq!(key.to_string(), "00abcdef01234567");
    assert_eq!("00abcdef01234567".parse::<Key>().unwrap(), key);
    assert_eq!(u64::from(key), 0x00ab_cdef_0123_4567);
    for bad in ["", "00abcdef0123456", "00abcdef0123456g", "๐๐abcdef012"] {
        assert!(bad.parse::<Key>().is_err(), "{bad}");
    }
}
