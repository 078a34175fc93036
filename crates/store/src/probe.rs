//! The race that finds a store in which create-only is only a word.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Barrier;
use std::thread;

use bytes::Bytes;

use crate::contents::{Created, Store};
use crate::error::Error;

/// Writers in each race: enough to overlap on two cores.
const WRITERS: usize = 6;
/// Races. SeaweedFS takes a second or two over each, since its writers wait for a lock; the probe is paid at every start.
const ROUNDS: usize = 1;

/// Runs the probe of [`Store::probe_create_only`].
pub(crate) fn race<S: Store + ?Sized>(store: &S) -> Result<(), Error> {
    for round in 0..=ROUNDS {
        let key = format!("_nabsak/probe/{}", unique());
        // The first round is no race: two writers one after the other, which most pretenders already fail.
        let outcome = if round == 0 {
            turns(store, &key)
        } else {
            race_once(store, &key)
        };
        let cleaned = store.delete(&key);
        outcome?;
        cleaned?;
    }
    Ok(())
}

/// A name that no other process, machine or call makes.
pub(crate) fn unique() -> String {
    // Each RandomState is seeded by the system, so no dependency on a random crate is needed.
    let word = || RandomState::new().build_hasher().finish();
    format!("{:08x}-{:016x}{:016x}", std::process::id(), word(), word())
}

fn turns<S: Store + ?Sized>(store: &S, key: &str) -> Result<(), Error> {
    let wins = [store.create(key, body(0))?, store.create(key, body(1))?];
    judge(store, key, &wins)
}

fn race_once<S: Store + ?Sized>(store: &S, key: &str) -> Result<(), Error> {
    let start = Barrier::new(WRITERS);
    let wins = thread::scope(|scope| {
        let start = &start;
        let writers: Vec<_> = (0..WRITERS)
            .map(|n| {
                scope.spawn(move || {
                    // A first request opens the connection, so that the creates below meet at the store.
                    let warm = store.head(key);
                    start.wait();
                    match warm {
                        Ok(_) | Err(Error::NotFound { .. }) => store.create(key, body(n)),
                        Err(error) => Err(error),
                    }
                })
            })
            .collect();
        writers
            .into_iter()
            .map(|writer| {
                writer
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect::<Result<Vec<_>, Error>>()
    })?;
    judge(store, key, &wins)
}

/// Exactly one winner, and it is its bytes that stand.
fn judge<S: Store + ?Sized>(store: &S, key: &str, wins: &[Created]) -> Result<(), Error> {
    let refuse = |detail: String| {
        Err(Error::NotCreateOnly {
            place: store.describe(),
            detail,
        })
    };
    let winners: Vec<usize> = (0..wins.len())
        .filter(|&n| wins[n] == Created::Created)
        .collect();
    let stored = store.get(key)?;
    match winners[..] {
        [winner] if stored == body(winner) => Ok(()),
        // A lost reply and a retry make the winner see its own object. Nobody was told a lie.
        [] if (0..wins.len()).any(|n| stored == body(n)) => Ok(()),
        [_] => refuse("a writer that lost overwrote the one that won".to_owned()),
        _ => refuse(format!(
            "{} of {} writers of one key were told that they created it",
            winners.len(),
            wins.len()
        )),
    }
}

fn body(writer: usize) -> Bytes {
    format!("writer {writer}").into()
}
