//! The men as shapes, drawn for this report: seven silhouettes that stay apart when printed small and without colour.

/// A man as a board shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    white: bool,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Khun,
    Met,
    Khon,
    Ma,
    Rua,
    Bia,
    BiaNgai,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Khun,
        Kind::Met,
        Kind::Khon,
        Kind::Ma,
        Kind::Rua,
        Kind::Bia,
        Kind::BiaNgai,
    ];

    /// Last letter of the symbol's id.
    fn letter(self) -> char {
        match self {
            Kind::Khun => 'K',
            Kind::Met => 'M',
            Kind::Khon => 'S',
            Kind::Ma => 'N',
            Kind::Rua => 'R',
            Kind::Bia => 'P',
            Kind::BiaNgai => 'G',
        }
    }

    /// Outline, then the strokes upon it; a square is 100 units wide.
    fn shape(self) -> (&'static str, &'static str) {
        match self {
            // A stupa with a spire and a ball.
            Kind::Khun => (
                "M22 88H78L73 76C73 63 62 57 60 45C59 37 56 32 54 25A6.5 6.5 0 1 0 46 25C44 32 41 37 40 45C38 57 27 63 27 76Z",
                "M29 75H71M34 63H66M39.5 50H60.5M43 36H57",
            ),
            // The same without the spire: a low dome with a bud.
            Kind::Met => (
                "M26 88H74L70 77C70 66 61 63 58 57C56 53 56 50 54 46A5.5 5.5 0 1 0 46 46C44 50 44 53 42 57C39 63 30 66 30 77Z",
                "M32 76H68M37 65H63",
            ),
            // A leaf-shaped crown on a broad foot.
            Kind::Khon => (
                "M22 88H78L73 77C67 73 65 71 63 68C75 55 70 38 50 15C30 38 25 55 37 68C35 71 33 73 27 77Z",
                "M28 77H72M37 68H63M50 30V58",
            ),
            // A horse's head.
            Kind::Ma => (
                "M28 88H76C77 62 75 38 55 25L55 13L45 23C35 27 30 37 22 54C20 59 25 66 32 63L42 56C45 57 48 55 50 52C51 64 32 68 28 88Z",
                "M39 37.5L40.5 39M60 31C68 42 69 58 68 78M31 78H72",
            ),
            // A drum with a wide rim.
            Kind::Rua => (
                "M22 88H78V77H71V45H79V23H66V32H57V23H43V32H34V23H21V45H29V77H22Z",
                "M29 77H71M29 45H71M29 55H71",
            ),
            // A cowrie shell, mouth down.
            Kind::Bia => (
                "M24 80H76C77 62 66 47 50 47C34 47 23 62 24 80Z",
                "M26 72H74M40 57C43 55 46 54 50 54",
            ),
            // The shell turned over: its mouth shows.
            Kind::BiaNgai => (
                "M50 42C68 42 79 51 79 63C79 75 68 84 50 84C32 84 21 75 21 63C21 51 32 42 50 42Z",
                "M32 63C38 56 62 56 68 63C62 70 38 70 32 63ZM40 51V56M50 49V55M60 51V56M40 70V75M50 71V77M60 70V75",
            ),
        }
    }

    fn names(self, ouk: bool) -> &'static str {
        match (self, ouk) {
            (Kind::Khun, false) => "khun ขุน",
            (Kind::Met, false) => "met เม็ด",
            (Kind::Khon, false) => "khon โคน",
            (Kind::Ma, false) => "ma ม้า",
            (Kind::Rua, false) => "rua เรือ",
            (Kind::Bia, false) => "bia เบี้ย",
            (Kind::BiaNgai, false) => "bia ngai เบี้ยหงาย",
            (Kind::Khun, true) => "sdach",
            (Kind::Met, true) => "neang",
            (Kind::Khon, true) => "koul",
            (Kind::Ma, true) => "ses",
            (Kind::Rua, true) => "tuuk",
            (Kind::Bia, true) => "trey",
            (Kind::BiaNgai, true) => "promoted trey",
        }
    }
}

impl Piece {
    /// The man of a FEN letter.
    pub(crate) fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => Kind::Khun,
            'M' => Kind::Met,
            'S' => Kind::Khon,
            'N' => Kind::Ma,
            'R' => Kind::Rua,
            'P' => Kind::Bia,
            _ => return None,
        };
        Some(Piece {
            white: letter.is_ascii_uppercase(),
            kind,
        })
    }

    /// The same as a bia ngai; only a met can be one.
    pub(crate) fn promoted(self) -> Option<Piece> {
        (self.kind == Kind::Met).then_some(Piece {
            kind: Kind::BiaNgai,
            ..self
        })
    }

    /// Id of its symbol.
    pub(crate) fn symbol_id(self) -> String {
        format!(
            "{}{}",
            if self.white { 'w' } else { 'b' },
            self.kind.letter()
        )
    }
}

/// What a man is called.
pub(crate) fn title(piece: Piece, ouk: bool) -> &'static str {
    piece.kind.names(ouk)
}

/// The definitions that boards refer to.
pub(crate) fn symbols() -> String {
    let mut svg = String::from("<defs>");
    for white in [true, false] {
        let (fill, stroke, inner) = if white {
            ("#fdf4e0", "#2a1d12", "#7d6547")
        } else {
            ("#2f2620", "#120c08", "#d9c5a3")
        };
        for kind in Kind::ALL {
            let id = Piece { white, kind }.symbol_id();
            let (outline, strokes) = kind.shape();
            svg.push_str(&format!(
                "<symbol id=\"{id}\" viewBox=\"0 0 100 100\"><path d=\"{outline}\" fill=\"{fill}\" stroke=\"{stroke}\" \
                 stroke-width=\"3.5\" stroke-linejoin=\"round\"/><path d=\"{strokes}\" fill=\"none\" stroke=\"{inner}\" \
                 stroke-width=\"3.5\" stroke-linecap=\"round\"/></symbol>"
            ));
        }
    }
    svg.push_str("</defs>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_has_a_symbol_of_its_own() {
        let svg = symbols();
        for white in ['w', 'b'] {
            for kind in Kind::ALL {
                assert_eq!(
                    svg.matches(&format!("id=\"{white}{}\"", kind.letter()))
                        .count(),
                    1
                );
            }
        }
    }

    #[test]
    fn only_a_met_can_be_a_bia_ngai() {
        assert!(Piece::from_letter('m').unwrap().promoted().is_some());
        assert!(Piece::from_letter('r').unwrap().promoted().is_none());
        assert!(Piece::from_letter('x').is_none());
    }
}
