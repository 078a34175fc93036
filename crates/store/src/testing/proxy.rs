//! A network that breaks: a proxy on the loopback that cuts connections.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::thread;

/// Passes TCP on to a server and, while told so, cuts each connection after a number of bytes from the server.
///
/// Its threads end with the process.
#[derive(Debug)]
pub struct CuttingProxy {
    address: SocketAddr,
    plan: Arc<Plan>,
}

#[derive(Debug)]
struct Plan {
    /// Cuts still to make.
    cuts: AtomicI64,
    /// Bytes that pass before a cut.
    after_bytes: u64,
    /// Cuts made.
    made: AtomicU32,
}

impl CuttingProxy {
    /// Begins to pass connections on to the server at `port`; the first `cuts` answers longer than `after_bytes` are cut there.
    ///
    /// # Panics
    /// Where no port is free.
    #[must_use]
    pub fn start(port: u16, cuts: u32, after_bytes: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let plan = Arc::new(Plan {
            cuts: AtomicI64::new(cuts.into()),
            after_bytes,
            made: AtomicU32::new(0),
        });
        let shared = Arc::clone(&plan);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let plan = Arc::clone(&shared);
                thread::spawn(move || pass(client, port, &plan));
            }
        });
        Self { address, plan }
    }

    /// Base URL of the proxy.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many connections were cut so far.
    #[must_use]
    pub fn cuts(&self) -> u32 {
        self.plan.made.load(Ordering::SeqCst)
    }
}

fn pass(client: TcpStream, port: u16, plan: &Plan) -> io::Result<()> {
    let server = TcpStream::connect(("127.0.0.1", port))?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        let copied = io::copy(&mut from_client, &mut to_server);
        let closed = to_server.shutdown(Shutdown::Write);
        copied.and(closed)
    });
    answer(server, client, plan)
}

fn answer(mut server: TcpStream, mut client: TcpStream, plan: &Plan) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    let mut passed = 0;
    loop {
        let got = server.read(&mut buffer)?;
        if got == 0 {
            return client.shutdown(Shutdown::Both);
        }
        passed += got as u64;
        if passed > plan.after_bytes && plan.cuts.fetch_sub(1, Ordering::SeqCst) > 0 {
            plan.made.fetch_add(1, Ordering::SeqCst);
            client.write_all(&buffer[..got / 2])?;
            server.shutdown(Shutdown::Both)?;
            return client.shutdown(Shutdown::Both);
        }
        client.write_all(&buffer[..got])?;
    }
}
