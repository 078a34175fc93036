//! Months by name: in English, Thai and Khmer, whole or cut as usual.

/// Names and their usual cuts, January first; compared without case and without dots.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "มกราคม", "มค", "មករា"],
    &["february", "feb", "กุมภาพันธ์", "กพ", "កុម្ភៈ"],
    &["march", "mar", "มีนาคม", "มีค", "មីនា"],
    &["april", "apr", "เมษายน", "เมย", "មេសា"],
    &["may", "พฤษภาคม", "พค", "ឧសភា"],
    &["june", "jun", "มิถุนายน", "มิย", "មិថុនា"],
    &["july", "jul", "กรกฎาคม", "กค", "កក្កដា"],
    &["august", "aug", "สิงหาคม", "สค", "សីហា"],
    &["september", "sep", "sept", "กันยายน", "กย", "កញ្ញា"],
    &["october", "oct", "ตุลาคม", "ตค", "តុលា"],
    &["november", "nov", "พฤศจิกายน", "พย", "វិច្ឆិកា"],
    &["december", "dec", "ธันวาคม", "ธค", "ធ្នូ"],
];

/// Year, month and day of a text such as `28 เม.ย. 2566`, `2 January 2026`, `Apr 28, 2023`; digits are western ones. The
/// year has four digits, so that its place tells the day's.
pub(super) fn parts(text: &str) -> Option<(String, String, String)> {
    let (mut year, mut month, mut day) = (None, None, None);
    for word in text.split([' ', ',', '-', '/', '\u{a0}']) {
        let word = word.trim_start_matches("พ.ศ.").trim_start_matches("ค.ศ.");
        let plain: String = word
            .chars()
            .filter(|c| *c != '.')
            .flat_map(char::to_lowercase)
            .collect();
        let slot = match plain.as_str() {
            "" | "of" | "วันที่" | "ที่" | "ថ្ងៃទី" | "ខែ" | "ឆ្នាំ" | "เดือน" | "ปี" | "be" | "ce" | "ad" =>
            {
                continue;
            }
            number if number.bytes().all(|b| b.is_ascii_digit()) => {
                if number.len() == 4 {
                    &mut year
                } else {
                    &mut day
                }
            }
            _ => &mut month,
        };
        if slot.replace(plain).is_some() {
            return None;
        }
    }
    let month = month?;
    let number = MONTHS
        .iter()
        .position(|names| names.contains(&month.as_str()))?;
    Some((
        year?,
        (number + 1).to_string(),
        day.unwrap_or_else(|| "?".to_owned()),
    ))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn months_by_name() {
        for (text, want) in [
            ("28 เม.ย. 2566", Some(("2566", "4", "28"))),
            ("2 มกราคม พ.ศ. 2569", Some(("2569", "1", "2"))),
            ("2 January 2026", Some(("2026", "1", "2"))),
            ("Apr 28, 2023", Some(("2023", "4", "28"))),
            ("ថ្ងៃទី 3 ខែ មករា ឆ្នាំ 2022", Some(("2022", "1", "3"))),
            ("May 2022", Some(("2022", "5", "?"))),
            ("2 of 3", None),
            ("April", None),
            ("2 2 January 2026", None),
        ] {
            let got = parts(text);
            let want = want.map(|(y, m, d)| (y.to_owned(), m.to_owned(), d.to_owned()));
            assert_eq!(got, want, "{text}");
        }
    }
}
