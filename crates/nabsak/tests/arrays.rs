//! Array jobs as real processes: in any order, twice at once, killed and done again, the bytes are those of a quiet run.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant, SystemTime};

use common::{job, nabsak, receipts, root, run_to, same_tables, tables};
use store::Store;
use store::testing::SeaweedFs;

/// Search chunks of about a second, so that there are several and one can be killed in its middle.
const SMALL: &str = "[analysis]\nnodes = 300\n[run]\nsearch_chunk_s = 1\n";
const STAGES: [&str; 4] = ["index", "replay", "search", "assemble"];

/// A folder with some demo archives, and the tables of a quiet run over them.
fn place() -> (tempfile::TempDir, PathBuf, BTreeMap<String, Vec<u8>>) {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    for name in ["defects.pgn", "korat-open.pgn", "thai-club.pgn"] {
        fs::copy(root().join("demo").join(name), inputs.join(name)).expect("the archive is copied");
    }
    let quiet = dir.path().join("quiet");
    fs::create_dir(&quiet).expect("a folder");
    run_to(0, nabsak().arg("run").arg(job(&quiet, &inputs, SMALL)));
    let wanted = tables(&quiet.join("out"));
    let job = job(dir.path(), &inputs, SMALL);
    (dir, job, wanted)
}

/// What a plan printed, by name.
type Plan = BTreeMap<String, String>;

fn plan_with(command: &mut Command, job: &Path, stage: &str) -> Plan {
    let (out, _) = run_to(0, command.arg("plan").arg(job).args(["--stage", stage]));
    let lines = out.lines().filter_map(|line| line.split_once('='));
    lines
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn plan(job: &Path, stage: &str) -> Plan {
    plan_with(&mut nabsak(), job, stage)
}

fn chunks(plan: &Plan) -> u64 {
    plan["chunks"].parse().expect("a number")
}

fn task(plan: &Plan, index: u64) -> Command {
    let mut command = nabsak();
    command.args(["task", &plan["manifest"], "--index", &index.to_string()]);
    command
}

/// Every index of a stage once, neither up nor down.
fn shuffled(count: u64) -> Vec<u64> {
    let (odd, even): (Vec<u64>, Vec<u64>) = (0..count).partition(|index| index % 2 == 1);
    odd.into_iter().rev().chain(even).collect()
}

fn do_all(plan: &Plan) {
    for index in shuffled(chunks(plan)) {
        run_to(0, &mut task(plan, index));
    }
}

fn start(command: &mut Command) -> Child {
    command.spawn().expect("the program starts")
}

/// Starts a task and kills it once it has made its attempt marker.
fn kill_in_the_middle(out: &Path, stage: &str, command: &mut Command) {
    let markers = out.join("_nabsak/attempts").join(stage);
    let mut child = start(command);
    let begun = Instant::now();
    while walk(&markers).is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "no attempt marker of {stage}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    assert_eq!(walk(&markers).len(), 1, "killed before it was done");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(walk(&entry.path()));
        } else if !entry.file_name().to_string_lossy().starts_with(".tmp-") {
            files.push(entry.path());
        }
    }
    files
}

#[test]
fn in_any_order_twice_at_once_and_killed_the_bytes_are_those_of_a_run() {
    let (dir, job, wanted) = place();
    let out = dir.path().join("out");
    let mut plans = Vec::new();
    for stage in STAGES {
        let planned = plan(&job, stage);
        assert_eq!(planned, plan(&job, stage), "the same state, the same plan");
        let count = chunks(&planned);
        assert!(count > 1, "{stage}: {count}");
        assert_eq!(planned["array"], format!("0-{}", count - 1));
        if stage == "search" {
            kill_in_the_middle(&out, stage, &mut task(&planned, 1));
            assert!(receipts(&out, stage).is_empty());
        }
        // Two processes do the same index at once.
        let mut twins: Vec<Child> = (0..2).map(|_| start(&mut task(&planned, 0))).collect();
        for twin in &mut twins {
            assert_eq!(twin.wait().expect("it ends").code(), Some(0));
        }
        do_all(&planned);
        assert_eq!(receipts(&out, stage).len() as u64, count);
        assert!(walk(&out.join("_nabsak/attempts")).is_empty());
        let (said, _) = run_to(0, &mut task(&planned, 0));
        assert!(said.contains("1 done before"), "{said}");
        assert_eq!(chunks(&plan(&job, stage)), 0, "nothing is left of {stage}");
        plans.push(planned);
    }
    run_to(0, nabsak().arg("commit").arg(&job));
    same_tables(&tables(&out), &wanted);
    // Tasks that come late find their chunks done, though the commit has put other parts in the place of some.
    for late in &plans {
        let (said, _) = run_to(0, &mut task(late, 1));
        assert!(said.contains("0 done, 1 done before"), "{said}");
    }
    same_tables(&tables(&out), &wanted);
    // A run finds everything done, and clears away a manifest of last week.
    let manifests = walk(&out.join("_nabsak/plans"));
    let week = Duration::from_secs(8 * 24 * 3600);
    fs::File::options()
        .write(true)
        .open(&manifests[0])
        .and_then(|file| file.set_modified(SystemTime::now() - week))
        .expect("its time is set");
    let (summary, _) = run_to(0, nabsak().arg("run").arg(&job));
    assert!(summary.contains("nothing new"), "{summary}");
    assert!(!manifests[0].exists());
    assert_eq!(walk(&out.join("_nabsak/plans")).len(), manifests.len() - 1);
}

#[test]
fn what_is_there_is_committed_and_the_next_stage_is_named() {
    let (dir, job, wanted) = place();
    let out = dir.path().join("out");
    let commit = |code| run_to(code, nabsak().arg("commit").arg(&job)).0;
    let said = commit(4);
    assert!(said.contains("Nothing to publish yet"), "{said}");
    assert!(said.contains("index: 0 of 3 chunks done"), "{said}");
    assert!(said.contains("--stage index"), "{said}");
    do_all(&plan(&job, "index"));
    do_all(&plan(&job, "replay"));
    let said = commit(4);
    assert!(said.contains("Commit 1"), "{said}");
    assert!(said.contains("--stage search"), "{said}");
    let early = tables(&out);
    for table in ["games/", "plies/", "findings/", "archives/"] {
        assert!(early.keys().any(|name| name.starts_with(table)), "{table}");
    }
    // One of the search chunks, then a plan of assemble that stands on it, then all.
    run_to(0, &mut task(&plan(&job, "search"), 0));
    let said = commit(4);
    assert!(said.contains("search: 1 of"), "{said}");
    do_all(&plan(&job, "assemble"));
    let said = commit(4);
    assert!(said.contains("Commit 2"), "{said}");
    do_all(&plan(&job, "search"));
    do_all(&plan(&job, "assemble"));
    let said = commit(0);
    assert!(said.contains("Commit 3"), "{said}");
    same_tables(&tables(&out), &wanted);

    // Another night, another archive. Until it is replayed, nothing is taken away.
    fs::copy(
        root().join("demo/winboard-club.pgn"),
        dir.path().join("in/winboard-club.pgn"),
    )
    .expect("the archive is copied");
    let planned = plan(&job, "index");
    assert_eq!(chunks(&planned), 1, "only what is new");
    do_all(&planned);
    let said = commit(4);
    assert!(said.contains("replay: 3 of 4 chunks done"), "{said}");
    same_tables(&tables(&out), &wanted);
}

#[test]
fn a_chunk_that_takes_its_process_down_is_set_aside_and_can_be_taken_up_again() {
    let (dir, job, wanted) = place();
    let planned = plan(&job, "index");
    // An archive that takes down whatever reads it, a process of its own included.
    let deadly = |index| {
        let mut command = task(&planned, index);
        command.env("NABSAK_FAULT", "abort:index:defects.pgn");
        command
    };
    for _ in 0..2 {
        let status = deadly(0).status().expect("the program starts");
        assert_eq!(status.code(), None, "a signal");
    }
    let (said, _) = run_to(4, &mut deadly(0));
    assert!(said.contains("Failed, and marked"), "{said}");
    assert!(said.contains("died 2 times"), "{said}");
    for index in 1..chunks(&planned) {
        run_to(0, &mut deadly(index));
    }
    let (_, err) = run_to(0, nabsak().arg("plan").arg(&job).args(["--stage", "index"]));
    assert!(err.contains("given up"), "{err}");
    for stage in ["replay", "search", "assemble"] {
        do_all(&plan(&job, stage));
    }
    let (said, _) = run_to(4, nabsak().arg("commit").arg(&job));
    assert!(said.contains("died 2 times"), "{said}");

    let again = plan_with(nabsak().arg("--log=text"), &job, "index");
    assert_eq!(chunks(&again), 0);
    let (retried, _) = run_to(
        0,
        nabsak()
            .arg("plan")
            .arg(&job)
            .args(["--stage", "index", "--retry-failed"]),
    );
    assert!(retried.contains("chunks=1\n"), "{retried}");
    for stage in STAGES {
        do_all(&plan(&job, stage));
    }
    run_to(0, nabsak().arg("commit").arg(&job));
    same_tables(&tables(&dir.path().join("out")), &wanted);
}

#[test]
fn a_capped_array_does_several_chunks_a_task_and_takes_its_index_from_the_environment() {
    let (dir, job, wanted) = place();
    let variables = [
        "SLURM_ARRAY_TASK_ID",
        "JOB_COMPLETION_INDEX",
        "AWS_BATCH_JOB_ARRAY_INDEX",
    ];
    for stage in STAGES {
        let (out, _) = run_to(
            0,
            nabsak()
                .arg("plan")
                .arg(&job)
                .args(["--stage", stage, "--max-tasks", "2"]),
        );
        assert!(
            out.contains("array=0-1\n") && out.contains("stride=2\n"),
            "{out}"
        );
        let planned = plan(&job, stage);
        let mut done = 0;
        // A fixed array size of three, as a manifest of Kubernetes has it: some tasks may have nothing to do.
        for (index, variable) in variables.iter().enumerate() {
            let (said, _) = run_to(
                0,
                nabsak()
                    .args(["task", &planned["manifest"], "--index-from-env"])
                    .args(["--stride", "3", "--threads", "1"])
                    .env(variable, index.to_string()),
            );
            let words = said.split_once(" done,").expect("a count of chunks").0;
            done += words
                .rsplit(' ')
                .next()
                .and_then(|count| count.parse::<u64>().ok())
                .expect("a number");
        }
        assert_eq!(done, chunks(&planned), "{stage}: every chunk once");
    }
    run_to(0, nabsak().arg("commit").arg(&job));
    same_tables(&tables(&dir.path().join("out")), &wanted);
}

#[test]
fn what_is_wrong_with_a_task_is_said() {
    let (dir, job, _) = place();
    let planned = plan(&job, "index");
    let (_, err) = run_to(2, &mut task(&planned, 3));
    assert!(
        err.contains("beyond the manifest: it holds 3 chunks, 0 to 2"),
        "{err}"
    );
    let (_, err) = run_to(2, task(&planned, 5).args(["--stride", "5"]));
    assert!(err.contains("the indexes go from 0 to 4"), "{err}");
    let task_of = |manifest: &str| {
        let mut command = nabsak();
        command.args(["task", manifest, "--index", "0"]);
        command
    };
    let (_, err) = run_to(2, &mut task_of("job.toml"));
    assert!(err.contains("no manifest"), "{err}");
    let (_, err) = run_to(2, &mut task_of(&format!("{}x", planned["manifest"])));
    assert!(err.contains("plan the stage again"), "{err}");
    let (_, err) = run_to(
        2,
        nabsak().args(["task", &planned["manifest"], "--index-from-env"]),
    );
    assert!(err.contains("JOB_COMPLETION_INDEX"), "{err}");
    // Another build's manifest.
    let text = fs::read_to_string(&planned["manifest"]).expect("the manifest is read");
    let at = text.find("\"build\":\"").expect("it names its build") + 9;
    let other = format!("{}{}{}", &text[..at], "0123456789abcdef", &text[at + 16..]);
    let path = dir.path().join("out/_nabsak/plans/index/other");
    fs::write(&path, other).expect("it is written");
    let (_, err) = run_to(2, &mut task_of(&path.display().to_string()));
    assert!(err.contains("another build"), "{err}");
    // An archive that changed since the plan.
    fs::write(dir.path().join("in/defects.pgn"), "[Event \"x\"]\n\n*\n").expect("it is written");
    let (said, _) = run_to(4, &mut task(&planned, 0));
    assert!(
        said.contains("changed while it was being worked on"),
        "{said}"
    );
}

#[test]
fn a_manifest_carries_the_files_of_its_rule_sets() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    fs::copy(root().join("demo/thai-club.pgn"), inputs.join("a.pgn")).expect("it is copied");
    let ours = dir.path().join("ours.toml");
    let text = "id = \"ours\"\ntitle = \"Ours\"\nbased_on = \"makruk-wikipedia\"\nauthority = \"binding\"\n";
    let write = |path: &Path| fs::write(path, text).expect("the rule set is written");
    write(&ours);
    let rules = "[rules]\nmakruk = \"./ours.toml\"\n[analysis]\nengine = \"none\"\n";
    let quiet = dir.path().join("quiet");
    fs::create_dir(&quiet).expect("a folder");
    write(&quiet.join("ours.toml"));
    run_to(
        0,
        nabsak().arg("run").arg(common::job(&quiet, &inputs, rules)),
    );
    let job = common::job(dir.path(), &inputs, rules);
    for stage in STAGES {
        let planned = plan(&job, stage);
        // Where tasks run, the file need not be.
        fs::remove_file(&ours).expect("it is removed");
        do_all(&planned);
        write(&ours);
    }
    run_to(0, nabsak().arg("commit").arg(&job));
    same_tables(
        &tables(&dir.path().join("out")),
        &tables(&quiet.join("out")),
    );
}

#[test]
fn from_bucket_to_bucket() {
    let (dir, job, wanted) = place();
    let server = SeaweedFs::start();
    let archives = server.store("archives");
    for entry in fs::read_dir(dir.path().join("in"))
        .expect("the folder is read")
        .flatten()
    {
        let bytes = fs::read(entry.path()).expect("the archive is read");
        let name = entry.file_name().to_string_lossy().into_owned();
        archives.put(&name, bytes.into()).expect("it is uploaded");
    }
    let at_server = || {
        let mut command = nabsak();
        command.envs(server.env());
        command
    };
    let text = fs::read_to_string(&job).expect("the job file is read");
    let folder = |name: &str| format!("{:?}", dir.path().join(name).display().to_string());
    let text = text
        .replace(&folder("in"), "\"s3://games/archives\"")
        .replace(&folder("out"), "\"s3://games/results\"");
    fs::write(&job, text).expect("the job file is written");
    for stage in STAGES {
        let planned = plan_with(&mut at_server(), &job, stage);
        assert!(planned["manifest"].starts_with("s3://games/results/_nabsak/plans/"));
        for index in [2, 0, 1] {
            run_to(
                0,
                at_server()
                    .args(["task", &planned["manifest"], "--index"])
                    .args([&index.to_string(), "--stride", "3"]),
            );
        }
    }
    run_to(0, at_server().arg("commit").arg(&job));
    let results = server.store("results");
    let entries = results.list("").expect("the bucket is listed");
    let found = entries
        .iter()
        .filter(|entry| entry.key.ends_with(".parquet"))
        .filter(|entry| !entry.key.starts_with('_') && !entry.key.starts_with("runs/"))
        .map(|entry| {
            let bytes = results.get(&entry.key).expect("the part is read");
            (entry.key.clone(), bytes.to_vec())
        });
    same_tables(&found.collect(), &wanted);
}
