//! The tail that our own FENs may have: who counts (RULES 8.5).
//!
//! ` ; ` and pairs of `key=value`: `cb=w` White counts the board's honour, `cp=b` Black the
//! pieces', `-` nobody; `cn=37` the number said last; `cl=64` the limit; `st=46` the first ply made
//! under the count, counted from 1 as the move number tells. RULES 8.5 has no word for a count that
//! was just stopped, so that we add one: `cs=asked` the counting side has said stop and makes its
//! last counted move next, `cs=done` it has made it.

use rules::{Color, CountKind, CountState, FullMoves, Line, Position, Ruleset, Stop, ToldCount};

use super::note::TailFault;
use super::write_state;

/// The current position of a line with its count, and with the tail if one runs or has just been
/// stopped: read again, the count is the same in all that the rules know of it.
#[must_use]
pub fn write_full(line: &Line) -> String {
    write_full_state(line.position(), line.count_state(), line.ruleset())
}

/// [`write_full`] for a position and the state of its counts.
#[must_use]
pub fn write_full_state(position: &Position, count: &CountState, rules: &Ruleset) -> String {
    let mut fen = write_state(position, count, rules);
    let told = count.told(position, rules);
    // A count that a strange FEN brought and that cannot run here: a reader would refuse the tail.
    let sound = |told: &ToldCount| CountState::from_told(told, position, rules).is_ok();
    if let Some(told) = told.filter(sound) {
        push(&mut fen, &told);
    }
    fen
}

fn push(fen: &mut String, told: &ToldCount) {
    let key = match told.kind {
        CountKind::Board => "cb",
        CountKind::Pieces => "cp",
    };
    fen.push_str(&format!(
        " ; {key}={} cn={}",
        told.side.letter(),
        told.number.0
    ));
    if let Some(limit) = told.limit {
        fen.push_str(&format!(" cl={}", limit.0));
    }
    if let Some(start) = told.start {
        fen.push_str(&format!(" st={start}"));
    }
    match told.stop {
        Stop::No => {}
        Stop::Asked => fen.push_str(" cs=asked"),
        Stop::Done => fen.push_str(" cs=done"),
    }
}

/// Whether a text behind `;` is such a tail, well written or not, rather than an EPD's operation.
pub(super) fn is_tail(text: &str) -> bool {
    text.contains('=') && text.split_ascii_whitespace().all(|pair| pair.contains('='))
}

/// What a tail says: `None` if that nobody counts.
pub(super) fn parse(text: &str) -> Result<Option<ToldCount>, TailFault> {
    let mut pairs = Pairs::default();
    for pair in text.split_ascii_whitespace() {
        let (key, value) = pair.split_once('=').ok_or(TailFault::Key)?;
        pairs.set(key, value)?;
    }
    let (kind, side) = match (pairs.cb.flatten(), pairs.cp.flatten()) {
        (Some(side), None) => (CountKind::Board, side),
        (None, Some(side)) => (CountKind::Pieces, side),
        (None, None) if pairs.says_nothing() => return Ok(None),
        _ => return Err(TailFault::Side),
    };
    Ok(Some(ToldCount {
        kind,
        side,
        number: pairs.cn.ok_or(TailFault::Number)?,
        limit: pairs.cl,
        start: pairs.st,
        stop: pairs.cs.unwrap_or_default(),
    }))
}

#[derive(Default)]
struct Pairs {
    cb: Option<Option<Color>>,
    cp: Option<Option<Color>>,
    cn: Option<FullMoves>,
    cl: Option<FullMoves>,
    st: Option<i64>,
    cs: Option<Stop>,
}

impl Pairs {
    fn set(&mut self, key: &str, value: &str) -> Result<(), TailFault> {
        match key {
            "cb" => put("cb", &mut self.cb, side(value), SIDE),
            "cp" => put("cp", &mut self.cp, side(value), SIDE),
            "cn" => put("cn", &mut self.cn, plain(value).map(FullMoves), NUMBER),
            "cl" => put("cl", &mut self.cl, plain(value).map(FullMoves), NUMBER),
            "st" => put("st", &mut self.st, signed(value), PLY),
            "cs" => put("cs", &mut self.cs, stop(value), STOP),
            _ => Err(TailFault::Key),
        }
    }

    fn says_nothing(&self) -> bool {
        self.cn.is_none() && self.cl.is_none() && self.st.is_none() && self.cs.is_none()
    }
}

const SIDE: &str = "w, b or -";
const NUMBER: &str = "a number";
const PLY: &str = "the number of a ply";
const STOP: &str = "asked or done";

fn put<T>(
    key: &'static str,
    slot: &mut Option<T>,
    value: Option<T>,
    want: &'static str,
) -> Result<(), TailFault> {
    let value = value.ok_or(TailFault::Value(key, want))?;
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(TailFault::Twice(key)),
    }
}

fn side(value: &str) -> Option<Option<Color>> {
    match value {
        "w" => Some(Some(Color::White)),
        "b" => Some(Some(Color::Black)),
        "-" => Some(None),
        _ => None,
    }
}

fn stop(value: &str) -> Option<Stop> {
    match value {
        "asked" => Some(Stop::Asked),
        "done" => Some(Stop::Done),
        _ => None,
    }
}

/// A number as we write it: no sign, no zeros in front.
fn plain(value: &str) -> Option<u32> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let padded = value.len() > 1 && value.starts_with('0');
    value.parse().ok().filter(|_| digits && !padded)
}

fn signed(value: &str) -> Option<i64> {
    let number: i64 = value.parse().ok()?;
    (number.to_string() == value).then_some(number)
}
