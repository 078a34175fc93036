use std::os::unix::fs::symlink;

use super::*;
use crate::testing::contract;

fn folder() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::new(dir.path().join("not/yet"));
    (dir, folder)
}

#[test]
fn keeps_the_contract() {
    let (_dir, folder) = folder();
    assert!(matches!(folder.check(), Err(Error::NotFound { .. })));
    contract::check(&folder);
    folder.check().unwrap();
    assert!(Folder::new("/etc/passwd").check().is_err());
}

#[test]
fn leaves_nothing_unfinished() {
    let (_dir, folder) = folder();
    let _ = folder.create("a/x", "1".into()).unwrap();
    let _ = folder.create("a/x", "2".into()).unwrap();
    folder.put("a/x", "3".into()).unwrap();
    let names: Vec<_> = fs::read_dir(folder.root().join("a"))
        .unwrap()
        .map(|name| name.unwrap().file_name())
        .collect();
    assert_eq!(names, ["x"]);
}

#[test]
fn sweeps_what_a_killed_write_left() {
    let (_dir, folder) = folder();
    let _ = folder.create("a/x", "1".into()).unwrap();
    let left = folder.root().join("a/.tmp-0-0");
    fs::write(&left, "half").unwrap();
    assert_eq!(folder.list("").unwrap().len(), 1);
    assert_eq!(folder.sweep(Duration::from_secs(3600)).unwrap(), 0);
    assert_eq!(folder.sweep(Duration::ZERO).unwrap(), 1);
    assert!(!left.exists());
    assert_eq!(folder.get("a/x").unwrap(), "1");
}

#[test]
fn follows_links_but_not_in_circles() {
    let (dir, folder) = folder();
    let _ = folder.create("a/x", "1".into()).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("y"), "2").unwrap();
    symlink(&elsewhere, folder.root().join("linked")).unwrap();
    symlink(folder.root(), folder.root().join("a/round")).unwrap();
    symlink("/nowhere", folder.root().join("dangling")).unwrap();
    let keys: Vec<_> = folder
        .list("")
        .unwrap()
        .into_iter()
        .map(|e| e.key)
        .collect();
    assert_eq!(keys, ["a/x", "linked/y"]);
    assert!(matches!(
        folder.head("dangling"),
        Err(Error::NotFound { .. })
    ));
    assert!(matches!(folder.head("a"), Err(Error::NotFound { .. })));
    assert!(matches!(folder.head("a/x/y"), Err(Error::NotFound { .. })));
}

#[test]
fn a_file_that_changes_while_it_is_read_is_told() {
    let (_dir, folder) = folder();
    for change in [b"longer than it was".as_slice(), b"x"] {
        folder.put("x", vec![b'a'; 100_000].into()).unwrap();
        let etag = folder.head("x").unwrap().etag;
        let mut body = folder.read("x", None, Some(&etag)).unwrap();
        let mut start = [0; 10];
        body.read_exact(&mut start).unwrap();
        fs::write(folder.root().join("x"), change).unwrap();
        let error = io::copy(&mut body, &mut io::sink()).unwrap_err();
        assert!(matches!(Error::of_io(&error), Some(Error::Changed { .. })));
    }
}

#[test]
fn a_folder_in_the_way_is_no_object() {
    let (_dir, folder) = folder();
    let _ = folder.create("a/x", "1".into()).unwrap();
    assert_eq!(folder.create("a", "2".into()).unwrap(), Created::Exists);
    let error = folder.create("a/x/y", "3".into()).unwrap_err();
    assert!(error.to_string().contains("a/x/y"), "{error}");
}
