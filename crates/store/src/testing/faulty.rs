//! A service in trouble: a proxy on the loopback before a real S3 server, which answers some requests itself, slowly, or not to their end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What the proxy does to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Answers with this status; the server never hears of it.
    Answer(u16),
    /// Waits before it passes the request on.
    Wait(Duration),
    /// Passes so many bytes of the body on and breaks the connection.
    CutUpload(usize),
    /// Passes the request on, and breaks the connection instead of the answer.
    LoseReply,
}

/// Decides over a request by its method and path.
type Judge = Box<dyn Fn(&str, &str) -> Option<Trouble> + Send>;

/// Passes requests on to a server, but for those that a test wants in trouble. One request a connection; its threads end with the process.
pub struct FaultProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    server: u16,
    judge: Mutex<Judge>,
    troubles: AtomicU64,
    requests: AtomicU64,
}

impl std::fmt::Debug for FaultProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FaultProxy")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl FaultProxy {
    /// Begins to pass requests on to the server at `port`.
    ///
    /// # Panics
    /// Where no port is free.
    #[must_use]
    pub fn start(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let shared = Arc::new(Shared {
            server: port,
            judge: Mutex::new(Box::new(|_, _| None)),
            troubles: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = Arc::clone(&accepting);
                thread::spawn(move || pass(client, &shared));
            }
        });
        Self { address, shared }
    }

    /// Base URL of the proxy.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on `judge` decides over each request by its method and path.
    pub fn trouble(&self, judge: impl Fn(&str, &str) -> Option<Trouble> + Send + 'static) {
        let judges = self.shared.judge.lock();
        *judges.unwrap_or_else(PoisonError::into_inner) = Box::new(judge);
    }

    /// From now on every request passes.
    pub fn heal(&self) {
        self.trouble(|_, _| None);
    }

    /// Requests in trouble so far.
    #[must_use]
    pub fn troubles(&self) -> u64 {
        self.shared.troubles.load(Ordering::SeqCst)
    }

    /// All requests so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::SeqCst)
    }
}

/// A request's head.
struct Head {
    method: String,
    path: String,
    bytes: Vec<u8>,
    length: usize,
    /// Whether the client waits for a word before it sends the body.
    asks: bool,
}

fn head(client: &mut impl BufRead) -> io::Result<Option<Head>> {
    let mut head = Head {
        method: String::new(),
        path: String::new(),
        bytes: Vec::new(),
        length: 0,
        asks: false,
    };
    loop {
        let mut line = Vec::new();
        if client.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if head.bytes.is_empty() {
            let mut words = text.split(' ').map(str::to_owned);
            head.method = words.next().unwrap_or_default();
            head.path = words.next().unwrap_or_default();
            head.bytes = line;
            continue;
        }
        if text.is_empty() {
            // One request a connection keeps the proxy simple.
            head.bytes.extend_from_slice(b"Connection: close\r\n\r\n");
            return Ok(Some(head));
        }
        let (name, value) = text.split_once(':').unwrap_or((&text, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => head.length = value.trim().parse().unwrap_or(0),
            "expect" => {
                head.asks = true;
                continue;
            }
            "connection" => continue,
            _ => {}
        }
        head.bytes.extend_from_slice(&line);
    }
}

fn pass(client: TcpStream, shared: &Shared) -> io::Result<()> {
    let mut from_client = BufReader::new(client.try_clone()?);
    let mut to_client = client;
    let Some(head) = head(&mut from_client)? else {
        return Ok(());
    };
    shared.requests.fetch_add(1, Ordering::SeqCst);
    let trouble = {
        let judge = shared.judge.lock().unwrap_or_else(PoisonError::into_inner);
        judge(&head.method, &head.path)
    };
    if trouble.is_some() {
        shared.troubles.fetch_add(1, Ordering::SeqCst);
    }
    if head.asks {
        to_client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = vec![0; head.length];
    from_client.read_exact(&mut body)?;
    if let Some(Trouble::Answer(status)) = trouble {
        let text = format!(
            "<?xml version=\"1.0\"?><Error><Code>{}</Code><Message>called for by a test</Message></Error>",
            code(status)
        );
        write!(
            to_client,
            "HTTP/1.1 {status} Trouble\r\nContent-Type: application/xml\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        )?;
        return to_client.shutdown(Shutdown::Both);
    }
    if let Some(Trouble::Wait(time)) = trouble {
        thread::sleep(time);
    }
    let mut server = TcpStream::connect(("127.0.0.1", shared.server))?;
    server.write_all(&head.bytes)?;
    if let Some(Trouble::CutUpload(bytes)) = trouble {
        server.write_all(&body[..bytes.min(body.len())])?;
        server.shutdown(Shutdown::Both)?;
        return to_client.shutdown(Shutdown::Both);
    }
    server.write_all(&body)?;
    if trouble == Some(Trouble::LoseReply) {
        // The server has done it once it answers.
        let mut answer = [0; 1];
        server.read_exact(&mut answer)?;
        return to_client.shutdown(Shutdown::Both);
    }
    io::copy(&mut server, &mut to_client)?;
    to_client.shutdown(Shutdown::Both)
}

fn code(status: u16) -> &'static str {
    match status {
        503 => "SlowDown",
        507 => "InsufficientStorage",
        _ => "InternalError",
    }
}
