"""Grading on a cluster, and into another gradebook than the course's own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom.cluster import OtherMachineError, grade_job, kit_digest, open_cluster
from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_config import ClassError
from autograder.lessons.course import kits_course
from autograder.processes.child_process import with_kit
from autograder.processes.usage import descendants
from autograder.sandbox import Protection
from autograder.sandbox.confinement import bubblewrap
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    autograder,
    exports,
    nbgrader,
    start_autograder,
)
from autograder.tests.helpers.reference_class import check, known_only
from plnkit.tests.needs import need


def wait_for(condition: Callable[[], object], what: str, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)


# --- a cluster on this machine ------------------------------------------------------------------


@pytest.fixture
def certified(tmp_path, monkeypatch) -> Path:
    """A certificate for the processes of this test, made and named as the README says."""
    file, settings = tmp_path / "cluster.pem", tmp_path / "distributed.yaml"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    make += ["-subj", "/CN=autograder", "-keyout", str(file), "-out", str(file)]
    subprocess.run(make, check=True, capture_output=True)
    roles = "".join(
        f"      {role}: {{cert: {file}}}\n" for role in ("scheduler", "worker", "client")
    )
    settings.write_text(
        "distributed:\n  comm:\n    require-encryption: true\n    tls:\n"
        f"      ca-file: {file}\n{roles}"
    )
    monkeypatch.setenv("DASK_CONFIG", str(settings))
    return file


@contextmanager
def dask(role: str, folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of dask's processes, ended with the context."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--no-dashboard"]
    with (folder / f"{role}.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--scheduler-file", str(folder / "scheduler.json"), *arguments],
            env=with_kit(os.environ),
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


HERE = ("--host", "127.0.0.1", "--protocol", "tls")


@pytest.fixture
def scheduler(tmp_path, certified) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Address of a scheduler without workers, and its process."""
    need("distributed")
    place = tmp_path / "scheduler.json"
    with dask("scheduler", tmp_path, *HERE, "--port", "0") as process:
        wait_for(lambda: place.exists() and place.read_text(), "the scheduler")
        yield json.loads(place.read_text())["address"], process


@pytest.fixture
def cluster(tmp_path, scheduler) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Address of a scheduler with two workers, and the workers."""
    with ExitStack() as stack:
        one = (*HERE, "--nthreads", "1", "--no-nanny", "--local-directory")
        workers = [
            stack.enter_context(dask("worker", tmp_path, *one, str(tmp_path / f"worker{i}")))
            for i in range(2)
        ]
        yield scheduler[0], workers


@pytest.mark.slow
def test_a_worker_of_the_cluster_is_killed_midway(reference, cluster, tmp_path):
    address, workers = cluster
    course = shutil.copytree(reference.before, tmp_path / "course")
    with start_autograder("grade", course, ASSIGNMENT, "--scheduler", address) as process:
        # It has started processes of its own: it is at work on a submission.
        wait_for(lambda: list(descendants(workers[0].pid)), "the first worker to grade")
        os.kill(workers[0].pid, signal.SIGKILL)
        printed, _ = process.communicate()
    assert process.returncode == NEEDS_REVIEW, printed
    assert workers[1].poll() is None
    check(course, reference)


@pytest.mark.slow
def test_a_cluster_without_a_worker_says_so_and_goes_on_with_the_first(
    reference, scheduler, tmp_path
):
    address, _ = scheduler
    course = shutil.copytree(reference.before, tmp_path / "course")
    started = time.monotonic()
    with start_autograder("grade", course, ASSIGNMENT, "--scheduler", address) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert time.monotonic() - started < 30  # most of it imports JAX and nbgrader
        assert first.startswith(f"The scheduler at {address} has no worker, so nothing is graded")
        start = f"dask worker {address} --protocol tls"
        assert f"`{start}`" in first
        env = with_kit(os.environ)
        env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
        # The very command, on one machine: with its nanny, and a thread for each core.
        with (
            (tmp_path / "worker.log").open("wb") as log,
            subprocess.Popen(
                start.split(), cwd=tmp_path, env=env, stdout=log, stderr=log
            ) as worker,
        ):
            printed, _ = process.communicate()
            worker.terminate()
    assert f"The cluster of {address} grades.\n" in printed
    assert process.returncode == NEEDS_REVIEW, printed
    check(course, reference)


@pytest.mark.slow
def test_a_scheduler_that_ends_midway_is_named(reference, scheduler, tmp_path):
    address, dying = scheduler
    course = shutil.copytree(reference.before, tmp_path / "course")
    with start_autograder("grade", course, ASSIGNMENT, "--scheduler", address) as process:
        assert process.stdout is not None
        assert "has no worker" in process.stdout.readline()
        dying.kill()
        printed, _ = process.communicate(timeout=120)
    assert process.returncode == 1, printed
    assert f"autograder: the scheduler at {address} has ended or cannot be reached" in printed
    assert "run the same command again" in printed
    assert "Traceback" not in printed


ASK = """
import sys
from distributed import Client
from distributed.security import Security
client = Client(sys.argv[1], timeout=10, security=Security(tls_ca_file=sys.argv[2]))
print(client.submit(lambda: "reached").result())
"""


@pytest.mark.slow
def test_nobody_without_the_certificate_runs_code_on_the_graders(cluster, certified, monkeypatch):
    address, _ = cluster
    monkeypatch.delenv("DASK_CONFIG")
    for port in (address, address.replace("tls://", "tcp://")):
        command = [sys.executable, "-c", ASK, port, str(certified)]
        asked = subprocess.run(command, capture_output=True, text=True)
        assert asked.returncode and "reached" not in asked.stdout


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "ws://h:1", "inproc://x"])
def test_an_address_that_is_open_to_others_is_refused(address):
    with pytest.raises(ClassError, match="run code on all graders"), open_cluster(address, print):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("has_certificate", [True, False])
def test_no_scheduler(has_certificate, certified):
    need("distributed")
    env = dict(os.environ)
    if not has_certificate:
        del env["DASK_CONFIG"]
    code = (
        "from autograder.classroom.cluster import open_cluster\n"
        "with open_cluster('tls://127.0.0.1:9', print): pass"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert "ClassError: there is no scheduler at tls://127.0.0.1:9" in asked.stderr


def job() -> dict[str, Any]:
    """As much of it as is read before a machine refuses."""
    kit = kit_digest(kits_course().rubric(ASSIGNMENT))
    return {"kit": kit, "lessons": [], "lesson": ASSIGNMENT, "accepted": [Protection.NAMESPACES]}


def test_a_machine_with_another_kit_must_not_grade():
    with pytest.raises(OtherMachineError, match="has another version of the kit, of Python or of"):
        grade_job({**job(), "kit": "an older one"})


def test_a_machine_that_confines_less_must_not_grade(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")  # without bubblewrap
    bubblewrap.cache_clear()
    try:
        with pytest.raises(OtherMachineError, match=r"^on .*: (nothing was graded|--require)"):
            grade_job(job())
    finally:
        bubblewrap.cache_clear()


# --- PostgreSQL ---------------------------------------------------------------------------------


def postgres_programs() -> Path | None:
    places = [Path(p) for p in os.environ.get("PATH", "").split(os.pathsep)]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = [p for p in places if all((p / name).exists() for name in ("initdb", "postgres"))]
    return found[0] if found else None


@pytest.fixture
def postgresql() -> Iterator[str]:
    """URL of an empty database on a server that listens on a socket in a folder of its own."""
    need("psycopg")
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    # The server refuses to run as root; and its user must be able to enter the folder.
    user = "nobody" if os.getuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        if user:
            shutil.chown(name, user)
        data, log = Path(name, "data"), Path(name, "log")
        make = [programs / "initdb", "-D", data, "-A", "trust", "-U", "teacher", "--no-sync"]
        subprocess.run(make, user=user, cwd=name, check=True, capture_output=True)
        with log.open("wb") as reported:
            quiet = ["-c", "listen_addresses=", "-c", "fsync=off"]
            server = subprocess.Popen(
                [programs / "postgres", "-D", data, "-k", name, *quiet],
                user=user,
                cwd=name,
                stderr=reported,
            )
        try:
            wait_for(lambda: b"ready to accept connections" in log.read_bytes(), "PostgreSQL", 60)
            yield f"postgresql+psycopg://teacher@/postgres?host={name}"
        finally:
            server.send_signal(signal.SIGINT)  # its fast shutdown
            server.wait()


@pytest.mark.slow
def test_postgresql(reference, postgresql, tmp_path):
    course = known_only(reference, tmp_path / "course")
    assert autograder("grade", course, ASSIGNMENT)[0] == NEEDS_REVIEW
    own = (course / "gradebook.db").read_bytes()
    there = f"--CourseDirectory.db_url={postgresql}"
    done = nbgrader(course, "generate_assignment", ASSIGNMENT, "--force", there)
    assert done.returncode == 0, done.stderr
    # What the course's own gradebook holds already, this one does not.
    status, printed = autograder("grade", course, ASSIGNMENT, "--db", postgresql)
    assert status == NEEDS_REVIEW, printed
    assert (course / "gradebook.db").read_bytes() == own
    found = exports(course, there)
    assert found["criteria.csv"] == reference.exports["criteria.csv"]
    # nbgrader leaves the order of its rows to the database.
    rows = [sorted(table["grades.csv"].splitlines()) for table in (found, reference.exports)]
    assert rows[0] == rows[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:////no/such/folder/gradebook.db", "unable to open database file"),
        ("nonsense", "the gradebook --db cannot be used"),
        ("sqlite:///{folder}/new.db", f"has no assignment '{ASSIGNMENT}': run `nbgrader gen"),
    ],
)
def test_a_gradebook_that_is_not_there(reference, tmp_path, url, words):
    course = known_only(reference, tmp_path / "course")
    status, printed = autograder("grade", course, ASSIGNMENT, "--db", url.format(folder=tmp_path))
    assert (status, words in printed, "Traceback" in printed) == (1, True, False), printed
