"""What a verification compiles is kept for the next, unless it may be damaged or too much."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.lessons.verification import compilation_cache
from autograder.lessons.verification.compilation_cache import share_compilations

NAME = "JAX_COMPILATION_CACHE_DIR"
COMPILE = "import jax; jax.jit(lambda x: x + 1)(1.0)"


def compiled(root: Path) -> Path:
    """The folder that a process fills meanwhile."""
    with share_compilations(root):
        subprocess.run([sys.executable, "-c", COMPILE], check=True)
        return Path(os.environ[NAME])


@pytest.mark.slow
def test_compilations_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "mine")
    folder = compiled(tmp_path)
    assert os.environ[NAME] == "mine"
    there = sorted(file.name for file in folder.iterdir())
    assert there
    with share_compilations(tmp_path):
        assert sorted(file.name for file in folder.iterdir()) == there


@pytest.mark.slow
def test_what_a_killed_verification_left_is_removed(tmp_path: Path) -> None:
    folder = compiled(tmp_path)
    code = (
        "import os, pathlib\n"
        "from autograder.lessons.verification.compilation_cache import share_compilations\n"
        f"with share_compilations(pathlib.Path({str(tmp_path)!r})):\n    os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert list(folder.iterdir())
    with share_compilations(tmp_path):
        assert Path(os.environ[NAME]) == folder
        assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_two_at_once_do_not_share(tmp_path: Path) -> None:
    folder = compiled(tmp_path)
    with share_compilations(tmp_path):
        with share_compilations(tmp_path):
            other = Path(os.environ[NAME])
            assert other != folder and other.is_dir()
        assert Path(os.environ[NAME]) == folder and not other.exists()
        assert list(folder.iterdir())


@pytest.mark.slow
def test_too_much_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = compiled(tmp_path)
    monkeypatch.setattr(compilation_cache, "MOST_BYTES", 10)
    with share_compilations(tmp_path):
        assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_checkout_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / ".autograder").write_text("a file, not a folder")
    folder = compiled(tmp_path)
    assert tmp_path not in folder.parents and not folder.exists()
