//! Man or machine: a guess from names and tags, for statistics only.

/// Who played a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayerKind {
    /// Two people.
    Human,
    /// Two programs.
    Engine,
    /// One of each.
    Mixed,
    /// The record does not tell.
    #[default]
    Unknown,
}

impl PlayerKind {
    /// All.
    pub const ALL: [PlayerKind; 4] = [
        PlayerKind::Human,
        PlayerKind::Engine,
        PlayerKind::Mixed,
        PlayerKind::Unknown,
    ];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            PlayerKind::Human => "human",
            PlayerKind::Engine => "engine",
            PlayerKind::Mixed => "mixed",
            PlayerKind::Unknown => "unknown",
        }
    }
}

/// What one side is: `Some(true)` a program, `Some(false)` a person, none if the record does not tell.
type Machine = Option<bool>;

/// What a guess rests on.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerHints<'a> {
    /// The player's name.
    pub name: Option<&'a str>,
    /// `WhiteType` or `BlackType`: `human` or `program`.
    pub kind: Option<&'a str>,
    /// `WhiteTitle` or `BlackTitle`: `BOT` marks a program.
    pub title: Option<&'a str>,
    /// Whether the record as a whole comes from a match of programs (its dialect or its event name).
    pub engine_match: bool,
    /// Whether it comes from a site where people play.
    pub people_site: bool,
}

/// The kind of a game from the hints of its two sides.
pub fn player_kind(white: PlayerHints<'_>, black: PlayerHints<'_>) -> PlayerKind {
    match (machine(white), machine(black)) {
        (Some(true), Some(true)) => PlayerKind::Engine,
        (Some(false), Some(false)) => PlayerKind::Human,
        (Some(_), Some(_)) => PlayerKind::Mixed,
        _ => PlayerKind::Unknown,
    }
}

fn machine(hints: PlayerHints<'_>) -> Machine {
    match hints.kind.map(str::trim) {
        Some(kind)
            if kind.eq_ignore_ascii_case("program") || kind.eq_ignore_ascii_case("computer") =>
        {
            return Some(true);
        }
        Some(kind) if kind.eq_ignore_ascii_case("human") => return Some(false),
        _ => {}
    }
    if hints
        .title
        .is_some_and(|title| title.trim().eq_ignore_ascii_case("BOT"))
    {
        return Some(true);
    }
    if hints.name.is_some_and(is_engine_name) || hints.engine_match {
        return Some(true);
    }
    hints.people_site.then_some(false)
}

/// Names of programs that play these games, folded; a name that holds one of them is a program's.
const ENGINES: &[&str] = &[
    "stockfish",
    "fairymax",
    "fairy-max",
    "fairy max",
    "sf-kernel",
    "nabsak",
    "sjaak",
    "sjeng",
    "makruk-sf",
    "leela",
    "pychess engine",
    "pyffish",
    "gnu chess",
    "gnuchess",
    "crafty",
    "bihasa",
    "engine",
];

/// Whether a program's name begins here. By its first two letters first: a person's name has hardly such a pair.
fn is_engine_at(rest: &[u8]) -> bool {
    ENGINES
        .iter()
        .map(|engine| engine.as_bytes())
        .any(|engine| engine.first_chunk::<2>() == rest.first_chunk() && rest.starts_with(engine))
}

fn is_engine_name(name: &str) -> bool {
    let name = name.to_lowercase();
    (0..name.len()).any(|at| is_engine_at(&name.as_bytes()[at..]))
        || name
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "bot")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> PlayerHints<'_> {
        PlayerHints {
            name: Some(name),
            ..PlayerHints::default()
        }
    }

    #[test]
    fn kinds() {
        assert_eq!(
            player_kind(named("Fairymax 5.0"), named("Fairymax 5.0")),
            PlayerKind::Engine
        );
        assert_eq!(player_kind(named("สมชาย"), named("b")), PlayerKind::Unknown);
        let person = PlayerHints {
            people_site: true,
            ..named("player-901")
        };
        assert_eq!(player_kind(person, person), PlayerKind::Human);
        let bot = PlayerHints {
            people_site: true,
            ..named("Fairy-Stockfish")
        };
        assert_eq!(player_kind(person, bot), PlayerKind::Mixed);
        let program = PlayerHints {
            kind: Some("program"),
            ..named("x")
        };
        assert_eq!(player_kind(program, person), PlayerKind::Mixed);
        assert_eq!(
            player_kind(
                PlayerHints {
                    title: Some("BOT"),
                    ..person
                },
                person
            ),
            PlayerKind::Mixed
        );
    }
}
