//! `nabsak serve`: the explorer over HTTP, read only, for whoever sits at this machine.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use anyhow::Context;
use pipeline::CommitView;
use report::{Explorer, Page};
use tiny_http::{Header, Method, Request, Response, Server};

use super::{open_store, pipeline_failure};
use crate::cli::ServeArgs;
use crate::exit::{self, DONE, Exit};
use crate::logging::say;

/// Answers made at once: each may read a table from end to end.
const WORKERS: usize = 4;

/// No link of ours is longer.
const LONGEST_TARGET: usize = 4096;

/// What every answer says to the browser: nothing is fetched, run, framed, kept or told to others.
const HEADERS: [(&str, &str); 6] = [
    ("Content-Type", "text/html; charset=utf-8"),
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
];

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    let store = open_store(&args.dir)?;
    CommitView::open(std::sync::Arc::clone(&store), None).map_err(pipeline_failure)?;
    let wanted = SocketAddr::new(args.host, args.port);
    let server = Server::http(wanted).map_err(|error| {
        exit::failure(
            exit::OUTPUT,
            format!("cannot listen on {wanted}: {error}. Another port: --port N"),
        )
    })?;
    let address = server.server_addr().to_ip().unwrap_or(wanted);
    let mut out = std::io::stdout().lock();
    writeln!(out, "http://{address}/")
        .and_then(|()| out.flush())
        .context("cannot say where")?;
    drop(out);
    if !address.ip().is_loopback() {
        say(format!(
            "whoever reaches {address} can read all of {}: there is no password and no TLS here; put a proxy that has both before it",
            args.dir
        ));
    }
    let site = Site {
        explorer: Explorer::new(store),
        address,
    };
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                for request in server.incoming_requests() {
                    site.answer(request);
                }
            });
        }
    });
    Ok(DONE)
}

struct Site {
    explorer: Explorer,
    address: SocketAddr,
}

impl Site {
    fn answer(&self, request: Request) {
        let page = self.page(&request);
        let mut response = Response::from_string(page.body).with_status_code(page.status);
        for (name, value) in HEADERS {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        // Who has gone away needs no answer.
        if let Err(error) = request.respond(response) {
            tracing::debug!(%error, "an answer was not taken");
        }
    }

    fn page(&self, request: &Request) -> Page {
        let refused = |status: u16, why: &str| Page {
            status,
            body: format!("<!DOCTYPE html><title>{status}</title><p>{why}"),
        };
        if !matches!(request.method(), Method::Get | Method::Head) {
            return refused(405, "Pages can be read here, and nothing else.");
        }
        if !self.is_meant(request) {
            return refused(403, "This address is not the one that is served.");
        }
        if request.url().len() > LONGEST_TARGET {
            return refused(414, "The address is too long.");
        }
        let page = catch_unwind(AssertUnwindSafe(|| self.explorer.page(request.url())));
        page.unwrap_or_else(|_| refused(500, "Internal error."))
    }

    /// On this machine's own address only requests for that address are answered: a page from elsewhere whose name was made to lead
    /// here asks for its own.
    fn is_meant(&self, request: &Request) -> bool {
        if !self.address.ip().is_loopback() {
            return true;
        }
        let hosts = request
            .headers()
            .iter()
            .filter(|header| header.field.equiv("Host"));
        let mut hosts = hosts.map(|header| header.value.as_str());
        let host = hosts.next().filter(|_| hosts.next().is_none());
        host.is_some_and(is_this_machine)
    }
}

fn is_this_machine(host: &str) -> bool {
    let port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, digits)) if port(digits) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:8377",
            "127.9.9.9",
            "[::1]:1",
            "[::1]",
        ] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "127.0.0.1.example.org:80",
            "10.0.0.1",
            "[2001:db8::1]:80",
            "localhost:x",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
