//! Faults on demand, for tests of what a run does about them. The only place where one can be called for; nothing happens unless the
//! environment says so: `NABSAK_FAULT=<what>:<stage>:<text>` strikes at every archive of that stage whose name (in index), and at every
//! game whose record (in replay) or moves (in search) hold the text.

use std::hint::black_box;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use crate::stage::Stage;

const VARIABLE: &str = "NABSAK_FAULT";

/// What strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The process ends as by a fault of memory.
    Abort,
    /// A panic.
    Panic,
    /// The work never ends.
    Hang,
    /// Memory is asked for until there is none; a process without a limit of its own ends as if the system had ended it.
    Memory,
}

/// Where a process without a limit stops asking: nothing of it is touched.
const MEMORY_ASKED: usize = 64 << 30;
const BLOCK: usize = 64 << 20;

struct Fault {
    what: What,
    stage: String,
    text: Vec<u8>,
}

/// Strikes, where the environment calls for it here.
pub(crate) fn at(stage: Stage, text: &[u8]) {
    static FAULT: OnceLock<Option<Fault>> = OnceLock::new();
    let fault = FAULT.get_or_init(|| std::env::var(VARIABLE).ok().as_deref().and_then(parse));
    let Some(fault) = fault.as_ref().filter(|fault| fault.stage == stage.as_str()) else {
        return;
    };
    if text
        .windows(fault.text.len())
        .any(|part| part == fault.text)
    {
        tracing::error!(?fault.what, "a fault was called for by {VARIABLE}");
        strike(fault.what);
    }
}

fn parse(text: &str) -> Option<Fault> {
    let mut words = text.splitn(3, ':');
    let what = match words.next()? {
        "abort" => What::Abort,
        "panic" => What::Panic,
        "hang" => What::Hang,
        "memory" => What::Memory,
        _ => return None,
    };
    Some(Fault {
        what,
        stage: words.next()?.to_owned(),
        text: words.next().filter(|text| !text.is_empty())?.into(),
    })
}

#[allow(clippy::panic, reason = "it is called for")]
fn strike(what: What) {
    match what {
        What::Abort => std::process::abort(),
        What::Panic => panic!("called for"),
        What::Hang => loop {
            thread::sleep(Duration::from_secs(60));
        },
        What::Memory => {
            let mut blocks: Vec<Vec<u8>> = Vec::new();
            while blocks.len() < MEMORY_ASKED / BLOCK {
                blocks.push(black_box(Vec::with_capacity(BLOCK)));
            }
            std::process::abort();
        }
    }
}
