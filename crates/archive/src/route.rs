//! The way from the bytes of an archive to the bytes of a member, or of a range of it.

use std::{fmt, str::FromStr};

use crate::container::{marks::Mark, packing::Packing};

/// A way to some text: which bytes of the archive, and what to do with them, in this order.
///
/// Its text form (`Display`, `FromStr`) is one line; a reading far away from where the way was found follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// First byte in the archive.
    pub(crate) from: u64,
    /// The byte after the last one.
    pub(crate) to: u64,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Unpack, from a place that lies behind so much of the stream.
    Unpack(Packing, Mark),
    /// Pass over so many bytes.
    Skip(u64),
    /// No more than so many bytes, and no fewer: a stream that ends before is truncated.
    Take(u64),
    /// To the end there are so many bytes, and this is their CRC-32.
    Check { bytes: u64, crc: u32 },
}

impl Route {
    pub(crate) fn whole(from: u64, to: u64) -> Route {
        Route {
            from,
            to,
            steps: Vec::new(),
        }
    }

    pub(crate) fn then(mut self, step: Step) -> Route {
        self.steps.push(step);
        self
    }

    pub(crate) fn unpacked(self, packing: Packing) -> Route {
        self.then(Step::Unpack(packing, Mark::default()))
    }

    /// First byte in the archive that is read.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The byte after the last one that is read.
    pub fn to(&self) -> u64 {
        self.to
    }

    /// Whether the bytes of the archive are the text itself.
    pub fn is_plain(&self) -> bool {
        let unpacks = |step: &Step| matches!(step, Step::Unpack(..));
        !self.steps.iter().any(unpacks)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)?;
        self.steps.iter().try_for_each(|step| match step {
            Step::Unpack(packing, mark) if *mark == Mark::default() => write!(f, " {packing}"),
            Step::Unpack(packing, mark) => {
                write!(f, " {packing}@{}:{}", mark.packed, mark.unpacked)
            }
            Step::Skip(bytes) => write!(f, " +{bytes}"),
            Step::Take(bytes) => write!(f, " ={bytes}"),
            Step::Check { bytes, crc } => write!(f, " #{bytes}:{crc:08x}"),
        })
    }
}

/// A text that is no route.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no way into an archive")]
pub struct NotARoute(String);

impl FromStr for Route {
    type Err = NotARoute;

    fn from_str(text: &str) -> Result<Route, NotARoute> {
        parse(text).ok_or_else(|| NotARoute(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Route> {
    let mut words = text.split(' ');
    let (from, to) = words.next()?.split_once('-')?;
    let steps = words.map(step).collect::<Option<Vec<_>>>()?;
    Some(Route {
        from: from.parse().ok()?,
        to: to.parse().ok()?,
        steps,
    })
}

fn step(word: &str) -> Option<Step> {
    if let Some(bytes) = word.strip_prefix('+') {
        return Some(Step::Skip(bytes.parse().ok()?));
    }
    if let Some(bytes) = word.strip_prefix('=') {
        return Some(Step::Take(bytes.parse().ok()?));
    }
    if let Some(check) = word.strip_prefix('#') {
        let (bytes, crc) = check.split_once(':')?;
        return Some(Step::Check {
            bytes: bytes.parse().ok()?,
            crc: u32::from_str_radix(crc, 16).ok()?,
        });
    }
    let Some((packing, mark)) = word.split_once('@') else {
        return Some(Step::Unpack(word.parse().ok()?, Mark::default()));
    };
    let (packed, unpacked) = mark.split_once(':')?;
    let mark = Mark {
        packed: packed.parse().ok()?,
        unpacked: unpacked.parse().ok()?,
    };
    Some(Step::Unpack(packing.parse().ok()?, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_read_as_it_is_written() {
        for text in [
            "0-10",
            "7-99 zstd@5:1000 +12 =34 gzip",
            "0-18446744073709551615 deflate #12:0000beef bzip2",
        ] {
            let route: Route = text.parse().unwrap();
            assert_eq!(route.to_string(), text);
        }
        for text in [
            "",
            "1",
            "1-x",
            "1-2 lzma",
            "1-2 +",
            "1-2  gzip",
            "1-2 #5",
            "1-2 zstd@4",
        ] {
            assert!(text.parse::<Route>().is_err(), "{text}");
        }
    }
}
