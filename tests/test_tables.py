"""The output of a run, read with DuckDB: contracts, sums, keys, and the queries that ship with the program.

Runs `nabsak run jobs/demo.toml` once into a folder of its own. NABSAK_BIN is the program. NABSAK_OUTPUT names a finished
output folder to look at instead; then nothing is run.
"""

import glob
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import yaml

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted((ROOT / "schemas").glob("*.yaml"))}

# What DuckDB says of a column where the contract's physical type has another spelling.
DUCKDB_TYPES = {"TIMESTAMP_TZ": "TIMESTAMP WITH TIME ZONE"}

kept = None


def output():
    """The output folder: the one that is named, else the demo's, made once."""
    global kept
    if os.environ.get("NABSAK_OUTPUT"):
        return Path(os.environ["NABSAK_OUTPUT"])
    if kept is None:
        kept = tempfile.TemporaryDirectory(prefix="nabsak-tables-")
        command = [os.environ["NABSAK_BIN"], "run", "jobs/demo.toml", "--set", f"output.dir={kept.name}/out"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        # 3: some input could not be read. The demo has such input on purpose.
        if done.returncode not in (0, 3):
            raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return Path(kept.name) / "out"


def tearDownModule():
    if kept is not None:
        kept.cleanup()


class Tables(unittest.TestCase):
    """One connection with a view per table, as `views.sql` makes them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = output()
        cls.db = duckdb.connect()
        for table in CONTRACTS:
            cls.db.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{cls.folder / table / '*.parquet'}')")

    @classmethod
    def tearDownClass(cls):
        cls.db.close()

    def one(self, sql):
        return self.db.execute(sql).fetchone()[0]

    def none(self, sql, what):
        """The query finds nothing; else the first rows it finds are shown."""
        self.assertEqual(self.db.execute(f"SELECT * FROM ({sql}) LIMIT 3").fetchall(), [], what)


class Contracts(Tables):
    def properties(self, table):
        return CONTRACTS[table]["schema"][0]["properties"]

    def test_every_column_is_there_in_order_with_its_type(self):
        for table in CONTRACTS:
            with self.subTest(table=table):
                expected = [
                    (column["name"], DUCKDB_TYPES.get(column["physicalType"], column["physicalType"]))
                    for column in self.properties(table)
                ]
                found = [row[:2] for row in self.db.execute(f"DESCRIBE {table}").fetchall()]
                self.assertEqual(found, expected)

    def test_required_columns_have_no_null(self):
        for table in CONTRACTS:
            for column in self.properties(table):
                if column["required"]:
                    with self.subTest(table=table, column=column["name"]):
                        self.assertEqual(self.one(f'SELECT count(*) FROM {table} WHERE "{column["name"]}" IS NULL'), 0)

    def test_closed_lists_hold_nothing_else(self):
        for table in CONTRACTS:
            for column in self.properties(table):
                custom = {entry["property"]: entry["value"] for entry in column.get("customProperties", [])}
                if "enum" in custom:
                    with self.subTest(table=table, column=column["name"]):
                        found = self.db.execute(f'SELECT DISTINCT "{column["name"]}" FROM {table}').fetchall()
                        self.assertLessEqual({word for (word,) in found} - {None}, set(custom["enum"]))

    def test_bounds_and_digits(self):
        for table in CONTRACTS:
            for column in self.properties(table):
                name, options = f'"{column["name"]}"', column.get("logicalTypeOptions", {})
                faults = []
                if "minimum" in options:
                    faults.append(f"{name} < {options['minimum']}")
                if "maximum" in options:
                    faults.append(f"{name} > {options['maximum']}")
                if "pattern" in options:
                    faults.append(f"NOT regexp_full_match({name}, '{options['pattern']}')")
                if faults:
                    with self.subTest(table=table, column=column["name"]):
                        self.none(f"SELECT {name} FROM {table} WHERE {' OR '.join(faults)}", "out of bounds")

    def test_primary_keys_are_unique(self):
        for table in CONTRACTS:
            keys = [column["name"] for column in self.properties(table) if column.get("primaryKey")]
            if keys:
                with self.subTest(table=table):
                    listed = ", ".join(keys)
                    self.none(f"SELECT {listed} FROM {table} GROUP BY {listed} HAVING count(*) > 1", "twice")

    def test_rows_stand_in_the_order_that_files_name(self):
        named = 0
        for table in CONTRACTS:
            for path in sorted((self.folder / table).glob("*.parquet")):
                file = pq.ParquetFile(path)
                if not file.metadata.num_row_groups:
                    continue
                names = file.schema_arrow.names
                keys = [names[column.column_index] for column in file.metadata.row_group(0).sorting_columns]
                rows = [tuple(row.values()) for row in file.read(columns=keys).select(keys).to_pylist()] if keys else []
                self.assertEqual(rows, sorted(rows), f"{path} by {keys}")
                named += len(keys)
        self.assertGreater(named, 10)


class Sums(Tables):
    def test_games_found_are_accounted_for(self):
        self.none("""SELECT archive FROM archives
            WHERE games_found <> games_accepted + games_rejected + games_set_aside""", "sum of the three")
        self.none("""
            SELECT archive, games_found, games_accepted, games_rejected, games_set_aside, found.*
            FROM archives FULL JOIN (
                SELECT archive, count(*) AS n,
                    count(*) FILTER (status = 'accepted') AS accepted,
                    count(*) FILTER (status = 'rejected') AS rejected,
                    count(*) FILTER (status = 'set_aside') AS aside
                FROM games GROUP BY archive) AS found USING (archive)
            WHERE games_found <> coalesce(n, 0) OR games_accepted <> coalesce(accepted, 0)
                OR games_rejected <> coalesce(rejected, 0) OR games_set_aside <> coalesce(aside, 0)
                OR games_found IS NULL""", "archives against games")
        self.assertGreater(self.one("SELECT count(*) FROM games"), 0)

    def test_every_byte_is_accounted_for(self):
        self.none("SELECT archive, bytes_text, bytes_accounted FROM archives WHERE bytes_text <> bytes_accounted", "lost")

    def test_plies_are_those_of_the_games(self):
        self.none("""
            SELECT games.game_id, games.plies, count(plies.ply) AS n, max(plies.ply) AS last
            FROM games LEFT JOIN plies USING (game_id) GROUP BY ALL
            HAVING n <> games.plies OR coalesce(last, 0) <> games.plies""", "games.plies against plies")
        self.none("""
            SELECT game_id, moves, string_agg(uci, ' ' ORDER BY ply) AS played
            FROM games JOIN plies USING (game_id) GROUP BY game_id, moves HAVING moves <> played""", "games.moves")

    def test_classes_add_up(self):
        self.none("""SELECT game_id FROM players
            WHERE moves_analysed <> n_best + n_good + n_inaccuracy + n_mistake + n_blunder""", "classes")
        self.none("""
            SELECT game_id, side, moves_analysed, count(evaluations.ply) AS n
            FROM players LEFT JOIN evaluations USING (game_id, side) GROUP BY ALL HAVING n <> moves_analysed""",
            "players against evaluations")
        self.none("""SELECT game_id, ply FROM evaluations
            WHERE (score_cp IS NULL) = (mate_in IS NULL) OR (played_cp IS NULL) = (played_mate_in IS NULL)""",
            "either centipawns or mate")

    def test_results_add_up(self):
        self.none("SELECT * FROM openings WHERE n <> white_wins + draws + black_wins", "openings")
        self.none("SELECT * FROM formations WHERE n <> wins + draws + losses", "formations")
        self.none("SELECT * FROM count_rates WHERE draws_proved + draws_possible > draws OR draws > n", "count_rates")

    def test_a_run_says_what_is_there(self):
        self.none("""
            SELECT games_found, plies, findings FROM (SELECT * FROM runs ORDER BY "commit" DESC LIMIT 1)
            WHERE games_found <> (SELECT count(*) FROM games) OR plies <> (SELECT count(*) FROM plies)
                OR findings <> (SELECT count(*) FROM findings)""", "runs against the tables")


class Keys(Tables):
    def test_rows_of_games_have_a_game(self):
        for table in CONTRACTS:
            if any(column["name"] == "game_id" for column in CONTRACTS[table]["schema"][0]["properties"]):
                with self.subTest(table=table):
                    self.none(f"""SELECT game_id FROM {table} WHERE game_id IS NOT NULL
                        AND game_id NOT IN (SELECT game_id FROM games)""", "no such game")

    def test_findings_and_games_have_an_archive(self):
        for table in ("games", "findings"):
            self.none(f"SELECT archive FROM {table} WHERE archive NOT IN (SELECT archive FROM archives)", table)

    def test_evaluations_have_a_ply(self):
        self.none("SELECT game_id, ply FROM evaluations ANTI JOIN plies USING (game_id, ply)", "no such ply")
        self.none("""SELECT game_id FROM games WHERE analysis = 'done'
            AND plies > 0 AND game_id NOT IN (SELECT game_id FROM evaluations)""", "analysed without evaluations")

    def test_counts_lie_within_their_game(self):
        self.none("""SELECT game_id, episode FROM counts JOIN games USING (game_id)
            WHERE start_ply_earliest > start_ply_latest
            OR (start_ply_earliest > games.plies AND last_number IS NOT NULL)""", "said after the end")
        self.none("SELECT game_id, episode FROM counts WHERE last_number < first_number", "a number before the first")


class Duplicates(Tables):
    def test_groups_are_whole(self):
        self.none("""SELECT class, canonical_game_id FROM duplicates GROUP BY ALL
            HAVING count(*) <> any_value(group_size) OR count(*) < 2 OR min(game_id) <> canonical_game_id""", "groups")
        self.none("""SELECT game_id FROM duplicates JOIN games USING (game_id)
            WHERE status <> 'accepted' OR games.plies = 0 AND class <> 'same_players'""", "not compared")

    def test_one_game_has_one_line_of_moves(self):
        self.none("""SELECT canonical_game_id FROM duplicates JOIN games USING (game_id)
            WHERE class IN ('exact', 'other_dialect') GROUP BY canonical_game_id
            HAVING count(DISTINCT moves_hash) <> 1 OR count(DISTINCT date) > 1 OR count(DISTINCT lower(white)) > 1""", "one game")
        self.none("""SELECT canonical_game_id, class FROM duplicates JOIN games USING (game_id)
            WHERE class IN ('exact', 'other_dialect') GROUP BY ALL
            HAVING (count(DISTINCT dialect) > 1) <> (class = 'other_dialect')""", "dialects")

    def test_whoever_has_the_same_moves_players_and_date_is_in_one_group(self):
        self.none("""SELECT moves_hash FROM games WHERE status = 'accepted' AND plies > 0
            GROUP BY moves_hash, lower(white), lower(black), date HAVING count(*) > 1
            EXCEPT SELECT moves_hash FROM duplicates JOIN games USING (game_id)
            WHERE class IN ('exact', 'other_dialect')""", "missed")

    def test_each_record_beside_the_first_has_its_finding(self):
        told = """SELECT game_id, replace(code, 'duplicate_', '') AS class FROM findings
            WHERE code LIKE 'duplicate_%' AND code <> 'duplicate_results_differ'"""
        beside = "SELECT game_id, class FROM duplicates WHERE game_id <> canonical_game_id"
        self.none(f"({told} EXCEPT {beside}) UNION ALL ({beside} EXCEPT {told})", "findings against duplicates")


class Verdicts(Tables):
    """The demo compares rule sets."""

    def test_the_one_that_judges_is_there_once_and_first_says_what_the_game_says(self):
        self.assertGreater(self.one("SELECT count(*) FROM verdicts"), 0)
        self.none("""SELECT game_id FROM verdicts GROUP BY game_id
            HAVING count(*) < 2 OR count(*) FILTER (judging) <> 1""", "one judges, others are compared")
        self.none("""SELECT game_id FROM verdicts JOIN games USING (game_id)
            WHERE judging AND (verdicts.rule_set <> games.rule_set OR verdicts.authority <> games.authority
                OR result IS DISTINCT FROM result_derived OR ending IS DISTINCT FROM ending_derived
                OR ply IS DISTINCT FROM ending_ply)""", "verdicts against games")
        self.none("SELECT game_id FROM verdicts WHERE judging AND NOT agrees", "with itself")

    def test_those_that_agree_say_the_same(self):
        same = """(v.result IS NOT DISTINCT FROM j.result AND v.ending IS NOT DISTINCT FROM j.ending
            AND v.ply IS NOT DISTINCT FROM j.ply AND v.refused_ply IS NOT DISTINCT FROM j.refused_ply
            AND v.declared_ending IS NOT DISTINCT FROM j.declared_ending
            AND v.declared_result IS NOT DISTINCT FROM j.declared_result)"""
        self.none(f"""SELECT v.game_id, v.rule_set FROM verdicts AS v
            JOIN (SELECT * FROM verdicts WHERE judging) AS j USING (game_id) WHERE v.agrees <> {same}""", "agrees")
        self.none("""SELECT game_id FROM verdicts WHERE agrees <> (differs_from_ply IS NULL)
            OR (agrees AND switches IS NOT NULL) OR switch <> switches
            OR (switch IS NULL AND switches NOT LIKE '%, %')""", "switches")


class Queries(Tables):
    """jobs/queries/*.sql: they run, and say what the tables say."""

    def rows(self, name):
        answer = self.db.execute((ROOT / "jobs/queries" / f"{name}.sql").read_text("utf-8"))
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]

    def wilson(self, hits, n):
        """The interval of ANALYSIS 1.5, written another way: the roots of a quadratic equation."""
        z2 = 1.959963984540054**2
        a, b, c = n + z2, -(2 * hits + z2), hits * hits / n
        root = (b * b - 4 * a * c) ** 0.5
        return (-b - root) / (2 * a), (-b + root) / (2 * a)

    def assertInterval(self, hits, n, low, high):
        for found, expected in zip((low, high), self.wilson(hits, n)):
            self.assertAlmostEqual(found, expected, places=9, msg=f"{hits} of {n}")

    def test_every_query_explains_its_columns(self):
        for path in sorted(glob.glob(str(ROOT / "jobs/queries/*.sql"))):
            name = Path(path).stem
            head = [line for line in Path(path).read_text("utf-8").splitlines() if line.startswith("--")]
            answer = self.db.execute(Path(path).read_text("utf-8"))
            for column in answer.description:
                with self.subTest(query=name, column=column[0]):
                    self.assertTrue(any(column[0] in line for line in head))

    def test_blunders_by_player_and_phase(self):
        rows = self.rows("blunders_by_player_and_phase")
        self.assertEqual(
            sum(row["blunders"] for row in rows),
            self.one("""SELECT count(*) FROM evaluations JOIN games USING (game_id)
                WHERE class = 'blunder' AND CASE WHEN side = 'white' THEN white ELSE black END IS NOT NULL"""))
        for row in rows:
            self.assertAlmostEqual(row["blunder_rate"], row["blunders"] / row["moves"])
            self.assertInterval(row["blunders"], row["moves"], row["blunder_low"], row["blunder_high"])

    def test_count_draw_rate(self):
        stored = {}
        names = "rule_set, player_kind, population, material, band"
        columns = "n, proved_wilson_low, possible_wilson_high, rate_low, rate_high"
        for row in self.db.execute(f"SELECT {names}, {columns} FROM count_rates").fetchall():
            stored[row[:5]] = row[5:]
        rows = self.rows("count_draw_rate")
        self.assertTrue(rows)
        for row in rows:
            proved, both = row["draws_proved"], row["draws_proved"] + row["draws_possible"]
            n, low, high, rate_low, rate_high = stored[tuple(row[name] for name in names.split(", "))]
            self.assertEqual(row["n"], n)
            self.assertAlmostEqual(row["wilson_low"], self.wilson(proved, n)[0], places=9)
            self.assertAlmostEqual(row["wilson_high"], self.wilson(both, n)[1], places=9)
            self.assertAlmostEqual(row["wilson_low"], low, places=9)
            self.assertAlmostEqual(row["wilson_high"], high, places=9)
            self.assertAlmostEqual(row["rate_low"], rate_low)
            self.assertAlmostEqual(row["rate_high"], rate_high)

    def test_openings(self):
        rows = self.rows("openings")
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual(row["n"], row["white_wins"] + row["draws"] + row["black_wins"])
            wins = row["white_wins"] if row["side"] == "white" else row["black_wins"]
            self.assertInterval(wins, row["n"], row["win_low"], row["win_high"])

    def test_findings_by_code(self):
        rows = self.rows("findings_by_code")
        self.assertEqual(sum(row["findings"] for row in rows), self.one("SELECT count(*) FROM findings"))


class ContractTool(unittest.TestCase):
    """The contracts as others read them: the Open Data Contract tool checks the real output."""

    def test_datacontract(self):
        for table in CONTRACTS:
            with self.subTest(table=table):
                command = [os.environ["NABSAK_DATACONTRACT"], "test", "--server", "local", str(ROOT / "schemas" / f"{table}.yaml")]
                done = subprocess.run(command, cwd=output(), capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
