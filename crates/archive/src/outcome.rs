//! Results as people and programs write them.

/// What a result marker says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultMarker {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not finished or not known.
    Open,
    /// `0-0`: both lose.
    BothLose,
}

impl ResultMarker {
    /// The PGN spelling (`0-0` for [`ResultMarker::BothLose`], which PGN has not).
    pub fn as_str(self) -> &'static str {
        match self {
            ResultMarker::WhiteWins => "1-0",
            ResultMarker::BlackWins => "0-1",
            ResultMarker::Draw => "1/2-1/2",
            ResultMarker::Open => "*",
            ResultMarker::BothLose => "0-0",
        }
    }
}

/// Reads a result in any spelling of FORMATS 5: a tag value, a marker or a phrase. `None` for anything else, `?` and
/// the empty text too.
pub fn parse(text: &str) -> Option<ResultMarker> {
    match text {
        "1-0" => return Some(ResultMarker::WhiteWins),
        "0-1" => return Some(ResultMarker::BlackWins),
        "1/2-1/2" => return Some(ResultMarker::Draw),
        _ => {}
    }
    let folded: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '–' | '—' | '−' | ':' => '-',
            '๐' | '០' => '0',
            '๑' | '១' => '1',
            '๒' | '២' => '2',
            c => c,
        })
        .flat_map(char::to_lowercase)
        .collect();
    Some(match folded.as_str() {
        "1-0"
        | "1-0f"
        | "1.0-0.0"
        | "1,0-0,0"
        | "whitewin"
        | "whitewins"
        | "whitewon"
        | "blackresigns"
        | "blackresigned"
        | "blacklost"
        | "blackloses"
        | "ขาวชนะ"
        | "ฝ่ายขาวชนะ"
        | "ดำยอมแพ้"
        | "ดำแพ้"
        | "សឈ្នះ"
        | "ខាងសឈ្នះ" => ResultMarker::WhiteWins,
        "0-1"
        | "0-1f"
        | "0.0-1.0"
        | "0,0-1,0"
        | "blackwin"
        | "blackwins"
        | "blackwon"
        | "whiteresigns"
        | "whiteresigned"
        | "whitelost"
        | "whiteloses"
        | "ดำชนะ"
        | "ฝ่ายดำชนะ"
        | "ขาวยอมแพ้"
        | "ขาวแพ้"
        | "ខ្មៅឈ្នះ"
        | "ខាងខ្មៅឈ្នះ" => ResultMarker::BlackWins,
        "1/2-1/2"
        | "½-½"
        | "1/2"
        | "½"
        | "0.5-0.5"
        | ".5-.5"
        | "0,5-0,5"
        | "draw"
        | "drawn"
        | "เสมอ"
        | "เสมอกัน"
        | "ស្មើ"
        | "ស្មើគ្នា" => ResultMarker::Draw,
        "*" => ResultMarker::Open,
        "0-0" => ResultMarker::BothLose,
        _ => return None,
    })
}

/// A marker at the head of a move text: its meaning, its length in bytes, and whether PGN spells it so.
pub(crate) fn at_start(text: &[u8]) -> Option<(ResultMarker, usize, bool)> {
    const FORMS: &[(&[u8], ResultMarker, bool)] = &[
        (b"1-0", ResultMarker::WhiteWins, true),
        (b"0-1", ResultMarker::BlackWins, true),
        (b"1/2-1/2", ResultMarker::Draw, true),
        (b"*", ResultMarker::Open, true),
        (b"1 - 0", ResultMarker::WhiteWins, false),
        (b"0 - 1", ResultMarker::BlackWins, false),
        (b"1/2 - 1/2", ResultMarker::Draw, false),
        (b"1/2", ResultMarker::Draw, false),
        (b"0.5-0.5", ResultMarker::Draw, false),
        ("½-½".as_bytes(), ResultMarker::Draw, false),
        (b"\xbd-\xbd", ResultMarker::Draw, false),
        (b"1:0", ResultMarker::WhiteWins, false),
        (b"0:1", ResultMarker::BlackWins, false),
        ("1–0".as_bytes(), ResultMarker::WhiteWins, false),
        ("0–1".as_bytes(), ResultMarker::BlackWins, false),
        (b"0-0", ResultMarker::BothLose, false),
    ];
    FORMS
        .iter()
        .find(|(form, _, _)| text.starts_with(form) && ends_word(text.get(form.len())))
        .map(|(form, marker, plain)| (*marker, form.len(), *plain))
}

/// Whether a line, blanks at its end aside, ends with a plain marker.
pub(crate) fn at_end(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    [
        b"1-0".as_slice(),
        b"0-1",
        b"1/2-1/2",
        b"*",
        "½-½".as_bytes(),
    ]
    .iter()
    .any(|form| {
        line.ends_with(form)
            && line
                .len()
                .checked_sub(form.len() + 1)
                .is_none_or(|at| line[at].is_ascii_whitespace() || matches!(line[at], b'}' | b')'))
    })
}

fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_none_or(|b| {
        b.is_ascii_whitespace() || matches!(b, 0 | b'{' | b';' | b'(' | b')' | b'}' | b'[')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling() {
        for (text, want) in [
            ("1-0", ResultMarker::WhiteWins),
            ("1 - 0", ResultMarker::WhiteWins),
            ("White win", ResultMarker::WhiteWins),
            ("0-1", ResultMarker::BlackWins),
            ("1/2-1/2", ResultMarker::Draw),
            ("½-½", ResultMarker::Draw),
            ("1/2", ResultMarker::Draw),
            ("0.5-0.5", ResultMarker::Draw),
            ("Draw", ResultMarker::Draw),
            ("*", ResultMarker::Open),
            ("0-0", ResultMarker::BothLose),
            ("๑-๐", ResultMarker::WhiteWins),
            ("ขาวชนะ", ResultMarker::WhiteWins),
            ("ดำชนะ", ResultMarker::BlackWins),
            ("เสมอกัน", ResultMarker::Draw),
            ("ខ្មៅឈ្នះ", ResultMarker::BlackWins),
            ("ស្មើ", ResultMarker::Draw),
            ("White resigns", ResultMarker::BlackWins),
        ] {
            assert_eq!(parse(text), Some(want), "{text}");
        }
        assert_eq!(parse("?"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_marker_is_a_whole_word() {
        assert_eq!(at_start(b"1-0"), Some((ResultMarker::WhiteWins, 3, true)));
        assert_eq!(at_start(b"0-0-0"), None);
        assert_eq!(at_start(b"1-01"), None);
        assert!(at_end(b"23. Kc2 1-0  "));
        assert!(!at_end(b"x1-0"));
    }
}
