//! Zips and tars: their files one after the other, whatever is wrong with the container.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::io::{Cursor, Write};

use archive::{Container, ContainerError, ReaderSettings, UnreadableReason};
use util::{Member, members};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

fn game(name: &str) -> String {
    format!("[Event \"{name}\"]\n[Result \"1-0\"]\n\n1. e4 d5 2. exd5 1-0\n\n")
}

fn games(name: &str, count: usize) -> Vec<u8> {
    (0..count)
        .map(|number| game(&format!("{name} {number}")))
        .collect::<String>()
        .into_bytes()
}

fn options(method: CompressionMethod) -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(method)
}

fn zip_of(files: &[(&str, &[u8])], options: SimpleFileOptions) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: &[u8]) -> (Container, Vec<Member>) {
    members(bytes, 1 << 20, &ReaderSettings::default())
}

/// Name and number of games of each file that is read.
fn counts(found: &[Member]) -> Vec<(&str, usize)> {
    let read = found.iter().filter(|member| !member.skipped);
    read.map(|member| (member.name(), member.found.games.len()))
        .collect()
}

fn says(found: &[Member]) -> Vec<String> {
    found.iter().flat_map(Member::says).collect()
}

#[test]
fn the_files_of_a_zip() {
    let (one, two) = (games("one", 3), games("two", 200));
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let files: [(&str, &[u8]); 2] = [("a/one.pgn", &one), ("two.pgn", &two)];
        let zip = zip_of(&files, options(method));
        let (container, found) = read(&zip);
        assert_eq!(container, Container::Zip);
        assert_eq!(counts(&found), [("a/one.pgn", 3), ("two.pgn", 200)]);
        assert_eq!(says(&found), [""; 0]);
        assert_eq!(found[0].text, one);
        assert_eq!(found[1].text, two);
        // The same with numbers of 64 bits.
        let large = zip_of(&files, options(method).large_file(true));
        assert_eq!(read(&large).1, found);
    }
}

/// A zip written to a pipe: lengths stand behind the files.
#[test]
fn data_descriptors() {
    let (one, two) = (games("one", 3), games("two", 40));
    let mut writer = ZipWriter::new_stream(Vec::new());
    for (name, bytes) in [("one.pgn", &one), ("two.pgn", &two)] {
        writer
            .start_file(name, options(CompressionMethod::Deflated))
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    let zip = writer.finish().unwrap().into_inner();
    // Bit 3 of the flags of the first header.
    assert_eq!(zip[6] & 8, 8);
    let (_, found) = read(&zip);
    assert_eq!(counts(&found), [("one.pgn", 3), ("two.pgn", 40)]);
    assert_eq!(says(&found), [""; 0]);
    // Without the directory the same files are found by their headers.
    let directory = zip
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .unwrap();
    let (_, found) = read(&zip[..directory]);
    assert_eq!(counts(&found), [("one.pgn", 3), ("two.pgn", 40)]);
    assert!(
        says(&found)[0].contains("directory is missing or damaged"),
        "{found:?}"
    );
    assert_eq!(says(&found).len(), 1);
}

#[test]
fn a_zip_cut_anywhere_keeps_every_complete_game() {
    let (one, two) = (games("one", 3), games("two", 400));
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let zip = zip_of(&[("one.pgn", &one), ("two.pgn", &two)], options(method));
        let whole = read(&zip).1;
        for cut in (40..zip.len()).step_by(zip.len() / 60 + 1) {
            let (_, found) = read(&zip[..cut]);
            let said = says(&found).join("\n");
            assert!(said.contains("directory is missing"), "{cut}: {said}");
            for member in found.iter().filter(|member| !member.skipped) {
                let full = whole.iter().find(|full| full.name == member.name).unwrap();
                let complete = member.found.games.len();
                assert_eq!(member.found.games, full.found.games[..complete]);
                if complete < full.found.games.len() {
                    assert!(said.contains("truncated zip"), "{cut}: {said}");
                }
            }
        }
    }
}

#[test]
fn names_of_a_zip() {
    let text = games("x", 1);
    let names = [
        "../../etc/passwd",
        "/abs.pgn",
        "C:\\x\\y.pgn",
        "plain.pgn",
        "dup1.pgn",
        "dup2.pgn",
    ];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, text.as_slice())).collect();
    let mut zip = zip_of(&files, options(CompressionMethod::Stored));
    // Two files of one name; and a name in the Thai code page of Windows, where UTF-8 is not promised.
    replace_all(&mut zip, b"dup2.pgn", b"dup1.pgn");
    replace_all(&mut zip, b"plain.pgn", b"\xa1\xd2\xc3\xb7\xb4.pgn");
    let (_, found) = read(&zip);
    let names: Vec<&str> = found.iter().map(Member::name).collect();
    assert_eq!(
        names,
        [
            "etc/passwd",
            "abs.pgn",
            "x/y.pgn",
            "การทด.pgn",
            "dup1.pgn",
            "dup1.pgn#2"
        ]
    );
    assert!(found.iter().all(|member| member.found.games.len() == 1));
    assert_eq!(
        found[5].notes,
        [UnreadableReason::MemberName(
            "file number 2 of the name dup1.pgn".to_owned()
        )]
    );
    assert_eq!(found[4].notes, []);
    assert!(found[3].notes[0].to_string().contains("not UTF-8"));
}

fn replace_all(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let (from, to) = (from.to_vec(), to.to_vec());
    assert_eq!(from.len(), to.len());
    let mut found = 0;
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(&from) {
            bytes[at..at + to.len()].copy_from_slice(&to);
            found += 1;
        }
    }
    assert!(found > 0);
}

#[test]
fn what_of_a_zip_is_not_read() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = options(CompressionMethod::Stored);
    writer.add_directory("folder/", stored).unwrap();
    writer
        .add_symlink("link.pgn", "folder/good.pgn", stored)
        .unwrap();
    for name in ["folder/good.pgn", "secret.pgn", "lzma.pgn"] {
        writer.start_file(name, stored).unwrap();
        writer.write_all(&games(name, 2)).unwrap();
    }
    let mut zip = writer.finish().unwrap().into_inner();
    // In the directory: flags stand 38 bytes before the name, the method 36.
    let at = |name: &[u8], zip: &[u8]| {
        let directory = zip
            .windows(4)
            .position(|four| four == b"PK\x01\x02")
            .unwrap();
        directory
            + zip[directory..]
                .windows(name.len())
                .position(|part| part == name)
                .unwrap()
    };
    let secret = at(b"secret.pgn", &zip);
    zip[secret - 38] |= 1;
    let lzma = at(b"lzma.pgn", &zip);
    zip[lzma - 36] = 14;
    let (_, found) = read(&zip);
    assert_eq!(counts(&found), [("folder/good.pgn", 2)]);
    let notes: Vec<(&str, &[UnreadableReason])> = found
        .iter()
        .filter(|member| member.skipped)
        .map(|member| (member.name(), member.notes.as_slice()))
        .collect();
    assert_eq!(
        notes,
        [
            (
                "link.pgn",
                [UnreadableReason::NoFile("symbolic link")].as_slice()
            ),
            ("secret.pgn", &[UnreadableReason::Encrypted]),
            ("lzma.pgn", &[UnreadableReason::UnknownMethod(14)]),
        ]
    );
}

#[test]
fn things_around_a_zip() {
    let (one, two) = (games("one", 3), games("two", 4));
    let deflated = options(CompressionMethod::Deflated);
    let first = zip_of(&[("one.pgn", &one)], deflated);
    let second = zip_of(&[("two.pgn", &two)], deflated);
    // Two zips one after the other: both are read, the last one first.
    let (_, found) = read(&[first.clone(), second.clone()].concat());
    assert_eq!(counts(&found), [("two.pgn", 4), ("one.pgn", 3)]);
    assert_eq!(says(&found), [""; 0]);
    // Something behind.
    let (_, found) = read(&[first.clone(), b"hello".to_vec()].concat());
    assert_eq!(counts(&found), [("one.pgn", 3)]);
    let length = first.len();
    assert_eq!(
        says(&found),
        [format!(
            "{length} bytes into the zip file, what follows the last complete member is no zip data"
        )]
    );
    // More behind than a comment may be long: the directory is not found, the files are.
    let (_, found) = read(&[first, vec![b'x'; 100_000]].concat());
    assert_eq!(counts(&found), [("one.pgn", 3)]);
    assert_eq!(says(&found).len(), 1);
    // Nothing at all.
    let (_, found) = read(&zip_of(&[], deflated));
    assert_eq!(says(&found), ["empty"]);
    // A file without a byte.
    let (_, found) = read(&zip_of(&[("none.pgn", b"")], deflated));
    assert_eq!(
        (found[0].name(), says(&found)),
        ("none.pgn", vec!["empty".to_owned()])
    );
}

#[test]
fn a_damaged_file_of_a_zip_is_named_and_the_others_are_read() {
    let (one, two) = (games("one", 300), games("two", 4));
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let mut zip = zip_of(&[("one.pgn", &one), ("two.pgn", &two)], options(method));
        zip[200] ^= 0x10;
        let (_, found) = read(&zip);
        assert_eq!(found[1].found.games.len(), 4);
        assert!(found[0].found.sums.incomplete);
        let said = found[0].says();
        assert!(
            said.iter()
                .any(|text| text.starts_with("damaged zip stream")),
            "{said:?}"
        );
        // A large file that is not compressed is read in ranges; its checksum is still held against it.
        if method == CompressionMethod::Stored {
            let (_, cut) = members(&zip, 1_000, &ReaderSettings::default());
            assert_eq!(cut[0].found.games, found[0].found.games);
            let said = cut[0].says();
            assert!(
                said.iter()
                    .any(|text| text.starts_with("damaged zip stream")),
                "{said:?}"
            );
        }
    }
}

fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        builder
            .append_data(&mut header(bytes.len()), name, *bytes)
            .unwrap();
    }
    builder.into_inner().unwrap()
}

fn header(length: usize) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(length as u64);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn packed(tar: &[u8]) -> Vec<(Vec<u8>, &'static str)> {
    let mut bzip2 = bzip2::write::BzEncoder::new(vec![], bzip2::Compression::fast());
    bzip2.write_all(tar).unwrap();
    vec![
        (tar.to_vec(), "tar"),
        (gzip(tar), "tar.gz"),
        (bzip2.finish().unwrap(), "tar.bz2"),
        (zstd::encode_all(tar, 3).unwrap(), "tar.zst"),
    ]
}

#[test]
fn the_files_of_a_tar() {
    let (one, two) = (games("one", 3), games("two", 400));
    let long = format!("{}/one.pgn", "a-long-folder/".repeat(20));
    for (bytes, kind) in packed(&tar_of(&[
        (&long, &one),
        ("two.pgn", &two),
        ("empty.pgn", b""),
    ])) {
        let (container, found) = read(&bytes);
        assert_eq!(container, Container::Tar, "{kind}");
        let long = long.replace("//", "/");
        assert_eq!(
            counts(&found),
            [(long.as_str(), 3), ("two.pgn", 400), ("empty.pgn", 0)],
            "{kind}"
        );
        assert_eq!(found[0].text, one, "{kind}");
        assert_eq!(found[1].text, two, "{kind}");
        let said = says(&found);
        assert!(said.len() == 2 && said[1] == "empty", "{said:?}");
    }
}

#[test]
fn names_and_sizes_in_pax_records() {
    let text = games("x", 2);
    let mut builder = tar::Builder::new(Vec::new());
    let length = text.len().to_string();
    builder
        .append_pax_extensions([
            ("path", "โฟลเดอร์/เกม.pgn".as_bytes()),
            ("size", length.as_bytes()),
        ])
        .unwrap();
    // The header itself says nothing of use.
    let mut short = header(0);
    short.set_path("short").unwrap();
    short.set_cksum();
    builder.append(&short, [].as_slice()).unwrap();
    let mut tar = builder.into_inner().unwrap();
    tar.truncate(tar.len() - 1024);
    tar.extend(&text);
    tar.resize(tar.len().next_multiple_of(512) + 1024, 0);
    let (_, found) = read(&tar);
    assert_eq!(counts(&found), [("โฟลเดอร์/เกม.pgn", 2)]);
}

#[test]
fn what_of_a_tar_is_not_read() {
    let text = games("x", 2);
    let mut builder = tar::Builder::new(Vec::new());
    for (kind, name) in [
        (tar::EntryType::Directory, "folder"),
        (tar::EntryType::Symlink, "link"),
        (tar::EntryType::Link, "hard"),
        (tar::EntryType::Char, "device"),
        (tar::EntryType::Fifo, "pipe"),
    ] {
        let mut header = header(0);
        header.set_entry_type(kind);
        header.set_path(name).unwrap();
        header.set_link_name("/etc/passwd").unwrap();
        header.set_cksum();
        builder.append(&header, [].as_slice()).unwrap();
    }
    // A sparse file: 1 byte of data at 5, in a file of 10.
    let mut sparse = header(1);
    sparse.set_entry_type(tar::EntryType::GNUSparse);
    sparse.set_path("sparse").unwrap();
    sparse.set_cksum();
    builder.append(&sparse, [b'x'].as_slice()).unwrap();
    let mut good = header(text.len());
    builder
        .append_data(&mut good, "good.pgn", text.as_slice())
        .unwrap();
    let (_, found) = read(&builder.into_inner().unwrap());
    assert_eq!(counts(&found), [("good.pgn", 2)]);
    let skipped: Vec<String> = found
        .iter()
        .filter(|member| member.skipped)
        .map(|member| format!("{}: {}", member.name(), member.notes[0]))
        .collect();
    assert_eq!(
        skipped,
        [
            "link: not read: symbolic link",
            "hard: not read: hard link",
            "device: not read: device",
            "pipe: not read: pipe",
            "sparse: not read: sparse file",
        ]
    );
}

#[test]
fn a_tar_cut_anywhere_keeps_every_complete_game() {
    let (one, two) = (games("one", 3), games("two", 300));
    let tar = tar_of(&[("one.pgn", &one), ("two.pgn", &two)]);
    let tar = &tar[..tar.len() - 1024];
    for (bytes, kind) in packed(tar) {
        let whole = read(&bytes).1;
        for cut in (600..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let (_, found) = read(&bytes[..cut]);
            let mut games = 0;
            for member in found.iter().filter(|member| member.name.is_some()) {
                let full = whole.iter().find(|full| full.name == member.name).unwrap();
                let complete = member.found.games.len();
                assert_eq!(
                    member.found.games,
                    full.found.games[..complete],
                    "{kind} {cut}"
                );
                games += complete;
            }
            let said = says(&found);
            if games < 303 {
                let truncated = said.iter().filter(|text| text.starts_with("truncated"));
                assert_eq!(truncated.count(), 1, "{kind} cut at {cut}: {said:?}");
            }
        }
    }
}

#[test]
fn a_tar_cut_between_two_files_says_so() {
    let (one, two) = (games("one", 3), games("two", 4));
    let tar = tar_of(&[("one.pgn", &one), ("two.pgn", &two)]);
    let end = 512 + one.len();
    assert!(end % 512 != 0, "the cut in the padding is one of its own");
    for cut in [end, end + 1, end.next_multiple_of(512)] {
        for (bytes, kind) in packed(&tar[..cut]) {
            let (_, found) = read(&bytes);
            assert_eq!(counts(&found), [("one.pgn", 3)], "{kind} {cut}");
            let said = says(&found);
            assert_eq!(said.len(), 1, "{kind} {cut}: {said:?}");
            assert!(said[0].starts_with("truncated tar"), "{said:?}");
        }
    }
}

#[test]
fn tars_that_go_on_behind_their_end_and_damaged_ones() {
    let (one, two) = (games("one", 3), games("two", 4));
    let (first, second) = (tar_of(&[("one.pgn", &one)]), tar_of(&[("two.pgn", &two)]));
    for (bytes, kind) in packed(&[first.clone(), second.clone()].concat()) {
        let (_, found) = read(&bytes);
        assert_eq!(counts(&found), [("one.pgn", 3), ("two.pgn", 4)], "{kind}");
        assert_eq!(says(&found), [""; 0]);
    }
    let (_, found) = read(&[first.clone(), vec![b'x'; 5_000]].concat());
    assert_eq!(counts(&found), [("one.pgn", 3)]);
    let length = first.len();
    assert_eq!(
        says(&found),
        [format!(
            "{length} bytes into the tar file, what follows the last complete member is no tar data"
        )]
    );
    // A header that is damaged costs its file only.
    let mut three = tar_of(&[("one.pgn", &one), ("bad.pgn", &one), ("two.pgn", &two)]);
    let bad = three
        .windows(7)
        .position(|part| part == b"bad.pgn")
        .unwrap();
    three[bad] = b'B';
    let (_, found) = read(&three);
    assert_eq!(counts(&found), [("one.pgn", 3), ("two.pgn", 4)]);
    assert!(
        says(&found)[0].starts_with("damaged tar"),
        "{:?}",
        says(&found)
    );
    assert_eq!(says(&found).len(), 1);
}

#[test]
fn compressed_files_within() {
    let (text, deflated) = (games("x", 30), options(CompressionMethod::Deflated));
    let zst = zstd::encode_all(text.as_slice(), 3).unwrap();
    let zip = zip_of(&[("a.pgn.gz", &gzip(&text)), ("b.pgn.zst", &zst)], deflated);
    assert_eq!(counts(&read(&zip).1), [("a.pgn.gz", 30), ("b.pgn.zst", 30)]);
    for (bytes, kind) in packed(&tar_of(&[("a.pgn.gz", &gzip(&text)), ("b.pgn.zst", &zst)])) {
        let (_, found) = read(&bytes);
        assert_eq!(
            counts(&found),
            [("a.pgn.gz", 30), ("b.pgn.zst", 30)],
            "{kind}"
        );
        assert_eq!(says(&found), [""; 0]);
    }
    // A download that a server packed once more.
    let (container, found) = read(&gzip(&gzip(&text)));
    assert_eq!(
        (container, found[0].found.games.len()),
        (Container::Gzip, 30)
    );
    let thrice = read(&gzip(&gzip(&gzip(&text)))).1;
    assert_eq!(says(&thrice), ["not game text: gzip archive"]);
    // Archives in archives are named and not opened.
    let inner = zip_of(&[("a.pgn", &text)], deflated);
    let outer = zip_of(
        &[
            ("inner.zip", &inner),
            ("inner.tar", &tar_of(&[("a.pgn", &text)])),
        ],
        deflated,
    );
    let (_, found) = read(&outer);
    assert_eq!(
        says(&found),
        [
            "not game text: zip archive or office document",
            "not game text: tar archive"
        ]
    );
    let advice = found[0].found.unreadable[0].reason.advice().unwrap();
    assert!(advice.contains("unpack the outer one"));
}

#[test]
fn documents_that_are_zips() {
    let stored = options(CompressionMethod::Stored);
    for (files, want) in [
        (
            vec![
                ("[Content_Types].xml", "<x/>"),
                ("word/document.xml", "<x/>"),
            ],
            "word document",
        ),
        (
            vec![("[Content_Types].xml", "<x/>"), ("xl/workbook.xml", "<x/>")],
            "excel document",
        ),
        (
            vec![
                ("mimetype", "application/vnd.oasis.opendocument.text"),
                ("content.xml", "<x/>"),
            ],
            "opendocument file",
        ),
        (vec![("mimetype", "application/epub+zip")], "e-book"),
        (
            vec![("META-INF/MANIFEST.MF", "x"), ("A.class", "x")],
            "java program",
        ),
    ] {
        let files: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(name, text)| (*name, text.as_bytes()))
            .collect();
        let (_, found) = read(&zip_of(&files, stored));
        assert_eq!(says(&found), [format!("not game text: {want}")]);
    }
}

#[test]
fn bombs() {
    let deflated = options(CompressionMethod::Deflated);
    let text = games("x", 100);
    let names: Vec<String> = (0..30).map(|number| format!("{number}.pgn")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), text.as_slice()))
        .collect();
    let archives = [
        zip_of(&files, deflated),
        tar_of(&files),
        gzip(&tar_of(&files)),
    ];
    for bytes in &archives {
        let few = ReaderSettings {
            max_members: 7,
            ..ReaderSettings::default()
        };
        let (_, found) = members(bytes, 1 << 20, &few);
        assert_eq!(counts(&found).len(), 7);
        assert_eq!(
            found[7].notes,
            [UnreadableReason::TooManyMembers { max_members: 7 }]
        );
        // Files that begin beyond the limit are not read.
        let small = ReaderSettings {
            max_archive_bytes: text.len() as u64 * 5,
            ..ReaderSettings::default()
        };
        let (_, found) = members(bytes, 1 << 20, &small);
        assert_eq!(counts(&found).len(), 6);
        assert!(matches!(
            found[6].notes[..],
            [UnreadableReason::ArchiveTooLarge { .. }]
        ));
    }
    // One file beyond the limit for a file: what comes before it is kept, in whole games.
    let tight = ReaderSettings {
        max_decompressed_bytes: 1_000,
        ..ReaderSettings::default()
    };
    let (_, found) = members(&archives[0], 1 << 20, &tight);
    assert_eq!(found[0].text.len(), 1_000);
    let whole = read(&archives[0]).1;
    let kept = found[0].found.games.len();
    assert_eq!(found[0].found.games, whole[0].found.games[..kept]);
    assert_eq!(
        kept,
        text[..1_000]
            .windows(5)
            .filter(|part| *part == b" 1-0\n")
            .count()
    );
    let refused = |text: &String| text.contains("refused as a decompression bomb");
    assert!(says(&found[..1]).iter().any(refused));
    // Blanks without end in a zip.
    let blanks = vec![b' '; 200 << 20];
    let bomb = zip_of(&[("blank.pgn", &blanks)], deflated);
    let strict = ReaderSettings {
        max_ratio: 100,
        ..ReaderSettings::default()
    };
    let (_, found) = members(&bomb, 1 << 20, &strict);
    assert!(found[0].text.len() < 70 << 20);
    let said = says(&found);
    assert!(
        said[0].contains("refused as a decompression bomb"),
        "{said:?}"
    );
}

#[test]
fn files_that_overlap_are_refused() {
    let text = games("x", 10);
    let mut zip = zip_of(
        &[("1.pgn", &text), ("2.pgn", &text)],
        options(CompressionMethod::Stored),
    );
    // Both entries of the directory point to the first file (its offset stands 4 bytes before the name).
    let second = zip.windows(5).rposition(|part| part == b"2.pgn").unwrap();
    zip[second - 4..second].fill(0);
    let (_, found) = read(&zip);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].notes,
        [UnreadableReason::Container(ContainerError::Overlapping)]
    );
}
