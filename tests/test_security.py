"""Claims of SECURITY.md that the code can be asked about."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRITES = re.compile(r"\b(File::create|File::create_new|OpenOptions|fs::write|fs::rename|fs::copy|fs::remove_\w+|create_dir(_all)?|hard_link|symlink|set_permissions)\b|\.unpack(_in)?\(")


def code(crates="*"):
    """The product's sources, without tests: no file of tests, no server for tests, nothing behind `#[cfg(test)] mod`."""
    for path in sorted(ROOT.glob(f"crates/{crates}/src/**/*.rs")):
        if path.name == "tests.rs" or "testing" in (part.removesuffix(".rs") for part in path.parts) or "tests" in path.parts:
            continue
        text = path.read_text("utf-8")
        yield path.relative_to(ROOT).as_posix(), re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", text)[0]


class Claims(unittest.TestCase):
    def test_two_places_start_a_process_and_one_of_them_only_this_program(self):
        starts = [path for path, text in code() if re.search(r"process::(\w+::)*Command\b|process::\{[^}]*\bCommand\b|\bexecv|posix_spawn|libc::fork", text)]
        self.assertEqual(starts, ["crates/engine/src/uci/child.rs", "crates/pipeline/src/isolating.rs"])
        again = (ROOT / starts[1]).read_text("utf-8")
        self.assertEqual(re.findall(r"\bCommand::new\((.*?)\)", again), ["&self.program.program"])
        programs = [path for path, text in code() if "ChildProgram {" in text and path != starts[1]]
        for path in programs:
            self.assertIn("std::env::current_exe()", (ROOT / path).read_text("utf-8"), path)
        child = (ROOT / starts[0]).read_text("utf-8")
        self.assertEqual(len(re.findall(r"\bCommand::new\(", child)), 1)
        self.assertNotRegex(child, r'Command::new\("')

    def test_readers_of_archives_write_no_file(self):
        for crate in ("archive", "notation", "replay", "rules", "analysis"):
            for path, text in code(crate):
                self.assertIsNone(WRITES.search(text), path)

    def test_the_search_would_find_them(self):
        found = [path for path, text in code("store") if WRITES.search(text)]
        self.assertIn("crates/store/src/folder.rs", found)

    def test_listening_is_where_the_page_says(self):
        listeners = {path for path, text in code() if re.search(r"\bTcpListener::bind|\bServer::http\b|UnixListener::bind", text)}
        self.assertLessEqual(listeners, {"crates/nabsak/src/commands/serve.rs", "crates/cluster/src/scheduler.rs", "crates/cluster/src/worker.rs"})

    def test_licences_are_checked_and_none_is_of_the_gpl(self):
        deny = (ROOT / "deny.toml").read_text("utf-8")
        allowed = re.search(r"^allow = \[(.*?)^\]", deny, re.S | re.M)[1]
        names = re.findall(r'"([^"]+)"', allowed)
        self.assertGreater(len(names), 4)
        self.assertFalse([name for name in names if "GPL" in name])
        self.assertIn('"licenses", "bans", "sources"', (ROOT / "tools/testrun/steps.py").read_text("utf-8"))

    def test_no_unsafe_code(self):
        self.assertIn('unsafe_code = "deny"', (ROOT / "Cargo.toml").read_text("utf-8"))
        allowed = [path for path, text in code() if re.search(r"allow\(unsafe_code\)|\bunsafe\s*\{", text)]
        self.assertEqual(allowed, [])

    def test_the_page_names_what_is_there(self):
        page = (ROOT / "SECURITY.md").read_text("utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", page) + re.findall(r"`((?:crates|tests)/[\w./]+\.\w+)`", page):
            self.assertTrue((ROOT / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
