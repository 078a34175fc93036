//! A match of two UCI engines, refereed by our rules: two colours per random opening, Elo with its error.
//!
//! `duel RULE_SET 'ENGINE A' 'ENGINE B' PAIRS 'GO' [SEED] [THREADS]`, where GO is what follows `go`, as in
//! `nodes 5000` or `movetime 100`; `nodes 5000 / nodes 20000` gives A and B different limits. Both engines are told `UCI_Variant` = the game's name.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use engine::selfplay::Dice;
use rules::{Color, GameResult, Line, Ruleset, UciMove, Variant};

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(command: &str, variant: &str) -> Result<Engine, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("no engine command")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut engine = Engine {
            child,
            input,
            output,
        };
        engine.ask("uci", "uciok")?;
        writeln!(engine.input, "setoption name UCI_Variant value {variant}")?;
        engine.ask("isready", "readyok")?;
        Ok(engine)
    }

    fn ask(&mut self, question: &str, answer: &str) -> Result<String, Failure> {
        writeln!(self.input, "{question}")?;
        self.input.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the engine died while asked {question}").into());
            }
            if line.starts_with(answer) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let (Ok(()) | Err(_)) = self.child.kill();
        let (Ok(_) | Err(_)) = self.child.wait();
    }
}

/// Points of White in half points, and why.
fn game(
    rules: &Arc<Ruleset>,
    opening: &[UciMove],
    white: &mut Engine,
    black: &mut Engine,
    go: [&str; 2],
) -> Result<(u32, String), Failure> {
    let mut line = Line::from_start(rules);
    let mut text = String::new();
    for engine in [&mut *white, &mut *black] {
        writeln!(engine.input, "ucinewgame")?;
        engine.ask("isready", "readyok")?;
    }
    for &wish in opening {
        let mv = line
            .position()
            .resolve(wish)
            .ok_or("an opening move is illegal")?;
        text.push_str(&format!(" {mv}"));
        line.push(mv);
    }
    loop {
        if let Some(ended) = line.ended() {
            let points = match ended.result {
                GameResult::WhiteWins => 2,
                GameResult::Draw => 1,
                GameResult::BlackWins => 0,
            };
            return Ok((points, ended.ending.to_string()));
        }
        let pos = line.position();
        let dead = Color::ALL
            .into_iter()
            .all(|color| pos.insufficient_material(color));
        if dead || line.repetitions() >= 3 || line.plies().0 >= 400 {
            return Ok((1, "adjudicated".into()));
        }
        let turn = pos.turn();
        let engine = if turn == Color::White {
            &mut *white
        } else {
            &mut *black
        };
        writeln!(engine.input, "position startpos moves{text}")?;
        let answer = engine.ask(&format!("go {}", go[turn as usize]), "bestmove")?;
        let word = answer.split_whitespace().nth(1).unwrap_or("");
        let Some(mv) = word.parse().ok().and_then(|wish| pos.resolve(wish)) else {
            return Ok((
                if turn == Color::White { 0 } else { 2 },
                format!("illegal:{word}"),
            ));
        };
        text.push_str(&format!(" {mv}"));
        line.push(mv);
    }
}

fn opening(rules: &Arc<Ruleset>, seed: u64) -> Vec<UciMove> {
    let mut dice = Dice::new(seed);
    loop {
        let mut line = Line::from_start(rules);
        let mut moves = Vec::new();
        for _ in 0..6 {
            let legal = line.position().legal_moves();
            let Some(&mv) = dice.pick(&legal) else { break };
            moves.push(mv.raw().into());
            line.push(mv);
        }
        if moves.len() == 6 && line.position().has_legal_move() {
            return moves;
        }
    }
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10()
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, a, b, pairs, go, rest @ ..] = args.as_slice() else {
        return Err("duel RULE_SET 'ENGINE A' 'ENGINE B' PAIRS 'GO' [SEED] [THREADS]".into());
    };
    let rules = Ruleset::builtin(id)?;
    let variant = match rules.variant() {
        Variant::Makruk => "makruk",
        Variant::Ouk => "cambodian",
        Variant::KarOuk => "karouk",
    };
    let (go_a, go_b) = go
        .split_once('/')
        .map_or((go.as_str(), go.as_str()), |(a, b)| (a.trim(), b.trim()));
    let pairs: usize = pairs.parse()?;
    let seed: u64 = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let threads: usize = rest.get(1).map_or(Ok(1), |threads| threads.parse())?;
    let next = AtomicUsize::new(0);
    let scores: Mutex<Vec<(u32, u32)>> = Mutex::new(Vec::new());
    let play = || -> Result<(), Failure> {
        let (mut ea, mut eb) = (Engine::start(a, variant)?, Engine::start(b, variant)?);
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= pairs {
                return Ok(());
            }
            let moves = opening(&rules, seed * 1_000_003 + pair as u64);
            let (first, why1) = game(&rules, &moves, &mut ea, &mut eb, [go_a, go_b])?;
            let (second, why2) = game(&rules, &moves, &mut eb, &mut ea, [go_b, go_a])?;
            println!(
                "pair {pair}: A white {first}/2 {why1}, A black {}/2 {why2}",
                2 - second
            );
            if let Ok(mut scores) = scores.lock() {
                scores.push((first, 2 - second));
            }
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        handles
            .into_iter()
            .try_for_each(|handle| handle.join().map_err(|_| "a thread broke")?)
    })?;
    let scores = scores.into_inner()?;
    let singles: Vec<u32> = scores
        .iter()
        .flat_map(|&(first, second)| [first, second])
        .collect();
    let count = |points| singles.iter().filter(|&&single| single == points).count();
    let means: Vec<f64> = scores
        .iter()
        .map(|&(first, second)| f64::from(first + second) / 4.0)
        .collect();
    let score = means.iter().sum::<f64>() / means.len() as f64;
    let variance = means.iter().map(|mean| (mean - score).powi(2)).sum::<f64>()
        / (means.len().max(2) - 1) as f64;
    let error = 1.96 * (variance / means.len() as f64).sqrt();
    println!(
        "A '{a}' v B '{b}', {id}, go {go}: +{} ={} -{}  score {score:.3}  Elo {:+.0} [{:+.0}, {:+.0}]",
        count(2),
        count(1),
        count(0),
        elo(score),
        elo(score - error),
        elo(score + error),
    );
    Ok(())
}
