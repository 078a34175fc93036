//! Dates as tags hold them.

mod named;

/// What a date tag says. The text itself is the caller's to keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DateReading {
    /// Year of the common era.
    pub year: Option<i16>,
    /// 1 to 12; only with a year.
    pub month: Option<u8>,
    /// 1 to 31, and a day that the month has; only with a month.
    pub day: Option<u8>,
    /// What was odd, for people.
    pub oddities: Vec<DateOddity>,
}

/// Why a date was not read as it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DateOddity {
    /// A Buddhist year, 543 ahead of the common era.
    #[error("Buddhist year {0} read as {year}", year = .0 - 543)]
    BuddhistYear(i16),
    /// A day or month that does not exist.
    #[error("no such day: `{0}`")]
    Impossible(String),
    /// Day and month could be either way round, or another calendar.
    #[error("the order of day and month is not certain: `{0}`")]
    OrderUncertain(String),
    /// Day and month stand before the year, and only one of them can be the month.
    #[error("`{0}`: the greater number can only be the day")]
    OrderTold(String),
    /// Eight digits in a row.
    #[error("`{0}` read as year, month, day")]
    Compact(String),
    /// Not a date.
    #[error("not a date: `{0}`")]
    NotADate(String),
}

impl DateReading {
    /// The day as `2026-01-02`, if it is known to the day.
    pub fn iso(&self) -> Option<String> {
        Some(format!(
            "{:04}-{:02}-{:02}",
            self.year?, self.month?, self.day?
        ))
    }

    fn odd(oddity: DateOddity) -> DateReading {
        DateReading {
            oddities: vec![oddity],
            ..DateReading::default()
        }
    }
}

/// Buddhist years of all records there can be: 1957 to 2157.
const BUDDHIST_YEARS: std::ops::RangeInclusive<i16> = 2500..=2700;
/// Years of the common era that a record can bear.
const COMMON_YEARS: std::ops::RangeInclusive<i16> = 1000..=2199;

/// Reads a date tag: `2023.04.28`, `2026-06-14`, `2026/6/14`, Buddhist years, `????.??.??`, `2020.??.??`, `0000.00.00`.
/// A year in front is needed: `02/01/2026` could be either of two days. Never fails.
pub fn parse(text: &str) -> DateReading {
    let text = text.trim();
    if let Some((year, month, day)) = by_name(text) {
        return year_first(text, &year, &month, &day);
    }
    // A time behind the day (`2026-01-02T10:00:00Z`, `2026.01.02 10:00`) is not part of it.
    let day_text = text.split(['T', ' ']).next().unwrap_or_default();
    if day_text.is_empty() || matches!(day_text, "?" | "-" | "*") {
        return DateReading::default();
    }
    let digits: String = day_text.chars().map(western_digit).collect();
    let parts: Vec<&str> = digits.split(['.', '-', '/']).collect();
    match parts.as_slice() {
        [compact] if compact.len() == 8 && compact.is_ascii() => {
            let mut reading = year_first(text, &compact[..4], &compact[4..6], &compact[6..]);
            if reading.day.is_some() {
                reading.oddities.push(DateOddity::Compact(text.to_owned()));
            }
            reading
        }
        [year] => year_first(text, year, "?", "?"),
        [year, month] => year_first(text, year, month, "?"),
        [year, month, day] if year.len() >= 3 || is_unknown(year) => {
            year_first(text, year, month, day)
        }
        [first, second, year] if year.len() == 4 => match day_and_month(first, second) {
            Some((day, month)) => {
                let mut reading = year_first(text, year, month, day);
                if reading.day.is_some() {
                    reading
                        .oddities
                        .push(DateOddity::OrderTold(text.to_owned()));
                }
                reading
            }
            None => DateReading::odd(DateOddity::OrderUncertain(text.to_owned())),
        },
        _ => DateReading::odd(DateOddity::NotADate(text.to_owned())),
    }
}

/// Year, month and day where the month is a word.
fn by_name(text: &str) -> Option<(String, String, String)> {
    if !text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'x' | 'X' | 'T' | 'Z')) {
        return None;
    }
    let digits: String = text.chars().map(western_digit).collect();
    named::parts(&digits)
}

/// Which of two numbers is the day, if the other one alone can be a month.
fn day_and_month<'a>(first: &'a str, second: &'a str) -> Option<(&'a str, &'a str)> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=31).contains(n));
    match (number(first)?, number(second)?) {
        (day, month) if day > 12 && month <= 12 => Some((first, second)),
        (month, day) if day > 12 && month <= 12 => Some((second, first)),
        _ => None,
    }
}

fn year_first(text: &str, year: &str, month: &str, day: &str) -> DateReading {
    let not_a_date = || DateReading::odd(DateOddity::NotADate(text.to_owned()));
    let (Some(year), Some(month), Some(day)) = (part(year), part(month), part(day)) else {
        return not_a_date();
    };
    let (Part::Number(year), mut reading) = (year, DateReading::default()) else {
        return DateReading::default();
    };
    let Ok(mut year) = i16::try_from(year) else {
        return not_a_date();
    };
    if BUDDHIST_YEARS.contains(&year) {
        reading.oddities.push(DateOddity::BuddhistYear(year));
        year -= 543;
    }
    if !COMMON_YEARS.contains(&year) {
        return not_a_date();
    }
    let (month, day) = (month.number(), day.number());
    let impossible = month.is_some_and(|m| m > 12)
        || day.is_some_and(|d| month.is_some_and(|m| m <= 12 && d > days_in(year, m)) || d > 31);
    if impossible {
        reading
            .oddities
            .push(DateOddity::Impossible(text.to_owned()));
        return DateReading {
            year: None,
            ..reading
        };
    }
    reading.year = Some(year);
    reading.month = month.and_then(|m| u8::try_from(m).ok());
    reading.day = reading.month.and(day).and_then(|d| u8::try_from(d).ok());
    reading
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Unknown,
    Number(u32),
}

impl Part {
    fn number(self) -> Option<u32> {
        match self {
            Part::Unknown => None,
            Part::Number(number) => Some(number),
        }
    }
}

fn is_unknown(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| matches!(b, b'?' | b'x' | b'X'))
}

/// `??` and zeros are unknown; anything but digits is no part of a date.
fn part(text: &str) -> Option<Part> {
    if is_unknown(text) {
        return Some(Part::Unknown);
    }
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(
        text.parse()
            .ok()
            .filter(|n| *n > 0)
            .map_or(Part::Unknown, Part::Number),
    )
}

fn days_in(year: i16, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Thai and Khmer digits as western ones.
fn western_digit(letter: char) -> char {
    let zero = match letter {
        '๐'..='๙' => '๐',
        '០'..='៩' => '០',
        _ => return letter,
    };
    char::from_digit(letter as u32 - zero as u32, 10).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, iso, odd) in [
            ("2026.01.02", Some("2026-01-02"), 0),
            ("2026-01-02", Some("2026-01-02"), 0),
            ("2026.1.2", Some("2026-01-02"), 0),
            ("2569.01.02", Some("2026-01-02"), 1),
            ("๒๕๖๙.๐๑.๐๒", Some("2026-01-02"), 1),
            ("????.??.??", None, 0),
            ("0000.00.00", None, 0),
            ("", None, 0),
            ("02/01/2026", None, 1),
            ("2026.02.30", None, 1),
            ("2024.02.29", Some("2024-02-29"), 0),
            ("2026.13.01", None, 1),
            ("2026-06-14T10:00:00Z", Some("2026-06-14"), 0),
            ("yesterday", None, 1),
            ("99999.1.1", None, 1),
            ("20260102", Some("2026-01-02"), 1),
            ("02012026", None, 1),
            ("2026.01.02 10:00", Some("2026-01-02"), 0),
        ] {
            let reading = parse(text);
            assert_eq!(reading.iso().as_deref(), iso, "{text}");
            assert_eq!(
                reading.oddities.len(),
                odd,
                "{text}: {:?}",
                reading.oddities
            );
        }
    }

    #[test]
    fn months_by_name_and_orders_that_are_told() {
        for (text, iso) in [
            ("28 เม.ย. ๒๕๖๖", Some("2023-04-28")),
            ("2 January 2026", Some("2026-01-02")),
            ("09/19/2023", Some("2023-09-19")),
            ("19/09/2023", Some("2023-09-19")),
            ("02/01/2026", None),
            ("31 February 2026", None),
        ] {
            assert_eq!(parse(text).iso().as_deref(), iso, "{text}");
        }
        let told = DateOddity::OrderTold("09/19/2023".to_owned());
        assert_eq!(parse("09/19/2023").oddities, [told]);
    }

    #[test]
    fn a_year_alone() {
        let reading = parse("2026.??.??");
        assert_eq!(
            (reading.year, reading.month, reading.day),
            (Some(2026), None, None)
        );
        assert_eq!(parse("2026.??.05").day, None);
    }
}
