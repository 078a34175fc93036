//! The built-in engine for any GUI or match runner: `nabsak uci`.

mod clock;
mod command;
mod server;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use rules::Ruleset;

use self::command::Command;
use self::server::Server;

/// Talks UCI until `quit` or the end of `input`; blocks meanwhile.
///
/// A thread reads ahead so that `stop` and `quit` reach a search that runs:
///
/// ```text
/// input --> reader thread --> commands, each `go` with its own stop flag --> this thread --> output
///                |
///                +-- stop, quit: raise the flag of the last `go`
/// ```
///
/// At the end of input a search with limits is finished first, an endless one is stopped.
///
/// # Errors
/// Only what writing to `output` gives; nonsense in the input is answered with `info string`.
pub fn uci_loop<R: BufRead + Send, W: Write>(
    input: R,
    output: W,
    rules: &Arc<Ruleset>,
) -> std::io::Result<()> {
    let (sender, commands) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || read_ahead(input, &sender));
        Server::new(output, rules).run(&commands)
    })
}

fn read_ahead(mut input: impl BufRead, commands: &Sender<Command>) {
    let mut running = Arc::new(AtomicBool::new(false));
    let mut endless = false;
    loop {
        let mut bytes = Vec::new();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let mut command = command::read(&String::from_utf8_lossy(&bytes));
        match &mut command {
            Command::Go(go) => {
                running = Arc::clone(&go.stop);
                endless = go.is_endless();
            }
            Command::Stop | Command::Quit => running.store(true, Ordering::Relaxed),
            _ => {}
        }
        let last = matches!(command, Command::Quit);
        if commands.send(command).is_err() || last {
            return;
        }
    }
    if endless {
        running.store(true, Ordering::Relaxed);
    }
}
