//! How a text is to be read.

use std::fmt;

/// How a text is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// Only what [`super::write()`] and [`super::write_full`] write (RULES 7, 8).
    Strict,
    /// Also the forms of FORMATS 3, each repair with a note.
    #[default]
    Lenient,
    /// REN.
    Ren,
    /// The FEN of makruk-js.
    MakrukJs,
}

/// A dialect whose letters mean other men, or whose board stands otherwise (FORMATS 1: D9, D16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The positions of khmer-chess.js.
    Ren,
    /// The FEN of makruk-js.
    MakrukJs,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Ren => {
                "REN, not FEN: White's first rank comes first and the files run from h to a"
            }
            Dialect::MakrukJs => {
                "the letters of makruk-js (t, e, b), whose board has both khuns on the e-file: \
                 not a makruk start"
            }
        })
    }
}
