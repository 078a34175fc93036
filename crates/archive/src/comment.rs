//! What programs put into comments: clocks, evaluations, counts.
//!
//! Known forms: `[%clk 0:01:59.1]`, `[%emt 0:00:05]`, `[%eval -0.42]`, `[%eval 0.25,18]`, `[%eval #-3]`, `[%eval M1]`,
//! `[%count start]`, `[%count stop]`, `[%cnt 37/64]`; cutechess `+0.29/34 434s`, `-M12/137 25s`, `book`; WinBoard
//! `-0.27/28 29`, `+2.34/17 1:23`; TCEC `d=56, mt=30699, wv=0.00`. What is not known stays text.

mod eval;
mod moment;

pub use eval::{DeclaredEval, EvalValue, EvalView};

/// What a comment says beside its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommentFacts {
    /// Time left after the move, in milliseconds.
    pub clock_ms: Option<u64>,
    /// Time the move took, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// The writer's evaluation.
    pub eval: Option<DeclaredEval>,
    /// The move came from an opening book.
    pub book: bool,
    /// Counting marks, in order.
    pub counts: Vec<CountMark>,
    /// The comment without the parts above, trimmed.
    pub text: String,
    /// What was odd, for people.
    pub oddities: Vec<String>,
}

/// A mark about counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMark {
    /// `[%count start]`
    Start,
    /// `[%count stop]`
    Stop,
    /// `[%cnt 37/64]`
    Number {
        /// The number said last.
        number: u16,
        /// The limit it runs to.
        limit: u16,
    },
}

/// Reads a comment's text (without its braces). Never fails.
pub fn parse(comment: &str) -> CommentFacts {
    let mut facts = CommentFacts::default();
    let rest = take_commands(comment, &mut facts);
    let rest = rest.trim();
    if rest == "book" {
        facts.book = true;
    } else if !engine_prefix(rest, &mut facts) && !tcec(rest, &mut facts) {
        facts.text = rest.to_owned();
    }
    facts
}

/// Takes out every `[%name value]` that is known; returns what is left.
fn take_commands(comment: &str, facts: &mut CommentFacts) -> String {
    let (mut left, mut rest) = (String::new(), comment);
    while let Some(open) = rest.find("[%") {
        let Some(close) = rest[open..].find(']').map(|at| open + at) else {
            break;
        };
        let command = &rest[open + 2..close];
        left.push_str(&rest[..open]);
        if !take_command(command, facts) {
            left.push_str(&rest[open..=close]);
        }
        rest = &rest[close + 1..];
    }
    left.push_str(rest);
    left
}

fn take_command(command: &str, facts: &mut CommentFacts) -> bool {
    let (name, value) = command
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((command.trim(), ""));
    let value = value.trim();
    match name.to_ascii_lowercase().as_str() {
        "clk" => set(&mut facts.clock_ms, moment::parse(value)),
        "emt" => set(&mut facts.elapsed_ms, moment::parse(value)),
        "eval" => {
            let Some((eval, oddity)) = eval::command(value) else {
                return false;
            };
            facts.oddities.extend(oddity);
            facts.eval.get_or_insert(eval);
            true
        }
        "count" | "cnt" => count_mark(value)
            .map(|mark| facts.counts.push(mark))
            .is_some(),
        _ => false,
    }
}

/// The first value stays; a second one is taken out all the same.
fn set(slot: &mut Option<u64>, value: Option<u64>) -> bool {
    *slot = slot.or(value);
    value.is_some()
}

fn count_mark(value: &str) -> Option<CountMark> {
    match value.to_ascii_lowercase().as_str() {
        "start" => return Some(CountMark::Start),
        "stop" => return Some(CountMark::Stop),
        _ => {}
    }
    let (number, limit) = value.split_once('/')?;
    Some(CountMark::Number {
        number: number.trim().parse().ok()?,
        limit: limit.trim().parse().ok()?,
    })
}

/// `+0.29/34 434s`, and what follows a comma as text.
fn engine_prefix(text: &str, facts: &mut CommentFacts) -> bool {
    let Some((score, rest)) = text.split_once('/') else {
        return false;
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (depth, rest) = rest.split_at(digits);
    let (Ok(depth), Some(value)) = (depth.parse::<u32>(), eval::score(score)) else {
        return false;
    };
    let rest = rest.trim_start();
    let (time, words) = match rest.find([',', ' ']) {
        Some(at) => (&rest[..at], rest[at..].trim_start_matches([',', ' '])),
        None => (rest, ""),
    };
    let elapsed = moment::parse(time.strip_suffix('s').unwrap_or(time));
    if !time.is_empty() && elapsed.is_none() {
        return false;
    }
    let shown = text[..text.len() - rest.len()].trim_end().to_owned();
    set(&mut facts.elapsed_ms, elapsed);
    facts.eval.get_or_insert(DeclaredEval {
        text: shown,
        value,
        view: EvalView::Mover,
        depth: Some(depth),
    });
    facts.text = words.to_owned();
    true
}

/// `d=56, mt=30699, pv=..., wv=0.00`: depth, time in milliseconds, White's view.
fn tcec(text: &str, facts: &mut CommentFacts) -> bool {
    let field = |name: &str| {
        text.split(',')
            .filter_map(|part| part.trim().split_once('='))
            .find_map(|(key, value)| (key == name).then_some(value))
    };
    let Some(score) = field("wv") else {
        return false;
    };
    let Some(value) = eval::score(score) else {
        return false;
    };
    let depth = field("d").and_then(|depth| depth.parse().ok());
    set(
        &mut facts.elapsed_ms,
        field("mt").and_then(|time| time.parse().ok()),
    );
    facts.eval.get_or_insert(DeclaredEval {
        text: score.to_owned(),
        value,
        view: EvalView::White,
        depth,
    });
    facts.text = text.to_owned();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(text: &str) -> (EvalValue, EvalView, Option<u32>) {
        let eval = parse(text).eval.expect(text);
        (eval.value, eval.view, eval.depth)
    }

    #[test]
    fn commands() {
        let facts = parse(" [%clk 0:05:00.3] [%eval 0.12] ");
        assert_eq!(facts.clock_ms, Some(300_300));
        assert_eq!(
            facts.eval.as_ref().map(|e| e.value),
            Some(EvalValue::Centipawns(12))
        );
        assert_eq!(facts.text, "");
        assert_eq!(
            eval("[%eval -0.42,18]"),
            (EvalValue::Centipawns(-42), EvalView::White, Some(18))
        );
        assert_eq!(
            eval("[%eval 0,1]"),
            (EvalValue::Centipawns(0), EvalView::White, Some(1))
        );
        assert_eq!(
            eval("[%eval #-3]"),
            (EvalValue::Mate(-3), EvalView::White, None)
        );
        assert_eq!(parse("[%emt 0:00:05]").elapsed_ms, Some(5_000));
        assert_eq!(parse("good [%csl Gf4] move").text, "good [%csl Gf4] move");
        assert_eq!(parse("[%clk soon]").text, "[%clk soon]");
    }

    #[test]
    fn an_m_in_an_eval_is_noted() {
        let facts = parse("[%eval M2]");
        assert_eq!(facts.eval.map(|e| e.value), Some(EvalValue::Mate(2)));
        assert_eq!(facts.oddities.len(), 1);
    }

    #[test]
    fn counts() {
        assert_eq!(parse("[%count start]").counts, [CountMark::Start]);
        assert_eq!(parse("[%count stop] enough").counts, [CountMark::Stop]);
        assert_eq!(
            parse("[%cnt 37/64]").counts,
            [CountMark::Number {
                number: 37,
                limit: 64
            }]
        );
    }

    #[test]
    fn engines() {
        assert_eq!(
            eval("+0.29/34 434s"),
            (EvalValue::Centipawns(29), EvalView::Mover, Some(34))
        );
        assert_eq!(parse("+0.29/34 434s").elapsed_ms, Some(434_000));
        assert_eq!(
            eval("-M12/137 25s"),
            (EvalValue::Mate(-12), EvalView::Mover, Some(137))
        );
        assert_eq!(
            eval("+M13/40 1.2s"),
            (EvalValue::Mate(13), EvalView::Mover, Some(40))
        );
        assert_eq!(parse("+M13/40 1.2s").elapsed_ms, Some(1_200));
        assert_eq!(
            eval("-0.27/28 29"),
            (EvalValue::Centipawns(-27), EvalView::Mover, Some(28))
        );
        assert_eq!(parse("+2.34/17 1:23").elapsed_ms, Some(83_000));
        assert_eq!(parse("+0.12/14 0.5s, White mates").text, "White mates");
        assert!(parse("book").book);
        let tcec = parse("d=56, mt=30699, pv=e4 e5, wv=-0.07");
        assert_eq!(
            tcec.eval.map(|e| (e.value, e.view, e.depth)),
            Some((EvalValue::Centipawns(-7), EvalView::White, Some(56)))
        );
        assert_eq!(tcec.elapsed_ms, Some(30_699));
    }

    #[test]
    fn words_stay_words() {
        for text in [
            "a (paren ]",
            "1/2 would be fair",
            "see 3/4",
            "e4/e5 both",
            "",
            "[%",
            "[%]",
        ] {
            let facts = parse(text);
            assert_eq!((facts.text.as_str(), facts.eval), (text, None));
        }
    }
}
