//! Dates as archives write them: `2026.01.02`, `2026-01-02`, `20260102`, `2569.01.02` (Buddhist), `2026.??.??`.

use jiff::civil::Date;

/// A date tag: the text, and as much of a Gregorian date as it certainly says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DateTag {
    /// As written; none if there is no such tag or it is empty.
    pub text: Option<String>,
    /// The day, where year, month and day are certain.
    pub date: Option<Date>,
    /// The Gregorian year, where it is certain.
    pub year: Option<i16>,
    /// The month, where it is certain.
    pub month: Option<i8>,
    /// What was odd about it.
    pub note: Option<DateNote>,
}

/// What is odd about a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateNote {
    /// A Buddhist year, 543 ahead.
    Buddhist,
    /// Month or day is missing.
    Partial,
    /// Day and month can be swapped.
    OrderUncertain,
    /// No such day.
    Impossible,
    /// Read, but not in the form PGN wants.
    Form,
    /// Not a date.
    Unreadable,
}

impl DateNote {
    /// One phrase for people.
    pub fn phrase(self) -> &'static str {
        match self {
            DateNote::Buddhist => "a Buddhist year, 543 ahead of the Gregorian one",
            DateNote::Partial => "month or day is missing",
            DateNote::OrderUncertain => "day and month could be either way round",
            DateNote::Impossible => "there is no such day",
            DateNote::Form => "not in the form year.month.day",
            DateNote::Unreadable => "not a date",
        }
    }
}

/// Years from here to `BUDDHIST_LAST` are taken as Buddhist: no record of these games is from the Gregorian 2400s.
const BUDDHIST_FIRST: i16 = 2400;
const BUDDHIST_LAST: i16 = 2700;
const BUDDHIST_AHEAD: i16 = 543;

impl DateTag {
    /// Reads a tag value.
    pub fn parse(text: &str) -> DateTag {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return DateTag::default();
        }
        let mut tag = DateTag {
            text: Some(text.to_owned()),
            ..DateTag::default()
        };
        // A time of day may follow, after a space or a `T`.
        let (day, time) = match trimmed.find([' ', 'T']) {
            Some(at) => (&trimmed[..at], true),
            None => (trimmed, false),
        };
        let parts: Vec<&str> = day.split(['.', '-', '/']).collect();
        match parts.as_slice() {
            [day] if day.len() == 8 && all_digits(day) => {
                tag.fill([&day[..4], &day[4..6], &day[6..]], Some(DateNote::Form));
            }
            [year, month, day] if year.len() == 4 => {
                let pgn = trimmed.len() == 10 && trimmed.as_bytes()[4] == b'.' && !time;
                tag.fill([year, month, day], (!pgn).then_some(DateNote::Form));
            }
            [day, month, year] if year.len() == 4 => tag.fill_little_endian(day, month, year),
            [year] if year.len() == 4 => tag.fill([year, "??", "??"], None),
            [year, month] if year.len() == 4 => tag.fill([year, month, "??"], None),
            _ => tag.note = Some(DateNote::Unreadable),
        }
        tag
    }

    fn fill(&mut self, [year, month, day]: [&str; 3], form: Option<DateNote>) {
        let (Ok(year), Ok(month), Ok(day)) = (part(year), part(month), part(day)) else {
            self.note = Some(DateNote::Unreadable);
            return;
        };
        let Some(year) = year else {
            // `????.??.??` says plainly that it is not known.
            self.note = (month.is_some() || day.is_some()).then_some(DateNote::Partial);
            return;
        };
        let buddhist = (BUDDHIST_FIRST..=BUDDHIST_LAST).contains(&year);
        let year = if buddhist {
            year - BUDDHIST_AHEAD
        } else {
            year
        };
        let (Some(month), Some(day)) = (month, day) else {
            self.year = Some(year);
            self.month = month
                .and_then(|month| i8::try_from(month).ok())
                .filter(|month| (1..=12).contains(month));
            self.note = Some(DateNote::Partial);
            return;
        };
        match civil(year, month, day) {
            Some(date) => {
                (self.date, self.year, self.month) =
                    (Some(date), Some(date.year()), Some(date.month()));
                self.note = if buddhist {
                    Some(DateNote::Buddhist)
                } else {
                    form
                };
            }
            None => self.note = Some(DateNote::Impossible),
        }
    }

    fn fill_little_endian(&mut self, first: &str, second: &str, year: &str) {
        match (part(first), part(second)) {
            (Ok(Some(day)), Ok(Some(month))) if day > 12 && month <= 12 => {
                self.fill([year, second, first], Some(DateNote::Form));
            }
            (Ok(Some(month)), Ok(Some(day))) if day > 12 && month <= 12 => {
                self.fill([year, first, second], Some(DateNote::Form));
            }
            (Ok(Some(one)), Ok(Some(other))) if one == other => {
                self.fill([year, first, second], Some(DateNote::Form))
            }
            _ => self.note = Some(DateNote::OrderUncertain),
        }
    }
}

/// A number, or none for `??` and zeros; anything else is an error.
fn part(text: &str) -> Result<Option<i16>, ()> {
    if text
        .bytes()
        .all(|byte| matches!(byte, b'?' | b'0' | b'x' | b'X'))
    {
        return Ok(None);
    }
    if !all_digits(text) || text.len() > 4 {
        return Err(());
    }
    text.parse().map(Some).map_err(|_| ())
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn civil(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Option<i16>, Option<DateNote>) {
        let tag = DateTag::parse(text);
        (
            tag.date.map_or_else(String::new, |date| date.to_string()),
            tag.year,
            tag.note,
        )
    }

    #[test]
    fn spellings() {
        let day = |note| ("2026-01-02".to_owned(), Some(2026), note);
        assert_eq!(read("2026.01.02"), day(None));
        for form in [
            "2026-01-02",
            "2026.1.2",
            "20260102",
            "2026.01.02 10:00",
            "2026-01-02T10:00:00Z",
        ] {
            assert_eq!(read(form), day(Some(DateNote::Form)), "{form}");
        }
        assert_eq!(read("2569.01.02"), day(Some(DateNote::Buddhist)));
        let none = |year, note| (String::new(), year, note);
        for unknown in ["????.??.??", "0000.00.00", "", "?"] {
            assert_eq!(DateTag::parse(unknown).date, None);
            assert_eq!(DateTag::parse(unknown).year, None, "{unknown}");
        }
        assert_eq!(read("????.??.??"), none(None, None));
        assert_eq!(
            read("2026.??.??"),
            none(Some(2026), Some(DateNote::Partial))
        );
        assert_eq!(read("2026.02.30"), none(None, Some(DateNote::Impossible)));
        assert_eq!(
            read("02/01/2026"),
            none(None, Some(DateNote::OrderUncertain))
        );
        assert_eq!(read("25/01/2026").0, "2026-01-25");
        assert_eq!(read("yesterday"), none(None, Some(DateNote::Unreadable)));
        assert_eq!(read("๒๕๖๙.๐๑.๐๒"), none(None, Some(DateNote::Unreadable)));
    }
}
