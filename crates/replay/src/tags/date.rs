//! Dates: the text, and as much of a Gregorian day as `archive` reads in it.

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
    /// What was odd about it, for people.
    pub note: Option<String>,
}

impl DateTag {
    /// Reads a tag value.
    pub fn parse(text: &str) -> DateTag {
        if text.trim().is_empty() {
            return DateTag::default();
        }
        let reading = archive::date::parse(text);
        let part = |part: Option<u8>| part.and_then(|part| i8::try_from(part).ok());
        let (month, day) = (part(reading.month), part(reading.day));
        let date = match (reading.year, month, day) {
            (Some(year), Some(month), Some(day)) => Date::new(year, month, day).ok(),
            _ => None,
        };
        let mut oddities: Vec<String> = reading.oddities.iter().map(ToString::to_string).collect();
        if reading.year.is_some() && date.is_none() {
            oddities.push("month or day is missing".to_owned());
        }
        DateTag {
            text: Some(text.to_owned()),
            date,
            year: reading.year,
            month,
            note: (!oddities.is_empty()).then(|| oddities.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_years_and_nothing() {
        let day = DateTag::parse("2569.01.02");
        assert_eq!(
            day.date.map(|date| date.to_string()).as_deref(),
            Some("2026-01-02")
        );
        assert!(day.note.is_some());
        let year = DateTag::parse("2026.??.??");
        assert_eq!((year.date, year.year, year.month), (None, Some(2026), None));
        assert!(year.note.is_some());
        assert_eq!(DateTag::parse(" "), DateTag::default());
        assert_eq!(DateTag::parse("????.??.??").note, None);
    }
}
