//! What a text is that is no game text, by its first bytes.

use crate::line::{starts_json, trim_start};

/// Something that is not a game text we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum Foreign {
    /// A binary format, by name: `png image`, `pdf document`, `zip archive`, `binary data`.
    NotGameText(&'static str),
    /// Games or positions in a form that is known but not read: `json`, `fen list`, `ren`, `schemingmind page`.
    OtherDialect(&'static str),
    /// Text of no known form.
    Prose,
}

/// How much of the start decides.
pub(crate) const HEAD_BYTES: usize = 1024;

const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "png image"),
    (0, b"\xff\xd8\xff", "jpeg image"),
    (0, b"GIF87a", "gif image"),
    (0, b"GIF89a", "gif image"),
    (0, b"8BPS\0\x01", "photoshop image"),
    (6, b"\0\0\0\0", "bmp image"),
    (8, b"WEBP", "webp image"),
    (0, b"II*\0", "tiff image"),
    (0, b"MM\0*", "tiff image"),
    (0, b"\0\0\x01\0\x01\0", "icon"),
    (4, b"ftypheic", "heic image"),
    (4, b"ftypavif", "avif image"),
    (0, b"%PDF-", "pdf document"),
    (0, b"%!PS", "postscript document"),
    (0, b"{\\rtf", "rtf document"),
    (0, b"AT&TFORM", "djvu document"),
    (0, b"PK\x03\x04", "zip archive or office document"),
    (0, b"PK\x05\x06", "zip archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office document"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (0, b"Rar!\x1a\x07", "rar archive"),
    (0, b"\xfd7zXZ\0", "xz archive"),
    (0, b"\x04\x22\x4d\x18", "lz4 archive"),
    (0, b"\x1f\x9d", "compress archive"),
    (0, b"\x1f\xa0", "compress archive"),
    (0, b"MSCF\0\0\0\0", "cab archive"),
    (0, b"\x1f\x8b\x08", "gzip archive"),
    (0, b"BZh91AY&SY", "bzip2 archive"),
    (0, b"\x28\xb5\x2f\xfd", "zstd archive"),
    (257, b"ustar", "tar archive"),
    (0, b"Scid.si", "scid database"),
    (0, b"Scid.sn", "scid database"),
    (0, b"SQLite format 3\0", "sqlite database"),
    (4, b"Standard Jet DB\0", "access database"),
    (4, b"Standard ACE DB\0", "access database"),
    // Header length 44 or 36, and the version of the format.
    (0, b"\0\0\x2c\0\x2e\x01", "chessbase database"),
    (0, b"\0\0\x24\0\x2e\x01", "chessbase database"),
    (0, b"PAR1", "parquet table"),
    (0, b"ARROW1\0\0", "arrow table"),
    (0, b"\x7fELF", "program"),
    (0, b"MZ", "program"),
    (0, b"\xcf\xfa\xed\xfe", "program"),
    (0, b"\xce\xfa\xed\xfe", "program"),
    (0, b"\xca\xfe\xba\xbe", "program"),
    (0, b"\0asm", "program"),
    (0, b"ID3", "sound"),
    (0, b"fLaC", "sound"),
    (0, b"\xff\xfb", "sound"),
    (0, b"\xff\xf3", "sound"),
    (0, b"MThd\0\0\0\x06", "sound"),
    (0, b"RIFF", "sound or film"),
    (0, b"\x1a\x45\xdf\xa3", "film"),
    (4, b"ftyp", "film"),
    (0, b"OggS", "sound"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
];

/// Recognises a binary format by its magic number.
pub(crate) fn binary_format(head: &[u8]) -> Option<&'static str> {
    let found = MAGIC.iter().find(|(at, magic, kind)| {
        head.get(*at..).is_some_and(|rest| rest.starts_with(magic)) && borne_out(kind, head)
    });
    let by_magic = found.map(|(_, _, name)| *name);
    by_magic.or_else(|| is_polyglot(head).then_some("polyglot opening book"))
}

/// Whether the rest of the head is that of the kind, where its magic number is so short that a text may start with it.
fn borne_out(kind: &str, head: &[u8]) -> bool {
    match kind {
        "bmp image" => head.starts_with(b"BM"),
        "webp image" => head.starts_with(b"RIFF"),
        // Where the header of a program that is none of DOS begins.
        "program" if head.starts_with(b"MZ") => head[..head.len().min(64)].contains(&0),
        "sound" if head.starts_with(b"ID3") => head.get(3).is_some_and(|version| *version < 8),
        "sound or film" => head
            .get(8..11)
            .is_some_and(|kind| kind == b"WAV" || kind == b"AVI"),
        "film" | "heic image" | "avif image" => {
            head.starts_with(b"\0\0\0") || head.starts_with(b"\x1a\x45")
        }
        _ => true,
    }
}

/// Polyglot's books: entries of 16 bytes (position, move, weight, learning), sorted by position.
fn is_polyglot(head: &[u8]) -> bool {
    let entries: Vec<&[u8]> = head.chunks_exact(16).collect();
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
        return false;
    };
    entries.len() >= 8
        && first[..8] < last[..8]
        && entries.windows(2).all(|pair| pair[0][..8] <= pair[1][..8])
        // Weights and moves have small numbers in them, and learning is hardly ever used: no text.
        && entries.iter().all(|entry| entry[8..].contains(&0) || entry[12..] == [0; 4])
}

/// What a file is by the end of its name; where its bytes do not say it.
pub fn kind_by_name(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    let kind = match end.to_ascii_lowercase().as_str() {
        "si4" | "sg4" | "sn4" | "si5" | "sg5" | "sn5" | "si3" | "sg3" | "sn3" => "scid database",
        "cbh" | "cbg" | "cba" | "cbp" | "cbt" | "cbc" | "cbs" | "cbe" | "cbj" | "cbf" | "cbi"
        | "cbv" | "cbz" => "chessbase database",
        "ctg" | "cto" | "ctb" => "chessbase opening book",
        "bin" => "opening book or other binary file",
        "abk" => "arena opening book",
        "obk" | "bgt" => "opening book",
        "nnue" => "neural network",
        "bson" => "database dump",
        "binpack" => "training data",
        "exe" | "dll" | "so" => "program",
        "mp3" | "wav" | "m4a" | "ogg" => "sound",
        "mp4" | "avi" | "mov" | "mkv" => "film",
        "doc" | "xls" | "ppt" => "office document",
        _ => return None,
    };
    Some(kind)
}

/// What to do with a file that is no game text, so that its games can be read.
pub fn advice(kind: &str) -> Option<&'static str> {
    let advice = match kind {
        "scid database" => {
            "open it in Scid and export the games as PGN (Tools, Export All Filter Games)"
        }
        "chessbase database" => "open it in ChessBase and export the games as PGN",
        "sqlite database" | "access database" | "database dump" | "parquet table"
        | "arrow table" => "export the games as PGN from the program that wrote it",
        "polyglot opening book"
        | "chessbase opening book"
        | "arena opening book"
        | "opening book"
        | "opening book or other binary file" => {
            "an opening book holds no games: give the games that it was made of, as PGN"
        }
        "7z archive" | "rar archive" | "xz archive" | "lz4 archive" | "cab archive"
        | "compress archive" => "unpack it, or pack it again as zip, tar, gz, bz2 or zst",
        "zip archive"
        | "zip archive or office document"
        | "tar archive"
        | "gzip archive"
        | "bzip2 archive"
        | "zstd archive" => "an archive within an archive is not opened: unpack the outer one",
        "pdf document"
        | "postscript document"
        | "djvu document"
        | "word document"
        | "excel document"
        | "powerpoint document"
        | "opendocument file"
        | "office document"
        | "rtf document"
        | "e-book" => "copy the moves into a text file, or save as plain text",
        kind if kind.ends_with("image") => "type the moves into a text file",
        _ => return None,
    };
    Some(advice)
}

/// Whether what looked like a game is binary data: one byte in twenty is a control character that no text has. NULs do
/// not count, since a damaged disk leaves them in good games, nor do blanks and end-of-file marks.
pub(crate) fn is_binary(game: &[u8]) -> bool {
    // In pieces short enough for a count in one byte, and without a branch: every game goes through here.
    let within = |byte: u8, from: u8, to: u8| byte.wrapping_sub(from) <= to - from;
    let odd = |byte: u8| {
        within(byte, 1, 8) | within(byte, 14, 25) | within(byte, 27, 31) | (byte == 0x7f)
    };
    // Nearly all texts have neither these nor 0 and 26, which three extremes tell.
    let (least, least_behind_cr, delete) =
        game.iter()
            .fold((u8::MAX, u8::MAX, 0), |(least, behind, most), byte| {
                (
                    least.min(*byte),
                    behind.min(byte.wrapping_sub(14)),
                    most.max(byte ^ 0x80),
                )
            });
    if least > 8 && least_behind_cr > 31 - 14 && delete < 0x7f ^ 0x80 {
        return false;
    }
    let count = |piece: &[u8]| piece.iter().map(|byte| u8::from(odd(*byte))).sum::<u8>();
    let controls: usize = game
        .chunks(128)
        .map(|piece| usize::from(count(piece)))
        .sum();
    controls >= FEWEST_CONTROLS && controls * 20 > game.len()
}

/// With fewer, a short game with an escape sequence would be none.
const FEWEST_CONTROLS: usize = 8;

/// Names a stretch of text that is no game, by its first bytes.
pub(crate) fn classify(head: &[u8]) -> Foreign {
    if let Some(kind) = binary_format(head) {
        return Foreign::NotGameText(kind);
    }
    let controls = head
        .iter()
        .filter(|b| **b < 0x20 && !b.is_ascii_whitespace() && **b != 0x1a)
        .count();
    if controls * 20 > head.len() {
        return Foreign::NotGameText("binary data");
    }
    let text = trim_start(head);
    if starts_json(text) {
        return Foreign::OtherDialect("json");
    }
    if text.starts_with(b"<") {
        return Foreign::NotGameText("html or xml page");
    }
    if contains(text, b"played under Makruk") || contains(text, b"\nClock started on") {
        return Foreign::OtherDialect("schemingmind page");
    }
    let first_line = text
        .split(|b| matches!(b, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && line[0] != b'#')
        .unwrap_or_default();
    match board(first_line) {
        Some(letters)
            if letters
                .iter()
                .any(|b| matches!(b, b'h' | b'H' | b'g' | b'G' | b'f' | b'F')) =>
        {
            Foreign::OtherDialect("ren")
        }
        Some(_) if first_line.contains(&b'\t') => Foreign::OtherDialect("scored fen list"),
        Some(_) => Foreign::OtherDialect("fen list"),
        None if is_base64(first_line) => Foreign::OtherDialect("base64 text"),
        None => Foreign::Prose,
    }
}

/// The first field of a line, if it is eight rows of a board.
pub(crate) fn board(line: &[u8]) -> Option<&[u8]> {
    let field = line.split(|b| b.is_ascii_whitespace()).next()?;
    let rows = field.split(|b| *b == b'/').collect::<Vec<_>>();
    let fits = |row: &&[u8]| {
        !row.is_empty()
            && row.len() <= 16
            && row
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'~' || *b == b'+')
    };
    (rows.len() == 8 && rows.iter().all(fits)).then_some(field)
}

/// A long line of the alphabet, with capitals, small letters and digits in it: one letter over and over is none.
fn is_base64(line: &[u8]) -> bool {
    let classes: [fn(&u8) -> bool; 3] = [
        u8::is_ascii_uppercase,
        u8::is_ascii_lowercase,
        u8::is_ascii_digit,
    ];
    line.len() >= 60 && classes.iter().all(|class| line.iter().any(class)) && is_base64_text(line)
}

/// Whether a line, blanks at its ends aside, holds letters of base64 alone.
pub(crate) fn is_base64_text(line: &[u8]) -> bool {
    line.trim_ascii()
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_'))
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(text, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_it_sees() {
        for (text, want) in [
            (
                b"{\"game_id\":3,\"moves\":[]}".as_slice(),
                Foreign::OtherDialect("json"),
            ),
            (b"[\n  {\n    \"id\": \"x\"", Foreign::OtherDialect("json")),
            (
                b"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
                Foreign::OtherDialect("fen list"),
            ),
            (
                b"# note\n1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
                Foreign::OtherDialect("fen list"),
            ),
            (
                b"BHGQKGHB/8/FFFFFFFF/8/8/ffffffff/8/bhgkqghb w ---- -- -.-",
                Foreign::OtherDialect("ren"),
            ),
            (
                b"2r1kr2/8/2s3pM/1pn1p3/pN2p1K1/2P1S1N1/8/3R3R w - - 1 35\t391",
                Foreign::OtherDialect("scored fen list"),
            ),
            (b"\x89PNG\r\n\x1a\n\0\0", Foreign::NotGameText("png image")),
            (b"%PDF-1.7", Foreign::NotGameText("pdf document")),
            (b"\x01\x02\x03\x04abc", Foreign::NotGameText("binary data")),
            (
                b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
                Foreign::OtherDialect("base64 text"),
            ),
            (&[b'a'; 1024], Foreign::Prose),
            (b"Dear all, here is the game.", Foreign::Prose),
        ] {
            assert_eq!(classify(text), want);
        }
    }
}
