//! Against a real server (SeaweedFS), and against canned answers where a real one cannot be brought to give them.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;
use std::time::Instant;

use super::*;
use crate::error::Retry;
use crate::testing::{ACCESS_KEY_ID, BUCKET, CuttingProxy, SECRET_ACCESS_KEY, SeaweedFs, contract};

fn fails<T: std::fmt::Debug>(outcome: Result<T, Error>) -> Error {
    outcome.expect_err("this cannot work")
}

#[test]
fn keeps_the_contract() {
    let server = SeaweedFs::start();
    let settings = server.settings();
    for checksums in [None, Some(Checksums::WhenSupported)] {
        let settings = S3Settings {
            checksums,
            ..settings.clone()
        };
        let root = S3::connect(BUCKET, "", &settings).unwrap();
        root.check().unwrap();
        contract::check(&root);
        contract::check(&S3::connect(BUCKET, "deep/er", &settings).unwrap());
    }
    // Pages of three: a listing has to put them together.
    let paged = S3::connect(BUCKET, "pages", &settings)
        .unwrap()
        .with_page(3);
    let keys: Vec<String> = (0..20).map(|n| format!("{}/{n:02}", n % 4)).collect();
    for key in &keys {
        assert_eq!(paged.create(key, Bytes::new()).unwrap(), Created::Created);
    }
    let mut sorted = keys.clone();
    sorted.sort();
    let listed: Vec<String> = paged.list("").unwrap().into_iter().map(|e| e.key).collect();
    assert_eq!(listed, sorted);
    assert_eq!(paged.list("2").unwrap().len(), 5);
    // Another prefix sees nothing of it.
    let beside = S3::connect(BUCKET, "page", &settings).unwrap();
    assert_eq!(beside.list("").unwrap(), []);
}

#[test]
fn says_whether_it_is_the_key_the_bucket_or_the_object() {
    let server = SeaweedFs::start();
    let settings = server.settings();
    let connect = |bucket, id, secret| S3::for_tests(bucket, "a", &settings, id, secret).unwrap();

    for (id, secret, code) in [
        (ACCESS_KEY_ID, "wrong", "SignatureDoesNotMatch"),
        ("nobody", SECRET_ACCESS_KEY, "InvalidAccessKeyId"),
    ] {
        let store = connect(BUCKET, id, secret);
        for error in [
            fails(store.check()),
            fails(store.list("")),
            fails(store.head("x")),
            fails(store.get("x")),
            fails(store.create("x", "1".into())),
            fails(store.delete("x")),
        ] {
            assert!(
                matches!(&error, Error::BadCredentials { code: it, .. } if it == code),
                "{error:?}"
            );
            assert_eq!(error.retry(), Retry::Never);
            assert!(error.to_string().contains("s3://games/a"), "{error}");
        }
    }
    let store = connect("nowhere", ACCESS_KEY_ID, SECRET_ACCESS_KEY);
    for error in [
        fails(store.check()),
        fails(store.list("")),
        fails(store.head("x")),
        fails(store.get("x")),
        fails(store.create("x", "1".into())),
    ] {
        assert!(matches!(error, Error::NoSuchBucket { .. }), "{error:?}");
        let text = error.to_string();
        assert!(
            text.contains("`nowhere`") && text.contains(&server.endpoint()),
            "{text}"
        );
    }
    let store = connect(BUCKET, ACCESS_KEY_ID, SECRET_ACCESS_KEY);
    for error in [fails(store.head("x")), fails(store.get("x"))] {
        assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
        assert_eq!(error.to_string(), "s3://games/a/x does not exist");
    }
}

#[test]
fn a_dead_server_is_named_and_a_restarted_one_goes_on() {
    let mut server = SeaweedFs::start();
    let store = S3::connect(BUCKET, "", &server.settings()).unwrap();
    let bytes: Bytes = (0..24_000_000u32).map(|n| (n * 7 % 251) as u8).collect();
    assert_eq!(
        store.create("big", bytes.clone()).unwrap(),
        Created::Created
    );

    let mut body = store.read("big", None, None).unwrap();
    let mut got = vec![0; 1_000_000];
    body.read_exact(&mut got).unwrap();
    server.kill();
    let begun = Instant::now();
    let error = fails(store.get("big"));
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert_eq!(error.retry(), Retry::Later);
    assert!(error.to_string().contains(&server.endpoint()), "{error}");
    assert!(
        begun.elapsed() < Duration::from_secs(40),
        "it took {:?}",
        begun.elapsed()
    );

    server.restart();
    body.read_to_end(&mut got).unwrap();
    assert!(
        got == bytes,
        "the bytes across the restart are the object's"
    );

    // Nobody restarts it this time.
    let mut body = store.read("big", None, None).unwrap();
    let mut start = vec![0; 100];
    body.read_exact(&mut start).unwrap();
    server.kill();
    let begun = Instant::now();
    let error = body.read_to_end(&mut got).unwrap_err();
    assert!(
        matches!(Error::of_io(&error), Some(Error::Unreachable { .. })),
        "{error:?}"
    );
    eprintln!("given up after {:?}: {error}", begun.elapsed());
    assert!(
        begun.elapsed() < Duration::from_secs(120),
        "it took {:?}",
        begun.elapsed()
    );
}

#[test]
fn a_broken_connection_is_resumed_but_never_across_a_change() {
    let server = SeaweedFs::start();
    let port = server
        .endpoint()
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let direct = S3::connect(BUCKET, "", &server.settings()).unwrap();
    let bytes: Bytes = (0..6_000_000u32).map(|n| (n * 13 % 251) as u8).collect();
    direct.put("big", bytes.clone()).unwrap();

    let through = |proxy: &CuttingProxy| {
        let endpoint = Some(proxy.endpoint());
        S3::connect(
            BUCKET,
            "",
            &S3Settings {
                endpoint,
                ..server.settings()
            },
        )
        .unwrap()
    };
    let proxy = CuttingProxy::start(port, 5, 700_000);
    assert!(through(&proxy).get("big").unwrap() == bytes);
    assert_eq!(proxy.cuts(), 5);

    let proxy = CuttingProxy::start(port, 2, 700_000);
    let mut got = Vec::new();
    let mut body = through(&proxy)
        .read("big", Some(1_000_000..4_000_000), None)
        .unwrap();
    body.read_to_end(&mut got).unwrap();
    assert!(got == bytes[1_000_000..4_000_000]);
    assert_eq!(proxy.cuts(), 2);

    let proxy = CuttingProxy::start(port, 1, 1_500_000);
    let mut body = through(&proxy).read("big", None, None).unwrap();
    body.read_exact(&mut [0; 100]).unwrap();
    direct.put("big", bytes.slice(1..)).unwrap();
    let error = io::copy(&mut body, &mut io::sink()).unwrap_err();
    assert!(
        matches!(Error::of_io(&error), Some(Error::Changed { .. })),
        "{error:?}"
    );
}

/// The usual chain of credentials, in processes of their own: a test cannot change its environment.
#[test]
fn finds_keys_endpoint_and_region_where_aws_tools_do() {
    const ROLE: &str = "NABSAK_TEST_ROLE";
    if let Ok(role) = env::var(ROLE) {
        let store = S3::connect(BUCKET, "chain", &S3Settings::default()).unwrap();
        match role.as_str() {
            "works" => {
                store.put("x", "1".into()).unwrap();
                assert_eq!(store.get("x").unwrap(), "1");
            }
            _ => {
                let error = fails(store.list(""));
                assert!(matches!(error, Error::NoCredentials { .. }), "{error:?}");
                assert!(error.to_string().contains("AWS_ACCESS_KEY_ID"), "{error}");
            }
        }
        return;
    }
    let server = SeaweedFs::start();
    let home = tempfile::tempdir().unwrap();
    let profile = |name: &str, text: String| {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let secrets = profile(
        "credentials",
        format!(
            "[arbiter]\naws_access_key_id = {ACCESS_KEY_ID}\naws_secret_access_key = {SECRET_ACCESS_KEY}\n"
        ),
    );
    let config = profile(
        "config",
        format!(
            "[profile arbiter]\nregion = us-east-1\nendpoint_url = {}\n",
            server.endpoint()
        ),
    );
    let run = |role: &str, envs: Vec<(&str, String)>| {
        let test = "s3::tests::finds_keys_endpoint_and_region_where_aws_tools_do";
        let output = Command::new(env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env_clear()
            .env("HOME", home.path())
            .env(ROLE, role)
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .envs(envs)
            .output()
            .unwrap();
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{role}: {said}"
        );
    };
    run("works", server.env());
    run(
        "works",
        vec![
            ("AWS_PROFILE", "arbiter".to_owned()),
            ("AWS_SHARED_CREDENTIALS_FILE", secrets),
            ("AWS_CONFIG_FILE", config),
        ],
    );
    run("has none", vec![("AWS_ENDPOINT_URL", server.endpoint())]);
}

#[test]
fn settings_that_cannot_work_are_told_at_once() {
    let endpoint = |text: &str| S3Settings {
        endpoint: Some(text.to_owned()),
        ..S3Settings::default()
    };
    let error = fails(S3::connect("b", "", &endpoint("localhost:8333")));
    assert!(error.to_string().contains("http://host:port"), "{error}");
}

/// A server that says the same to everybody.
fn canned(answer: &'static str) -> S3 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = Some(format!("http://{}", listener.local_addr().unwrap()));
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut lines = BufReader::new(client.try_clone().unwrap()).lines();
                while lines
                    .next()
                    .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
                {}
                client.write_all(answer.as_bytes())
            });
        }
    });
    let settings = S3Settings {
        endpoint,
        ..S3Settings::default()
    };
    let store = S3::for_tests("b", "", &settings, "id", "secret").unwrap();
    // As if the bucket had been asked for before.
    store.0.answered();
    store
}

#[test]
fn a_service_without_create_only_is_refused() {
    let store =
        canned("HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"e\"\r\nContent-Length: 1\r\n\r\nx");
    let error = fails(store.probe_create_only());
    assert!(matches!(error, Error::NotCreateOnly { .. }), "{error:?}");
    assert!(error.to_string().contains("2 of 2 writers"), "{error}");
    let store =
        canned("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    let error = fails(store.create("x", Bytes::new()));
    assert!(matches!(error, Error::NotCreateOnly { .. }), "{error:?}");
}

#[test]
fn answers_have_names() {
    let clock = canned(
        "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 64\r\n\r\n<Error><Code>RequestTimeTooSkewed</Code><Message/></Error>      ",
    );
    let error = fails(clock.get("x"));
    assert!(matches!(error, Error::ClockSkew { .. }), "{error:?}");

    let full = canned(
        "HTTP/1.1 507 Insufficient Storage\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    );
    let error = fails(full.put("x", Bytes::new()));
    assert!(matches!(error, Error::NoSpace { .. }), "{error:?}");

    let region = canned("HTTP/1.1 301 Moved\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    let error = fails(region.list(""));
    assert!(error.to_string().contains("AWS_REGION"), "{error:?}");

    let denied = canned(
        "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 64\r\n\r\n<Error><Code>AccessDenied</Code><Message>no</Message></Error>    ",
    );
    let error = fails(denied.get("x"));
    assert!(matches!(error, Error::AccessDenied { .. }), "{error:?}");
    assert_eq!(error.retry(), Retry::Never);
}
