#!/usr/bin/env python3
"""What a million games cost: CPU seconds of each stage, how they grow with the games, and what a second worker brings.

    cargo build --release --features full && cargo build --release -p nabsak-notation --example many_games
    tools/scale.py --nabsak target/release/nabsak --games target/release/examples/many_games 10000 100000
    tools/scale.py ... --workers 10000          # the same chunks by one worker and by two, each bound to a core
    tools/scale.py ... --search 1000            # the search alone, at 2,000 nodes a ply

Needs duckdb (`eval "$(./test --tools)"`, then `$NABSAK_PYTHON tools/scale.py`). Each stage is planned and done by a process of its own
(`nabsak plan`, `nabsak task`, `nabsak commit`), so that the times are those of the stage. They are CPU seconds, user and system: on a machine
that does other work they say more than a clock does. Memory is the peak of a process.

The games are the demo's, each cut somewhere and ended by moves of its own, 100,000 an archive. With `--evaluations` every ply is
assessed at one node, so that assembling and statistics have the rows of a really analysed archive at a small part of its cost; without it
the search is off. `--compare` judges by further rule sets.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGES = ["index", "replay", "search", "assemble"]
AN_ARCHIVE = 100_000
START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"


class Cost:
    """CPU seconds, wall seconds and peak memory of one process or of several."""

    def __init__(self, cpu=0.0, wall=0.0, peak=0):
        self.cpu, self.wall, self.peak = cpu, wall, peak

    def __add__(self, other):
        return Cost(self.cpu + other.cpu, self.wall + other.wall, max(self.peak, other.peak))


def start(command, core=None):
    """Starts a process, bound to one core if one is named. Its output goes to files: a pipe nobody reads would block it."""
    command = [str(word) for word in command]
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    out, err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    return child, out, err, time.monotonic()


def finish(started):
    """Waits for it; gives what it said and what it cost."""
    child, out, err, begun = started
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    for stream in (out, err):
        stream.seek(0)
    said, complained = out.read(), err.read()
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(child.args)} ended with {child.returncode}:\n{complained[-2000:]}")
    cost = Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - begun, usage.ru_maxrss * 1024)
    return said, complained, cost


def run(command, core=None):
    return finish(start(command, core))


def sql(question):
    """The first column of an answer, a line a row. In a process of its own: what this one holds in memory is counted for its children."""
    ask = "import duckdb, sys; print(*(row[0] for row in duckdb.sql(sys.argv[1]).fetchall()), sep='\\n')"
    return subprocess.run([sys.executable, "-c", ask, question], capture_output=True, text=True, check=True).stdout


class Bench:
    """One folder, its archives and its job."""

    def __init__(self, args, games, place, nodes):
        self.nabsak, self.games, self.place = args.nabsak, games, place
        self.job = place / "job.toml"
        engine = "engine = \"none\"" if nodes is None else f"nodes = {nodes}\nhash_mib = 1"
        compare = json.dumps(["makruk-ttakji", "makruk-wikipedia"] if args.compare else [])
        self.job.write_text(
            f"name = \"scale\"\n[input]\narchives = [\"{place / 'in'}\"]\n[rules]\ncompare = {compare}\n[analysis]\n{engine}\n"
            f"[output]\ndir = \"{place / 'out'}\"\nreport = false\n[run]\nthreads = 1\nchunk_mb = {args.chunk_mb}\n"
            f"search_chunk_s = {args.search_chunk_s}\n", "utf-8")
        self.stages = [stage for stage in STAGES if stage != "search" or nodes is not None]

    def archives(self, program, bases):
        (self.place / "in").mkdir()
        for first in range(0, self.games, AN_ARCHIVE):
            count = min(AN_ARCHIVE, self.games - first)
            with open(self.place / "in" / f"{first:09}.pgn", "wb") as out:
                subprocess.run([program, str(first), str(count)], input=bases, stdout=out, check=True)

    def out(self, name):
        """Another output folder for the same job."""
        return ["--set", f"output.dir={self.place / name}"]

    def plan(self, stage, out):
        said, _, cost = run([self.nabsak, "plan", self.job, "--stage", stage, "--max-tasks", "1000000", *self.out(out)])
        words = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
        return int(words["chunks"]), words.get("manifest"), cost

    def tasks(self, manifest, workers, cores):
        """One process a worker, all at once. Each cost by itself."""
        started = [start([self.nabsak, "task", manifest, "--index", n, "--stride", workers, "--threads", "1"], cores[n])
                   for n in range(workers)]
        return [finish(one)[2] for one in started]

    def rows(self, table):
        return int(sql(f"SELECT count(*) FROM read_parquet('{self.place / 'out' / table}/*.parquet')"))


def bases(nabsak):
    """The moves of the demo's makruk games from the usual start."""
    with tempfile.TemporaryDirectory() as place:
        run([nabsak, "-q", "run", ROOT / "jobs/demo.toml", "--set", f"input.archives=[\"{ROOT / 'demo'}\"]",
             "--set", f"output.dir={place}", "--set", "analysis.engine=none", "--set", "rules.compare=[]"])
        return sql(f"SELECT moves FROM read_parquet('{place}/games/*.parquet') WHERE status = 'accepted' AND "
                   f"variant = 'makruk' AND start_fen LIKE '{START}%' AND plies >= 40 ORDER BY game_id").encode()


def size(folder, suffix):
    files = [path for path in folder.rglob("*") if path.is_file() and path.name.endswith(suffix)]
    return len(files), sum(path.stat().st_size for path in files)


def table(title, lines):
    print(f"\n{title}")
    for line in lines:
        print("| " + " | ".join(str(word) for word in line) + " |", flush=True)


def grow(args, given):
    """Cost by stage for each number of games."""
    for games in args.sizes:
        with tempfile.TemporaryDirectory(dir=args.folder) as place:
            bench = Bench(args, games, Path(place), 1 if args.evaluations else None)
            bench.archives(args.games, given)
            lines = [["stage", "chunks", "CPU s", "CPU s of the plan", "CPU s a million games", "peak MB"]]
            whole = Cost()
            for stage in bench.stages:
                chunks, manifest, planned = bench.plan(stage, "out")
                cost = bench.tasks(manifest, 1, [None])[0] if manifest else Cost()
                lines.append([stage, chunks, f"{cost.cpu:.2f}", f"{planned.cpu:.2f}", f"{cost.cpu * 1e6 / games:.0f}", f"{cost.peak / 1e6:.0f}"])
                whole += cost + planned
            _, said, cost = run([args.nabsak, "commit", bench.job])
            lines.append(["commit with aggregates", "", f"{cost.cpu:.2f}", "", f"{cost.cpu * 1e6 / games:.0f}", f"{cost.peak / 1e6:.0f}"])
            whole += cost
            lines.append(["all", "", f"{whole.cpu:.2f}", "", f"{whole.cpu * 1e6 / games:.0f}", f"{whole.peak / 1e6:.0f}"])
            _, again, cost = run([args.nabsak, "-q", "run", bench.job])
            lines.append(["a night without news", "", f"{cost.cpu:.2f}", "", "", f"{cost.peak / 1e6:.0f}"])
            table(f"{games} games, {bench.rows('plies')} plies", lines)
            out = Path(place) / "out"
            lines = [["what", "objects", "bytes", "bytes a game"]]
            text = size(Path(place) / "in", ".pgn")
            lines.append(["archives", text[0], text[1], text[1] // games])
            for folder in sorted(out.iterdir()):
                if folder.is_dir() and not folder.name.startswith("_"):
                    count, held = size(folder, ".parquet")
                    lines.append([folder.name, count, held, f"{held / games:.1f}"])
            for folder in sorted((out / "_nabsak").iterdir()):
                if folder.is_dir():
                    count, held = size(folder, "")
                    lines.append([f"_nabsak/{folder.name}", count, held, f"{held / games:.1f}"])
            table("objects", lines)


def workers(args, given):
    """The same chunks by one worker and by two, each on a core of its own."""
    games = args.sizes[0]
    with tempfile.TemporaryDirectory(dir=args.folder) as place:
        bench = Bench(args, games, Path(place), 1 if args.evaluations else None)
        bench.archives(args.games, given)
        lines = [["stage", "chunks", "one worker, CPU s", "two workers, CPU s each", "one / the longer of two", "wall s, one", "wall s, two"]]
        one_all, two_all = 0.0, 0.0
        for stage in bench.stages:
            chunks, manifest, _ = bench.plan(stage, "one")
            one = bench.tasks(manifest, 1, [args.cores[0]])[0]
            _, manifest, _ = bench.plan(stage, "two")
            two = bench.tasks(manifest, 2, args.cores)
            longer = max(cost.cpu for cost in two)
            lines.append([stage, chunks, f"{one.cpu:.2f}", " and ".join(f"{cost.cpu:.2f}" for cost in two), f"{one.cpu / longer:.2f}",
                          f"{one.wall:.1f}", f"{max(cost.wall for cost in two):.1f}"])
            one_all, two_all = one_all + one.cpu, two_all + longer
        lines.append(["all", "", f"{one_all:.2f}", f"{two_all:.2f}", f"{one_all / two_all:.2f}", "", ""])
        table(f"{games} games, one worker and two", lines)
        same = all((bench.place / "two" / path.relative_to(bench.place / "one")).exists()
                   for path in (bench.place / "one").rglob("*.parquet"))
        print("the parts are the same, by name and so by hash" if same else "the parts differ")


def search(args, given):
    """The search, at the nodes that the jobs have."""
    games = args.sizes[0]
    with tempfile.TemporaryDirectory(dir=args.folder) as place:
        bench = Bench(args, games, Path(place), args.nodes)
        bench.archives(args.games, given)
        for stage in ["index", "replay", "search"]:
            chunks, manifest, _ = bench.plan(stage, "out")
            cost = bench.tasks(manifest, 1, [None])[0]
        plies = bench.rows("plies")
        table(f"search of {games} games, {plies} plies, {args.nodes} nodes a ply, {chunks} chunks",
              [["CPU s", "ms a ply", "CPU hours a million games"], [f"{cost.cpu:.1f}", f"{cost.cpu * 1e3 / plies:.2f}", f"{cost.cpu * 1e6 / games / 3600:.0f}"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="+", type=int, metavar="GAMES")
    parser.add_argument("--nabsak", required=True, type=Path)
    parser.add_argument("--games", required=True, type=Path, help="the example many_games")
    parser.add_argument("--folder", help="where the archives and tables lie meanwhile; about 3 kB a game")
    parser.add_argument("--evaluations", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--workers", action="store_true")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--chunk-mb", type=int, default=64)
    parser.add_argument("--search-chunk-s", type=int, default=20)
    parser.add_argument("--cores", type=lambda text: [int(core) for core in text.split(",")], default=[0, 1])
    args = parser.parse_args()
    given = bases(args.nabsak)
    (workers if args.workers else search if args.search else grow)(args, given)


if __name__ == "__main__":
    sys.exit(main())
