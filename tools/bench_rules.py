#!/usr/bin/env python3
"""What rules and notation cost: instructions a unit, and one interleaved run beside other programs.

  cargo build --release -p nabsak-notation --examples
  tools/bench_rules.py --speed target/release/examples/rules_speed [--yardstick PATH] [--rounds 5]

Instructions come from `valgrind --tool=callgrind`, two sizes subtracted, so that starting up does not count; they do
not depend on what else the machine does. The interleaved run takes CPU time, each program once a round, a depth of 1
subtracted; of the ratios within a round the median is given. A peer that is not there is skipped with a line.

Peers: Debian's fairy-stockfish 11.1, over UCI (its ouk rules are old: there the speed alone means something), and for
chess a program that runs `perft-shakmaty DEPTH [nobulk]` and `perft-cozy DEPTH [nobulk]` and prints `nodes=N`.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

# What, rule set, two sizes, what a unit is, the goal.
OURS = [
    ("bulk", "makruk", 3, 4, "a node", 75),
    ("bulk", "ouk", 3, 4, "a node", 75),
    ("made", "makruk", 3, 4, "a node", 200),
    ("made", "ouk", 3, 4, "a node", 200),
    ("bare", "makruk", 3, 4, "a node", None),
    ("bare", "ouk", 3, 4, "a node", None),
    ("fen", "makruk", 1, 3, "a FEN", 400),
    ("fen", "ouk", 1, 3, "a FEN", 400),
    ("san", "makruk", 1, 3, "a move", None),
    ("san", "ouk", 1, 3, "a move", None),
    ("legal", "makruk", 1, 3, "a position", None),
    ("line", "makruk", 1, 3, "a ply", None),
    ("trace", "makruk", 1, 3, "a ply", None),
    ("trace", "ouk", 1, 3, "a ply", None),
]
WORDS = {
    "bulk": "bulk perft, the last ply counted",
    "made": "perft, every move made with key, clocks, rights",
    "bare": "the same without the key",
    "fen": "FEN of the positions of games, one after the other",
    "san": "SAN",
    "legal": "list of legal moves",
    "line": "a move in a line: count, repetition, ending",
    "trace": "trace: legal moves, SAN, FEN, counts, JSON both ways",
}
DEPTH_OF_SIZES = {"bulk", "made", "bare"}


def run(command, text=""):
    """Output and CPU seconds of a program."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as out:
        given.write(text)
        given.seek(0)
        child = subprocess.Popen([str(word) for word in command], stdin=given, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}:\n{said[-2000:]}")
    return said, usage.ru_utime + usage.ru_stime


def instructions(command, text=""):
    said, _ = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], text)
    return int(re.search(r"Collected : (\d+)", said).group(1)), said


def ours_in_instructions(speed):
    costs = {}
    for what, rules, small, large, _, _ in OURS:
        counted = []
        for size in (small, large):
            cost, said = instructions([speed, what, rules, size])
            units = int(re.search(r"^(\d+)$", said, re.MULTILINE).group(1))
            counted.append((cost, units if what in DEPTH_OF_SIZES else units * size))
        (a, few), (b, many) = counted
        costs[what, rules] = (b - a) / (many - few)
    return costs


class Peer:
    """A program that counts leaves: `say(depth)` gives its command, its input and how its output tells the nodes."""

    def __init__(self, name, say, pattern, depths):
        self.name, self.say, self.pattern = name, say, pattern
        self.small, self.large, self.timed = depths

    def run(self, depth):
        said, seconds = run(*self.say(depth))
        return int(re.search(self.pattern, said, re.MULTILINE).group(1)), seconds

    def instructions(self):
        counted = []
        for depth in (self.small, self.large):
            cost, said = instructions(*self.say(depth))
            counted.append((cost, int(re.search(self.pattern, said, re.MULTILINE).group(1))))
        (a, few), (b, many) = counted
        return (b - a) / (many - few)

    def nanoseconds(self):
        """CPU nanoseconds a leaf."""
        few, start = self.run(1)
        many, seconds = self.run(self.timed)
        return (seconds - start) / (many - few) * 1e9


def peers(args):
    def ours(what, rules):
        return lambda depth: ([args.speed, what, rules, depth], "")

    def fairy(variant):
        lines = ["uci", f"setoption name UCI_Variant value {variant}", "isready", "position startpos"]
        return lambda depth: ([args.fairy], "\n".join([*lines, f"go perft {depth}", "quit", ""]))

    def chess(what, *words):
        return lambda depth: ([args.yardstick, what, depth, *words], "")

    here = [
        Peer("Nabsak, makruk, bulk", ours("bulk", "makruk"), r"^(\d+)$", (3, 4, 6)),
        Peer("Nabsak, ouk, bulk", ours("bulk", "ouk"), r"^(\d+)$", (3, 4, 6)),
        Peer("Nabsak, makruk, each move made", ours("made", "makruk"), r"^(\d+)$", (3, 4, 5)),
    ]
    if args.fairy and shutil.which(args.fairy):
        nodes = r"Nodes searched: (\d+)"
        here.append(Peer("Fairy-Stockfish 11.1, makruk, bulk", fairy("makruk"), nodes, (3, 4, 5)))
        here.append(Peer("Fairy-Stockfish 11.1, old ouk, bulk", fairy("cambodian"), nodes, (3, 4, 5)))
    else:
        print(f"no {args.fairy or 'fairy-stockfish'}: skipped")
    if args.yardstick and shutil.which(args.yardstick):
        for name in ("cozy", "shakmaty"):
            here.append(Peer(f"{name}, chess, bulk", chess(f"perft-{name}"), r"nodes=(\d+)", (3, 4, 6)))
            here.append(Peer(f"{name}, chess, each move made", chess(f"perft-{name}", "nobulk"), r"nodes=(\d+)", (3, 4, 5)))
    else:
        print(f"no {args.yardstick or 'yardstick for chess'}: skipped")
    return here


def trace_rate(speed, rounds):
    """Plies a second of CPU time."""
    rates = []
    for _ in range(rounds):
        said, seconds = run([speed, "trace", "makruk", 100])
        _, start = run([speed, "trace", "makruk", 1])
        rates.append(99 * int(said) / (seconds - start))
    return statistics.median(rates)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", required=True, help="the example `rules_speed` of nabsak-notation")
    parser.add_argument("--fairy", default=shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games"))
    parser.add_argument("--yardstick", help="a program that runs shakmaty and cozy-chess")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()

    print("| what | rule set | instructions | goal |\n|---|---|---|---|", flush=True)
    costs = ours_in_instructions(args.speed)
    for what, rules, _, _, unit, goal in OURS:
        print(f"| {WORDS[what]} | {rules} | {costs[what, rules]:,.1f} {unit} | {goal or ''} |")
    for rules in ("makruk", "ouk"):
        print(f"| the key, the difference | {rules} | {costs['made', rules] - costs['bare', rules]:,.1f} a move | 15 |")

    print()
    here = peers(args)
    counted = {peer.name: peer.instructions() for peer in here}
    times = {peer.name: [] for peer in here}
    for _ in range(args.rounds):
        for peer in here:
            times[peer.name].append(peer.nanoseconds())
    first = times[here[0].name]
    print("\n| beside | instructions a node | million nodes a second of CPU | time a node, ours bulk makruk = 1 |\n|---|---|---|---|")
    for peer in here:
        own = times[peer.name]
        ratio = statistics.median(theirs / mine for theirs, mine in zip(own, first))
        print(f"| {peer.name} | {counted[peer.name]:,.1f} | {1e3 / statistics.median(own):,.1f} | {ratio:.2f} |")
    print(f"\ntrace, makruk: {trace_rate(args.speed, args.rounds):,.0f} plies a second of CPU")


if __name__ == "__main__":
    main()
