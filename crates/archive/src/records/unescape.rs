//! The text between the quotes of a JSON string, with the place of each byte.

/// Undoes the escapes of a string whose quotes are taken off; `origins` says where each byte comes from, counted from
/// the string's first byte. The string must be valid JSON.
pub(super) fn unescape(inner: &str) -> (String, Vec<u32>) {
    let (mut text, mut origins) = (String::with_capacity(inner.len()), Vec::new());
    let mut push = |letter: char, at: usize| {
        text.push(letter);
        origins.extend(std::iter::repeat_n(at as u32, letter.len_utf8()));
    };
    let mut letters = inner.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '\\' {
            push(letter, at);
            continue;
        }
        let Some((_, code)) = letters.next() else {
            break;
        };
        match code {
            'n' => push('\n', at),
            'r' => push('\r', at),
            't' => push('\t', at),
            'b' => push('\u{8}', at),
            'f' => push('\u{c}', at),
            'u' => {
                let mut unit = hex(&inner[at..]);
                letters.nth(3);
                if (0xd800..0xdc00).contains(&unit) {
                    let low = inner.get(at + 6..).map_or(0, hex);
                    if (0xdc00..0xe000).contains(&low) {
                        letters.nth(5);
                        unit = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    }
                }
                push(char::from_u32(unit).unwrap_or('\u{fffd}'), at);
            }
            other => push(other, at),
        }
    }
    (text, origins)
}

/// The number of `\uXXXX` at the start of a text, 0 if there is none.
fn hex(text: &str) -> u32 {
    text.strip_prefix("\\u")
        .and_then(|text| text.get(..4))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes() {
        let (text, origins) = unescape(r#"a\n\u0e21\ud83d\ude00\"\\x"#);
        assert_eq!(text, "a\nม😀\"\\x");
        // a, \n at 1, ม at 3 (three bytes), the pair at 9 (four bytes), \" at 21, \\ at 23, x at 25.
        assert_eq!(origins, [0, 1, 3, 3, 3, 9, 9, 9, 9, 21, 23, 25]);
    }
}
