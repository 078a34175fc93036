//! A real S3 server for tests: SeaweedFS, one process, on the loopback.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Location, S3, S3Settings, Store};

/// The access key of every test server.
pub const ACCESS_KEY_ID: &str = "testkey";
/// The secret key of every test server.
pub const SECRET_ACCESS_KEY: &str = "testsecret123";
/// The bucket that every test server begins with.
pub const BUCKET: &str = "games";

/// First ports tried: with 10,000 more for gRPC they stay below the ports that Linux gives to outgoing connections.
const PORTS: std::ops::Range<u16> = 15_000..22_000;
/// Ports in a row for one server: S3, master, volume, filer, admin.
const PORTS_EACH: u16 = 5;
/// What SeaweedFS adds to a port for its gRPC twin.
const GRPC: u16 = 10_000;
/// A start takes about three seconds on an idle machine.
const START_TIMEOUT: Duration = Duration::from_secs(90);

static STARTED: AtomicBool = AtomicBool::new(false);

/// The keys that this process' stores use once it has started a server.
pub(crate) fn keys() -> Option<(&'static str, &'static str)> {
    STARTED
        .load(Ordering::Relaxed)
        .then_some((ACCESS_KEY_ID, SECRET_ACCESS_KEY))
}

/// A running server on free ports, with its data in a temporary folder. Killed and removed on drop.
///
/// From the first start on, [`crate::open`] and [`crate::S3::connect`] in this process use the server's keys;
/// other processes get them by [`SeaweedFs::env`].
#[derive(Debug)]
pub struct SeaweedFs {
    port: Port,
    child: Option<Child>,
    data: TempDir,
}

impl SeaweedFs {
    /// Starts a server and waits until it answers. The program is `$NABSAK_WEED`, else the one that `./test` has
    /// installed, else `weed` in the path.
    ///
    /// # Panics
    /// Where there is no program, or it does not come up.
    #[must_use]
    pub fn start() -> Self {
        let mut server = Self {
            port: Port::reserve(),
            child: None,
            data: tempfile::tempdir().expect("a temporary folder"),
        };
        server.restart();
        STARTED.store(true, Ordering::Relaxed);
        server
    }

    /// Base URL of the S3 service.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port.first)
    }

    /// Port of the S3 service.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.first
    }

    /// Settings for this server.
    #[must_use]
    pub fn settings(&self) -> S3Settings {
        S3Settings {
            endpoint: Some(self.endpoint()),
            region: Some("us-east-1".to_owned()),
            ..S3Settings::default()
        }
    }

    /// A store in the server's bucket, whatever keys the environment names.
    ///
    /// # Panics
    /// Never: these settings are right.
    #[must_use]
    pub fn store(&self, prefix: &str) -> S3 {
        S3::for_tests(
            BUCKET,
            prefix,
            &self.settings(),
            ACCESS_KEY_ID,
            SECRET_ACCESS_KEY,
        )
        .expect("settings of a running server")
    }

    /// A place in the server's bucket.
    #[must_use]
    pub fn location(&self, prefix: &str) -> Location {
        Location::S3 {
            bucket: BUCKET.to_owned(),
            prefix: prefix.to_owned(),
        }
    }

    /// The environment by which another process finds this server.
    #[must_use]
    pub fn env(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.to_owned()),
            ("AWS_ENDPOINT_URL", self.endpoint()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
        ]
    }

    /// Kills the server as `kill -9` does. Its data stay.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let killed = child.kill().and_then(|()| child.wait());
            if let Err(error) = killed {
                tracing::warn!(%error, "the test server was gone already");
            }
        }
    }

    /// Starts the killed server again: same data, same ports. A running one is killed first.
    ///
    /// # Panics
    /// Where it does not come up.
    pub fn restart(&mut self) {
        self.kill();
        let log = self.data.path().join("weed.log");
        let mut child = self
            .command(&File::create(&log).expect("a log file"))
            .spawn()
            .expect("weed starts");
        let begun = Instant::now();
        loop {
            // The service answers before it has made its bucket.
            if answers(self.port.first) && self.store("").check().is_ok() {
                break;
            }
            let gone = child.try_wait().expect("a child's state");
            if gone.is_some() || begun.elapsed() > START_TIMEOUT {
                child.kill().ok();
                child.wait().ok();
                let said = fs::read_to_string(&log).unwrap_or_default();
                panic!(
                    "weed on port {} did not come up ({gone:?}):\n{said}",
                    self.port.first
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
        self.child = Some(child);
    }

    fn command(&self, log: &File) -> Command {
        let port = |nth: u16| (self.port.first + nth).to_string();
        let data = self.data.path().join("data");
        fs::create_dir_all(&data).expect("a folder for the data");
        let mut command = Command::new(program());
        command
            .env("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID)
            .env("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY)
            .arg("mini")
            .arg(format!("-dir={}", data.display()))
            .args([
                "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1",
                "-master.telemetry=false",
            ])
            .args([
                "-admin.ui=false",
                "-webdav=false",
                "-s3.port.iceberg=0",
                "-s3.port.lance=0",
            ])
            .arg(format!("-s3.port={}", port(0)))
            .arg(format!("-master.port={}", port(1)))
            .arg(format!("-volume.port={}", port(2)))
            .arg(format!("-filer.port={}", port(3)))
            .arg(format!("-admin.port={}", port(4)))
            .arg(format!("-bucket={BUCKET}"))
            .current_dir(self.data.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle of the log"))
            .stderr(log.try_clone().expect("a second handle of the log"));
        command
    }
}

impl Drop for SeaweedFs {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The first of a server's ports, held against the other test processes of this machine by a locked file.
#[derive(Debug)]
struct Port {
    first: u16,
    _lock: File,
}

impl Port {
    fn reserve() -> Self {
        let locks = env::temp_dir().join("nabsak-test-ports");
        fs::create_dir_all(&locks).expect("a folder for port locks");
        let slots = (PORTS.end - PORTS.start) / PORTS_EACH;
        // Processes begin at different places, so that they rarely meet.
        let begin = (std::process::id() % u32::from(slots)) as u16;
        for nth in 0..slots {
            let first = PORTS.start + (begin + nth) % slots * PORTS_EACH;
            let lock = File::create(locks.join(first.to_string())).expect("a port lock");
            if lock.try_lock().is_ok() && (first..first + PORTS_EACH).all(free) {
                return Self { first, _lock: lock };
            }
        }
        panic!("no free ports for a test server");
    }
}

fn free(port: u16) -> bool {
    [port, port + GRPC]
        .into_iter()
        .all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok())
}

/// Whether anybody speaks HTTP on this port. Before that the S3 client would only wait longer and longer.
fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<usize> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET / HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n")?;
        stream.read(&mut [0; 64])
    };
    ask().is_ok_and(|bytes| bytes > 0)
}

fn program() -> PathBuf {
    if let Some(named) = env::var_os("NABSAK_WEED") {
        return named.into();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let installed = cache().into_iter().map(|cache| cache.join("venv/bin"));
    installed
        .chain(env::split_paths(&path))
        .map(|folder| folder.join("weed"))
        .find(|program| program.is_file())
        .expect("no `weed` (SeaweedFS) on this machine: run ./test, which brings it, or set NABSAK_WEED")
}

/// Where `./test` installs what the tests need; remember to change `test` too.
fn cache() -> Option<PathBuf> {
    if let Some(named) = env::var_os("NABSAK_CACHE") {
        return Some(named.into());
    }
    let base = match env::var_os("XDG_CACHE_HOME") {
        Some(base) => PathBuf::from(base),
        None => Path::new(&env::var_os("HOME")?).join(".cache"),
    };
    Some(base.join("nabsak"))
}
