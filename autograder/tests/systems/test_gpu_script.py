"""`.ci/gpu`, which needs a GPU for its figures: it runs, keeps what it finds, and ends in time."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[3]
CI = ROOT / ".ci"

pytestmark = pytest.mark.skipif(
    not (CI / "gpu").is_file() or sys.platform != "linux", reason="a checkout on Linux has .ci/gpu"
)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(CI)
    return importlib.import_module("gpu")


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    python = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([python, os.environ["PATH"]])}
    command = ["bash", str(CI / "gpu"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


KEEPS_AND_HANGS = """
import json, pathlib, subprocess, sys, time
command = [sys.executable, "-c", "import time; time.sleep(60)"]
child = subprocess.Popen(command, start_new_session=True)
kept = {"figures": ["half of it"], "requirements": [], "problems": [], "child": child.pid}
pathlib.Path(sys.argv[1], "hangs.json").write_text(json.dumps(kept))
time.sleep(60)
"""


@pytest.mark.gate
def test_a_part_is_ended_at_its_limit_with_all_that_it_started(
    gpu: ModuleType, tmp_path: Path
) -> None:
    """What it had found by then is kept."""
    command = [sys.executable, "-c", KEEPS_AND_HANGS, str(tmp_path)]
    began = time.monotonic()
    found = gpu.run_part("hangs", command, dict(os.environ), 3.0, tmp_path)
    assert time.monotonic() - began < 30
    assert (found["status"], found["figures"], found["limit"]) == ("stopped", ["half of it"], 3.0)
    assert json.loads((tmp_path / "hangs.json").read_text()) == found
    assert not is_running(found["child"])


STARTS_A_PART = """
import subprocess, sys
part = subprocess.Popen([sys.executable, *sys.argv[1:]], start_new_session=True)
part.wait()
"""
HANGS = """
import subprocess, sys, time
def run(findings, small):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    findings.keep(child=child.pid)
    time.sleep(60)
"""


def test_a_part_ends_when_the_script_has_been_killed(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    command = [sys.executable, "-c", STARTS_A_PART, str(CI / "gpu_parts"), "hangs", str(tmp_path)]
    script = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    result = tmp_path / "hangs.json"
    wait_for(result.is_file)
    (part,) = psutil.Process(script.pid).children()
    script.kill()
    script.wait()
    child = json.loads(result.read_text())["child"]
    wait_for(lambda: not is_running(part.pid) and not is_running(child))


def wait_for(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("code", "status", "problems"),
    [
        ("pass", "passed", []),
        ("print('why'); raise SystemExit(3)", "failed", ["exit status 3: why"]),
        ("kept['requirements'] = [{'what': 'fast', 'holds': False}]", "failed", []),
        ("kept['requirements'] = [{'what': 'fast', 'holds': True}]", "passed", []),
    ],
    ids=["nothing to say", "exit status", "missed", "holds"],
)
def test_the_status_of_a_part(
    gpu: ModuleType, tmp_path: Path, code: str, status: str, problems: list[str]
) -> None:
    source = (
        "import json, pathlib\nkept = {}\n"
        f"{code}\npathlib.Path({str(tmp_path)!r}, 'one.json').write_text(json.dumps(kept))"
    )
    found = gpu.run_part("one", [sys.executable, "-c", source], dict(os.environ), 60.0, tmp_path)
    assert (found["status"], found["problems"]) == (status, problems)


def run_parts(
    gpu: ModuleType, parts: list[Any], folder: Path, seconds: float, on_cpu: bool = False
) -> dict[str, Any]:
    return gpu.run_parts(parts, folder, dict(os.environ), on_cpu, seconds)


def test_a_part_that_lacks_a_package_is_left_out_and_the_table_says_what_is_missing(
    gpu: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = run_parts(gpu, [gpu.Part("one", 5, ("no_such_module", "json"))], tmp_path, 100.0)
    assert results["one"]["status"] == "left out"
    device = {"device": "H9", "cores": 16, "date": "today", "versions": {"jax": "1"}}
    gpu.print_table(device, results)
    *_, device_row, header, row = capsys.readouterr().out.splitlines()
    assert device_row == "H9, 16 cores, today, jax 1"
    assert header.split() == ["part", "result", "seconds", "limit", "found"]
    assert row.split(maxsplit=5)[:3] == ["one", "left", "out"]
    assert row.endswith("not installed: no_such_module")


def test_no_part_begins_after_the_end(gpu: ModuleType, tmp_path: Path) -> None:
    assert run_parts(gpu, [gpu.Part("late", 60, ())], tmp_path, 0.0)["late"] == {
        "status": "no time left",
        "seconds": 0.0,
        "limit": pytest.approx(0.0, abs=1.0),
    }


def test_the_limits_of_all_parts_fit(gpu: ModuleType) -> None:
    """In eight minutes; those that run beside others end before the first that measures."""
    assert gpu.TOTAL_SECONDS == 8 * 60
    assert sum(part.seconds for part in gpu.PARTS if not part.beside) <= gpu.TOTAL_SECONDS
    others = sum(one.seconds for one in gpu.PARTS if not one.measures and not one.beside)
    assert all(part.seconds <= others for part in gpu.PARTS if part.beside)


def test_each_part_has_a_module_that_runs_it(gpu: ModuleType) -> None:
    """And there is no module that no part names."""
    files = [file for file in (CI / "gpu_parts").glob("*.py") if "\ndef run(" in file.read_text()]
    assert {file.stem for file in files} == {part.name for part in gpu.PARTS}


def test_what_a_part_leaves_is_for_later_ones(
    gpu: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its own seconds at least, unless the end is nearer; one beside others, no more."""
    limits: dict[str, float] = {}
    monkeypatch.setattr(
        gpu, "run_part", lambda name, *rest: limits.update({name: rest[2]}) or {"status": "passed"}
    )
    beside = gpu.Part("beside", 70, (), measures=False, beside=True)
    parts = [beside, *(gpu.Part(name, 60, ()) for name in ("one", "two", "three"))]
    for seconds, wanted in ((200.0, [70, 80, 140, 200]), (100.0, [70, 60, 60, 100])):
        run_parts(gpu, parts, tmp_path, seconds)
        assert list(limits.values()) == pytest.approx(wanted, abs=5)
    run_parts(gpu, parts, tmp_path, 100.0, on_cpu=True)
    assert list(limits.values()) == [700, 600, 600, 600]


def test_what_measures_waits_for_what_does_not(
    gpu: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results so far are kept after each part, in the order of the parts."""
    running: set[str] = set()
    met: dict[str, set[str]] = {}

    def run_part(name: str, *rest: Any) -> dict[str, Any]:
        running.add(name)
        time.sleep(0.3 if name == "beside" else 0.1)
        met[name] = set(running)
        running.remove(name)
        return {"status": "passed"}

    monkeypatch.setattr(gpu, "run_part", run_part)
    parts = [
        gpu.Part("measures", 9, ()),
        gpu.Part("beside", 9, (), measures=False, beside=True),
        gpu.Part("quiet", 9, (), measures=False),
    ]
    kept: list[list[str]] = []
    gpu.run_parts(parts, tmp_path, {}, False, 60.0, lambda results: kept.append([*results]))
    assert met["quiet"] == {"quiet", "beside"}
    assert met["measures"] == {"measures"}
    assert kept == [["quiet"], ["beside", "quiet"], ["measures", "beside", "quiet"]]


def test_wheels_of_what_the_machine_has_are_not_installed(
    gpu: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy-9-py3-none-any.whl", "jupytext-1-py3-none-any.whl"):
        (tmp_path / name).touch()
    ran: list[list[str]] = []
    monkeypatch.setattr(gpu.subprocess, "run", lambda command, check: ran.append(command))
    gpu.install_wheels(tmp_path, tmp_path / "site")
    (command,) = ran
    assert command[-1].endswith("jupytext-1-py3-none-any.whl")
    assert not any("numpy" in word for word in command)
    assert "--no-index" in command


@pytest.mark.slow
def test_unknown_parts_are_refused() -> None:
    done = run_script("--cpu", "no_part")
    assert done.returncode == 2
    assert "there is no part 'no_part'; the parts are exports, tests, notebooks," in done.stderr


@pytest.mark.slow
def test_it_runs_on_the_cpu(tmp_path: Path) -> None:
    """One part; `.ci/full gpu` runs them all."""
    done = run_script("--cpu", "--out", str(tmp_path), "exports")
    assert done.returncode == 0, done.stdout + done.stderr
    table = json.loads((tmp_path / "table.json").read_text())
    assert table["environment"]["platform"] == "cpu"
    assert table["parts"]["exports"]["status"] == "passed"
    assert table["parts"]["exports"]["figures"][0] in done.stdout
