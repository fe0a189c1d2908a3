"""A file is written whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.processes.files import UNFINISHED, clear_unfinished, write_whole

TOO_LARGE = """
import resource, signal, sys
from pathlib import Path
from autograder.processes.files import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_whole(Path(sys.argv[1]), "new" * 10_000)
except OSError as error:
    print(error.strerror)
"""


def test_a_write_that_fails_leaves_the_old_file_and_no_temporary(tmp_path):
    target = tmp_path / "marks.csv"
    target.write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", TOO_LARGE, target], capture_output=True, text=True, check=True
    )
    assert done.stdout == "File too large\n"
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["marks.csv"]


KILLED = """
import os, signal, sys
from pathlib import Path
from autograder.processes.files import write_whole
os.replace = lambda old, new: os.kill(os.getpid(), signal.SIGKILL)
write_whole(Path(sys.argv[1]), "new")
"""


def test_what_a_killed_writer_left_is_removed_later(tmp_path):
    target = tmp_path / "marks.csv"
    target.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, target])
    assert done.returncode == -signal.SIGKILL
    assert target.read_text() == "old"
    assert len(list(tmp_path.glob(f".marks.csv-*{UNFINISHED}"))) == 1
    clear_unfinished(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["marks.csv"]


def test_no_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "marks.csv", "new")


def test_permissions(tmp_path: Path):
    target = tmp_path / "key.json"
    write_whole(target, "secret", mode=0o600)
    assert target.stat().st_mode & 0o777 == 0o600
    write_whole(target, b"another")  # what was secret stays so
    assert (target.stat().st_mode & 0o777, target.read_bytes()) == (0o600, b"another")
    write_whole(tmp_path / "new", "")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o644
