//! Which field of a JSON record is which tag.

use std::borrow::Cow;

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The moves: a list, or a text.
    Moves,
    /// A whole game in PGN, as a text.
    Pgn,
    /// One evaluation a ply, in the mover's view.
    Scores,
    /// The start position in REN, and so the record is KPGN.
    Ren,
    /// Whether White won, or Black.
    Won(Side),
    /// Who won: `white`, `black`, `draw`.
    Winner,
    /// A tag of this name.
    Tag(&'static str),
    /// Known to nobody: kept under its own name.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    White,
    Black,
}

/// Field names in lower case without `_`, `-` and blanks; dots stand between the names of nested fields.
const KNOWN: &[(&str, Field)] = &[
    ("moves", Field::Moves),
    ("movelist", Field::Moves),
    ("movesuci", Field::Moves),
    ("ucimoves", Field::Moves),
    ("movesan", Field::Moves),
    ("mainline", Field::Moves),
    ("movetext", Field::Moves),
    ("pgn", Field::Pgn),
    ("scores", Field::Scores),
    ("evals", Field::Scores),
    ("ren", Field::Ren),
    ("whitewin", Field::Won(Side::White)),
    ("blackwin", Field::Won(Side::Black)),
    ("result.whitewin", Field::Won(Side::White)),
    ("result.blackwin", Field::Won(Side::Black)),
    ("winner", Field::Winner),
    ("fen", Field::Tag("FEN")),
    ("startfen", Field::Tag("FEN")),
    ("initialfen", Field::Tag("FEN")),
    ("startposition", Field::Tag("FEN")),
    ("event", Field::Tag("Event")),
    ("tournament", Field::Tag("Event")),
    ("site", Field::Tag("Site")),
    ("location", Field::Tag("Site")),
    ("date", Field::Tag("Date")),
    ("playedat", Field::Tag("Date")),
    ("createdat", Field::Tag("Date")),
    ("round", Field::Tag("Round")),
    ("white", Field::Tag("White")),
    ("whitename", Field::Tag("White")),
    ("whiteplayer", Field::Tag("White")),
    ("white.name", Field::Tag("White")),
    ("players.white", Field::Tag("White")),
    ("players.white.name", Field::Tag("White")),
    ("black", Field::Tag("Black")),
    ("blackname", Field::Tag("Black")),
    ("blackplayer", Field::Tag("Black")),
    ("black.name", Field::Tag("Black")),
    ("players.black", Field::Tag("Black")),
    ("players.black.name", Field::Tag("Black")),
    ("whiteelo", Field::Tag("WhiteElo")),
    ("whiterating", Field::Tag("WhiteElo")),
    ("white.rating", Field::Tag("WhiteElo")),
    ("players.white.rating", Field::Tag("WhiteElo")),
    ("blackelo", Field::Tag("BlackElo")),
    ("blackrating", Field::Tag("BlackElo")),
    ("black.rating", Field::Tag("BlackElo")),
    ("players.black.rating", Field::Tag("BlackElo")),
    ("result", Field::Tag("Result")),
    ("termination", Field::Tag("Termination")),
    ("resultreason", Field::Tag("Termination")),
    ("endreason", Field::Tag("Termination")),
    ("variant", Field::Tag("Variant")),
    ("ruleset", Field::Tag("RuleSet")),
    ("timecontrol", Field::Tag("TimeControl")),
];

/// What the field of this name is, the names of those it lies in before it.
pub(super) fn known(path: &str) -> Field {
    let folded: String = path
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    KNOWN
        .iter()
        .find(|(name, _)| *name == folded)
        .map_or(Field::Other, |(_, field)| *field)
}

/// The name of a tag: the known one, or the record's own.
pub(super) fn tag_name(field: Field, path: &str) -> Cow<'static, str> {
    match field {
        Field::Tag(name) => Cow::Borrowed(name),
        _ => Cow::Owned(path.to_owned()),
    }
}
