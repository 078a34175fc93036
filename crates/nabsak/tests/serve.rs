//! `nabsak serve`: real requests to the built program, while runs go on under it.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use common::{job, nabsak, root, run_to};

/// Names that would be markup, an attribute's end, or a way out.
const ATTACK: &str = r#"[Event "<img src=x onerror=alert(1)>"]
[White "<script>alert('x')</script>"]
[Black "a\" onmouseover=\"x"]
[Date "2026.01.02"]
[Variant "Makruk"]
[Result "1-0"]

1. e4 d5 2. exd5 exd5 1-0
"#;

struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let ended = self.child.kill().and_then(|()| self.child.wait());
        drop(ended);
    }
}

impl Served {
    fn start(out: &Path) -> Served {
        let mut child = nabsak()
            .arg("serve")
            .arg(out)
            .args(["--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stdout = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where");
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/');
        assert!(
            address.starts_with("127.0.0.1:"),
            "on this machine only: {line}"
        );
        Served {
            address: address.to_owned(),
            child,
        }
    }

    /// Sends bytes as they are and gives status and whole answer.
    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it is answered");
        let answer = String::from_utf8(answer).expect("pages are UTF-8");
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.unwrap_or(0), answer)
    }

    fn get(&self, target: &str) -> (u16, String) {
        let host = &self.address;
        self.raw(&format!("GET {target} HTTP/1.0\r\nHost: {host}\r\n\r\n"))
    }

    fn page(&self, target: &str) -> String {
        let (status, answer) = self.get(target);
        assert_eq!(status, 200, "{target}: {answer}");
        answer
    }
}

fn inputs(dir: &Path) -> std::path::PathBuf {
    let inputs = dir.join("in");
    fs::create_dir(&inputs).expect("a folder");
    for name in ["defects.pgn", "thai-club.pgn", "korat-open.pgn"] {
        fs::copy(root().join("demo").join(name), inputs.join(name)).expect("it is copied");
    }
    fs::write(inputs.join("attack.pgn"), ATTACK).expect("it is written");
    inputs
}

const QUICK: &str = "[analysis]\nengine = \"none\"\n";

/// The targets in a page's links.
fn links(page: &str) -> Vec<String> {
    let all = page.split("href=\"").skip(1);
    let ours = all.filter_map(|rest| rest.split('"').next());
    let ours = ours.filter(|link| link.starts_with('/'));
    ours.map(|link| link.replace("&amp;", "&")).collect()
}

#[test]
fn pages_are_read_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = job(dir.path(), &inputs(dir.path()), QUICK);
    run_to(0, nabsak().arg("run").arg(&path));
    let out = dir.path().join("out");
    let served = Served::start(&out);

    // Every link of every page leads somewhere, two steps deep and without the fragments.
    let mut seen = std::collections::BTreeSet::new();
    let mut open = vec!["/".to_owned()];
    for _ in 0..3 {
        let targets: Vec<String> = std::mem::take(&mut open);
        for target in targets {
            let target = target.split('#').next().unwrap_or_default().to_owned();
            if seen.len() < 150 && seen.insert(target.clone()) {
                let page = served.page(&target);
                assert!(!page.contains("<script"), "{target}");
                assert!(!page.contains("<img"), "{target}");
                assert!(!page.contains("\" onmouseover"), "{target}");
                open.extend(links(&page));
            }
        }
    }
    assert!(seen.len() > 40, "{seen:?}");

    // Search by player, archive, code; a page of a list; a game's board ply by ply; an opening's replies.
    let page = served.page("/games?player=%3Cscript%3E");
    assert!(
        page.contains("1 game<") && page.contains("&lt;script&gt;"),
        "{page}"
    );
    let game = links(&page)
        .into_iter()
        .find(|link| link.starts_with("/game/"))
        .expect("the game");
    let sheet = served.page(&game);
    assert!(
        sheet.contains("after ply 4 of 4") && sheet.contains("<svg class=\"board\""),
        "{sheet}"
    );
    assert!(
        served
            .page(&format!("{game}?ply=0"))
            .contains("at the start of 4")
    );
    let all = served.page("/games");
    let found = served.page("/games?code=illegal_move");
    assert!(found.contains("defects.pgn") && !found.contains("thai-club.pgn"));
    assert!(all.contains("korat-open.pgn") && !all.contains("thai-club.pgn"));
    assert!(served.page("/games?archive=thai").contains("thai-club.pgn"));
    let second = served.page("/games?page=2");
    assert!(second.contains("page 2 of 2") && second.contains("thai-club.pgn"));
    let findings = served.page("/findings?severity=error");
    assert!(
        findings.contains("badge g-error") && !findings.contains("badge g-note"),
        "{findings}"
    );
    let openings = served.page("/openings?variant=makruk");
    let reply = links(&openings)
        .into_iter()
        .find(|link| link.contains("position="))
        .expect("a move");
    assert!(served.page(&reply).contains("Mover wins"));
    assert!(served.page("/report").contains("Nabsak report"));

    // Nothing but pages: no file of the folder, no other place.
    for target in [
        "/views.sql",
        "/report.html",
        "/../../../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/game/../_nabsak/commits/0000000001",
        "/_nabsak/commits/0000000001",
        "/game/00000000000000000000000000000000",
        "/game/%00",
        "/games/more",
        "//etc/passwd",
        "/openings?position=nothing",
    ] {
        let (status, answer) = served.get(target);
        assert_eq!(status, 404, "{target}");
        assert!(
            !answer.contains("root:") && !answer.contains("CREATE"),
            "{target}"
        );
    }
    let (status, _) = served.get(&format!("/games?player={}", "x".repeat(5000)));
    assert_eq!(status, 414);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let host = &served.address;
        let (status, _) = served.raw(&format!(
            "{method} / HTTP/1.0\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"
        ));
        assert_eq!(status, 405, "{method}");
    }
    // A page of another site whose name leads to this machine asks for that name.
    for host in [
        "Host: evil.example\r\n",
        "",
        "Host: 127.0.0.1.evil.example\r\n",
    ] {
        let (status, _) = served.raw(&format!("GET / HTTP/1.0\r\n{host}\r\n"));
        assert_eq!(status, 403, "{host}");
    }
    let (_, answer) = served.get("/");
    let head = answer
        .split("\r\n\r\n")
        .next()
        .unwrap_or_default()
        .to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "nosniff",
        "no-referrer",
    ] {
        assert!(head.contains(header), "{head}");
    }
}

#[test]
fn commits_change_under_it_without_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path());
    // No parts are kept: each commit takes those of the one before away at once.
    let path = job(dir.path(), &inputs, &format!("keep_hours = 0\n{QUICK}"));
    run_to(0, nabsak().arg("run").arg(&path));
    let served = Served::start(&dir.path().join("out"));
    assert!(served.page("/").contains("commit 1"));
    let done = std::sync::atomic::AtomicBool::new(false);
    let asked = std::thread::scope(|scope| {
        let readers: Vec<_> = ["/games?player=a", "/findings", "/report", "/openings"]
            .into_iter()
            .map(|target| {
                let (served, done) = (&served, &done);
                scope.spawn(move || {
                    let mut asked = 0;
                    while !done.load(std::sync::atomic::Ordering::SeqCst) {
                        served.page(target);
                        asked += 1;
                    }
                    asked
                })
            })
            .collect();
        for night in 0..8 {
            fs::write(inputs.join(format!("night-{night}.pgn")), ATTACK).expect("it is written");
            run_to(0, nabsak().arg("run").arg(&path));
        }
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        let counts = readers
            .into_iter()
            .map(|reader| reader.join().expect("no page failed"));
        counts.sum::<u64>()
    });
    assert!(asked > 20, "{asked}");
    assert!(served.page("/").contains("commit 9"));
    assert!(served.page("/games?archive=night-7").contains("1 game<"));
}

#[test]
fn a_folder_without_a_commit_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let (_, err) = run_to(2, nabsak().arg("serve").arg(dir.path()));
    assert!(err.contains("holds no commit"), "{err}");
}
