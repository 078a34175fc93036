//! What Thai books and scoresheets say about counting in plain words (D18): evidence, not proof. Nobody's count starts or
//! stops by a remark; it is noted where it stands.

use serde_json::json;

use crate::finding::{Certainty, Finding, FindingCode};

/// Words and what they speak of; the first that fits decides.
const WORDS: &[(&str, &str)] = &[
    ("นับศักดิ์กระดาน", "board_count"),
    ("ศักดิ์กระดาน", "board_count"),
    ("นับศักดิ์หมาก", "pieces_count"),
    ("ศักดิ์หมาก", "pieces_count"),
    ("หยุดนับ", "stop"),
    ("เลิกนับ", "stop"),
    ("เริ่มนับ", "start"),
    ("นับ", "count"),
];

/// Whether a text is worth a look: nearly all are ASCII.
#[inline]
pub(crate) fn may_speak_of_counting(text: &str) -> bool {
    !text.is_ascii() || text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a text says about counting, behind the move of a ply. A bare number says something only where counting was
/// spoken of before.
pub(crate) fn remark(text: &str, ply: u32, spoken_before: bool) -> Option<Finding> {
    let text = text.trim();
    let number = number_in(text);
    let what = match WORDS.iter().find(|(words, _)| text.contains(words)) {
        Some((_, what)) => *what,
        None if spoken_before && number.is_some() && text.chars().count() <= 3 => "number",
        None => return None,
    };
    let shown: String = text.chars().take(60).collect();
    let message = format!("the record remarks on counting after ply {ply}: `{shown}`");
    let evidence = json!({ "kind": what, "text": shown, "number": number });
    let finding = Finding::new(FindingCode::CountRemarked, message)
        .at_ply(ply)
        .certainty(Certainty::Possible)
        .with(&evidence);
    Some(finding)
}

/// The only number of a text, in western or Thai digits.
fn number_in(text: &str) -> Option<u32> {
    let western = |c: char| match c {
        '๐'..='๙' => char::from_digit(c as u32 - '๐' as u32, 10).unwrap_or(c),
        c => c,
    };
    let digits: String = text.chars().map(western).collect();
    let mut numbers = digits
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    match (numbers.next(), numbers.next()) {
        (Some(number), None) => number.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers() {
        let kind = |text: &str, before| {
            remark(text, 7, before).map(|finding| {
                assert_eq!(finding.certainty, Certainty::Possible);
                finding.evidence.unwrap_or_default()
            })
        };
        let has = |text: &str, before, part: &str| {
            let evidence = kind(text, before).unwrap_or_default();
            assert!(evidence.contains(part), "{text}: {evidence}");
        };
        has("เริ่มนับศักดิ์กระดาน", false, "board_count");
        has("ดำเริ่มนับ ๕", false, "\"number\":5");
        has("หยุดนับ", false, "stop");
        has("นับศักดิ์หมาก", false, "pieces_count");
        has("๑๒", true, "\"number\":12");
        assert_eq!(kind("๑๒", false), None);
        assert_eq!(kind("12 good moves", true), None);
        assert_eq!(kind("ดี", true), None);
    }
}
