"""Random games through `nabsak trace` and through pyffish, which share no code: they must say the same.

Compared in every game: that all its moves are legal, SAN of every ply, the FEN at the end with count fields, the legal
moves there, and whether and how the game has ended. Games end after any number of plies, so that every depth is
compared. In a fifth of the games both sides are told when the board's honour count began (`count_started`). Check is
compared at every ply by SAN's `+` and `#`, and asked for at the end of every fourth game.

There is one difference in what is asked, and none is left in what is answered: the trace names the first ending,
pyffish looks at the last position only. So where a game goes on past an ending, pyffish is asked again about the
position of that ending and about the one before it.

The games are made by `crates/notation/examples/games.rs`, each by its number alone. NABSAK_BIN is the program,
`examples/games` lies beside it. NABSAK_GAMES is the number of games if not all shall be played, NABSAK_FIRST_GAME the
first of them: with both, one game is played again.
"""

import collections
import gzip
import json
import multiprocessing
import os
import subprocess
import unittest
from pathlib import Path

import pyffish

ROOT = Path(__file__).resolve().parent.parent
GOLDENS = ROOT / "crates/notation/tests/goldens"
NABSAK = Path(os.environ["NABSAK_BIN"])
GAMES = int(os.environ.get("NABSAK_GAMES", 20_412))
FIRST = int(os.environ.get("NABSAK_FIRST_GAME", 0))
CHUNK = 252
WIN = {"w": "1-0", "b": "0-1"}


def starts():
    """Positions of all kinds that the golden data hold: ends of games, counts, tricky moves, perft."""
    lines = set()
    for name, field in [("traces", "fens"), ("counting", "fen_end"), ("san", "fen")]:
        with gzip.open(GOLDENS / f"{name}.jsonl.gz", "rt") as rows:
            for row in map(json.loads, rows):
                fen = row[field][-1:] if field == "fens" else [row[field]]
                lines.update(f"{row['variant']}\t{fen}" for fen in fen)
    for row in (ROOT / "crates/rules/tests/perft.tsv").read_text().splitlines()[1:]:
        variant, fen, *_ = row.split("\t")
        lines.add(f"{variant}\t{fen}")
    return "".join(f"{line}\n" for line in sorted(lines))


def output(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def traced(games):
    """The answer of `nabsak trace` to each game, one process a variant, one line a game."""
    answers = {}
    for variant in {game["variant"] for game in games}:
        asked = [game for game in games if game["variant"] == variant]
        keys = ("id", "fen", "moves", "count_started")
        lines = "".join(json.dumps({key: game[key] for key in keys if key in game}) + "\n" for game in asked)
        for line in output([NABSAK, "trace", "--rules", f"{variant}-fairy"], lines):
            answer = json.loads(line)
            answers[answer["id"]] = answer
    return answers


def compare(game, answer):
    """What the two say differently, or None; and the ending as the trace names it."""
    variant, moves, told = game["variant"], game["moves"], game.get("count_started", 0)
    fen = game["fen"] or pyffish.start_fen(variant)
    if answer["error"]:
        return f"the trace stops: {answer['error']}"
    try:
        san = pyffish.get_san_moves(variant, fen, moves)
    except ValueError as error:
        return f"pyffish stops: {error}"
    for ply, (ours, theirs) in enumerate(zip(answer["san"], san, strict=True), 1):
        if ours != theirs:
            return f"ply {ply}, {moves[ply - 1]}: SAN is {ours}, pyffish says {theirs}"
    end = pyffish.get_fen(variant, fen, moves, False, False, True, told)
    if moves and answer["fens"][-1] != end:
        return f"FEN at the end is {answer['fens'][-1]}, pyffish says {end}"
    legal = sorted(pyffish.legal_moves(variant, fen, moves))
    if game["legal"] != legal or answer["legal_counts"][-1] != len(legal):
        odd = set(game["legal"]) ^ set(legal)
        return f"{answer['legal_counts'][-1]} legal moves at the end, pyffish says {len(legal)}; not in both: {odd}"
    if game["id"] // 18 % 4 == 0 and answer["in_check"] != pyffish.gives_check(variant, fen, moves):
        return f"check at the end is {answer['in_check']}, pyffish says otherwise"
    return compare_end(game, answer, fen, end, legal)


def compare_end(game, answer, fen, end, legal):
    variant, moves, told = game["variant"], game["moves"], game.get("count_started", 0)
    ending, at = answer["ending"], answer["ending_ply"]

    def optional(plies):
        return pyffish.is_optional_game_end(variant, fen, moves[:plies], False, told)[0]

    if ending is not None and at < len(moves):
        # The trace names the first ending; the game went on.
        if not optional(at):
            return f"the trace ends with {ending} at ply {at}, pyffish does not"
        if at > 0 and optional(at - 1):
            return f"the trace ends with {ending} at ply {at}, pyffish a ply before"
        return None
    turn = end.split()[1]
    won = WIN["b" if turn == "w" else "w"]
    immediate = variant == "karouk" and pyffish.is_immediate_game_end(variant, fen, moves)[0]
    drawn = optional(len(moves))
    if immediate:
        theirs = ("first_check", won)
    elif not legal and answer["in_check"]:
        theirs = ("checkmate", won)
    elif not legal:
        theirs = ("stalemate", "1/2-1/2")
    elif drawn:
        # pyffish does not say which; the trace's own word is taken if it is one of them.
        kinds = ("board_count", "pieces_count", "repetition")
        theirs = (ending if ending in kinds else "a count or repetition", "1/2-1/2")
    else:
        theirs = (None, "*")
    if (ending, answer["result"]) != theirs:
        return f"the trace ends with {ending}, {answer['result']} at ply {at}; pyffish with {theirs} at {len(moves)}"
    if drawn and ending == "checkmate":
        return "mate that pyffish takes for a draw"
    return None


def chunk(place):
    """Makes and compares some games. Gives a tally, the plies, and the first game that differs."""
    first, count, positions = place
    games = [json.loads(line) for line in output([NABSAK.parent / "examples/games", str(first), str(count)], positions)]
    answers = traced(games)
    tally, endings, plies = collections.Counter(), collections.Counter(), 0
    for game in games:
        answer = answers[game["id"]]
        wrong = compare(game, answer)
        if wrong:
            return tally, endings, plies, f"game {game['id']}, seed {game['seed']}, {game['kind']}: {wrong}\n{json.dumps(game)}"
        tally[game["variant"], game["kind"]] += 1
        endings[answer["ending"] or "none"] += 1
        plies += len(game["moves"])
    return tally, endings, plies, None


class Fairy(unittest.TestCase):
    def test_random_games(self):
        positions = starts()
        last = FIRST + GAMES
        places = [(first, min(CHUNK, last - first), positions) for first in range(FIRST, last, CHUNK)]
        tally, endings, plies = collections.Counter(), collections.Counter(), 0
        workers = max(2, len(os.sched_getaffinity(0)))
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            for done, ends, more, wrong in pool.imap_unordered(chunk, places):
                tally += done
                endings += ends
                plies += more
                if wrong:
                    self.fail(wrong)
        kinds = ", ".join(f"{variant} {kind} {n}" for (variant, kind), n in sorted(tally.items()))
        print(f"{tally.total()} games, {plies} plies, numbers {FIRST} to {last - 1}, seed 20261130 + number: {kinds}")
        print("first endings:", ", ".join(f"{name} {n}" for name, n in endings.most_common()), flush=True)
        self.assertEqual(tally.total(), GAMES)
        if GAMES >= 20_000:
            self.assertEqual(len(tally), 18)
            for name in ("checkmate", "stalemate", "first_check", "board_count", "pieces_count", "repetition", "none"):
                self.assertGreater(endings[name], 50, name)


if __name__ == "__main__":
    unittest.main()
