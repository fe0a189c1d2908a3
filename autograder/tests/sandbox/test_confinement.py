"""What a submission can see, reach and use up, tried by submissions that report what they found."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import autograder
from autograder.model.notebook import Cell
from autograder.model.observation import Observation
from autograder.model.reasons import KIT_ERROR
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.sandbox import Limits, Processes, Protection, Zygotes, protection, shared_zygotes
from autograder.tests.helpers.drawn import whole_notebook

pytestmark = [pytest.mark.slow, pytest.mark.ordinary_user]
DRAWN = load_rubric("static_reshape").draw("static_reshape", PUBLIC_KEY)

confined = pytest.mark.skipif(
    protection() is not Protection.NAMESPACES,
    reason="needs bubblewrap, which is not installed or makes no namespaces here",
)


def observe(
    source: str, limits: Limits | None = None, zygotes: Zygotes | None = None
) -> Observation:
    """What comes back of a submission, with no call to export."""
    attempt = whole_notebook([Cell("solution", source, "solution")], DRAWN.name)
    worker = Processes(limits or Limits(), zygotes or shared_zygotes())
    return worker.observe(attempt, {DRAWN: []})[DRAWN.name]


def reported(source: str, limits: Limits | None = None) -> tuple[str, str]:
    """Reason and message of a submission's refusal."""
    seen = observe(source, limits)
    assert seen.refused is not None
    return seen.refused[0], seen.refused[1].message


def found(expression: str, setup: str = "") -> Any:
    """The value of an expression in a worker; it comes back as an error's text."""
    source = f"import json, os\n{setup}\nraise ValueError('<' + json.dumps({expression}) + '>')"
    return json.loads(reported(source)[1].partition("<")[2].rpartition(">")[0])


def attempt(statement: str) -> object:
    """What happens when a worker runs a statement: "done", or the name of the error."""
    lines = (
        f"try:\n  {statement}\n  got = 'done'\nexcept BaseException as e:\n  got = type(e).__name__"
    )
    return found("got", lines)


@confined
def test_nothing_but_python_is_in_sight(root, tmp_path):
    (tmp_path / "gradebook.db").write_text("marks")
    places = [str(p) for p in (tmp_path, root / "solutions", root / ".git", Path.home() / ".ssh")]
    assert found(f"[os.path.exists(p) for p in {places}]") == [False] * len(places)
    # Its own processes at most: some systems let nobody mount a /proc.
    assert found("[p for p in os.listdir('/proc') if p.isdigit() and int(p) > 9]") == []


SYSTEM_CALLS = {
    "memory in a file of its own": "libc.memfd_create(b'x', 0)",
    "System V shared memory": "libc.shmget(0, 4096, 0o1600)",
    "a System V queue": "libc.msgget(0, 0o1600)",
    "a POSIX queue": "libc.syscall(QUEUE, b'/q', 64, 0o600, 0)",
    "the session's keyring": "libc.syscall(KEYCTL, 0, -3, 0)",
    "a key": "libc.syscall(ADD_KEY, b'user', b'k', b'v', 1, -3)",
    "a user namespace": "libc.unshare(0x10000000)",
    "a mount": "libc.mount(b'x', b'/scratch', b'tmpfs', 0, b'')",
    "a process in a namespace": "libc.syscall(CLONE, 0x10000000 | 17, 0, 0, 0, 0)",
    "another process's memory": "libc.ptrace(0, 0, 0, 0)",
}
NUMBERS = {"x86_64": (240, 250, 248, 56), "aarch64": (180, 219, 217, 220)}


@confined
def test_system_calls_that_lead_around_the_limits_are_refused():
    numbers = NUMBERS[os.uname().machine]
    setup = (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"QUEUE, KEYCTL, ADD_KEY, CLONE = {numbers}"
    )
    calls = ", ".join(f"({call}, ctypes.get_errno())" for call in SYSTEM_CALLS.values())
    assert found(f"[{calls}]", setup) == [[-1, errno.EPERM]] * len(SYSTEM_CALLS)


@confined
def test_processes_and_threads_still_start():
    setup = "import subprocess, threading\nthread = threading.Thread(target=int)\nthread.start()"
    assert found("subprocess.run(['/bin/true']).returncode", setup) == 0


@confined
def test_the_folder_that_the_grader_was_started_in_is_not_in_sight(monkeypatch, tmp_path):
    """`python -m autograder grade .` puts the course on sys.path, key and gradebook with it."""
    (tmp_path / "gradebook.db").write_text("marks")
    monkeypatch.syspath_prepend(tmp_path)
    zygotes = Zygotes()
    source = f"import os\nraise ValueError(os.path.exists({str(tmp_path)!r}))"
    seen = observe(source, zygotes=zygotes)
    zygotes.close()
    assert seen.refused is not None
    assert seen.refused[1].message.startswith("ValueError: False")


TRY_ALL = """
def tried(paths):
    got = []
    for number, path in enumerate(paths):
        def link():
            os.symlink(path, f"link{number}")
            open(f"link{number}", "rb").read()
        def replace():
            open("mine", "w").close()
            os.rename("mine", path)
        for attempt in (
            lambda: open(path, "rb").read(),
            lambda: open(path, "ab").write(b"x"),
            lambda: os.truncate(path, 0),
            lambda: os.chmod(path, 0o777),
            lambda: os.listdir(os.path.dirname(path)),
            lambda: open(path + ".mine", "w").close(),
            lambda: os.link(path, f"hard{number}"),
            lambda: os.unlink(path),
            link,
            replace,
        ):
            try:
                attempt()
            except OSError:
                continue
            got.append(path)
    return got
"""


@confined
def test_nothing_of_the_course_can_be_read_or_changed(tmp_path):
    names = ("gradebook.db", ".autograder/key.json", ".autograder/results.jsonl")
    names += ("source/lesson/lesson.ipynb", "submitted/ada/lesson/lesson.ipynb")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"what {name} holds")
        (tmp_path / name).chmod(0o666)  # permissions are not what keeps it
    assert found(f"tried({[str(tmp_path / name) for name in names]})", TRY_ALL) == []
    there = {str(p.relative_to(tmp_path)): p for p in tmp_path.rglob("*") if p.is_file()}
    assert there.keys() == set(names)
    assert all(path.read_text() == f"what {name} holds" for name, path in there.items())
    assert all(path.stat().st_mode & 0o777 == 0o666 for path in there.values())


READ_MEMORY = """
import ctypes
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
def read_memory(process, address, length):
    libc, room = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(length)
    mine, theirs = Piece(ctypes.addressof(room), length), Piece(address, length)
    got = libc.process_vm_readv(process, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)
    return room.raw.decode() if got == length else os.strerror(ctypes.get_errno())
"""


@confined
def test_the_graders_memory_cannot_be_read():
    secret = ctypes.create_string_buffer(b"the key")
    where = f"{ctypes.addressof(secret)}, 7"
    assert found(f"read_memory({os.getpid()}, {where})", READ_MEMORY) == "Operation not permitted"
    # The means themselves work: here, where nothing is confined.
    here: dict[str, Any] = {"os": os}
    exec(READ_MEMORY, here)
    assert here["read_memory"](os.getpid(), ctypes.addressof(secret), 7) == "the key"


@confined
def test_no_rubric_and_no_test_can_be_read():
    """They hold the right answers."""
    kit = Path(autograder.__file__).parent
    setup = "import autograder.model\nfolder = os.path.dirname(autograder.__file__)"
    assert found("[os.listdir(f'{folder}/{name}') for name in ('rubrics', 'tests')]", setup) == [
        [],
        [],
    ]
    assert attempt("open(folder + '/tests/x', 'w')".replace("folder", repr(str(kit)))) == "OSError"


def test_nothing_that_is_compiled_is_kept():
    """A submission would run what another one has put into a cache."""
    assert found("jax.config.jax_compilation_cache_dir", "import jax") is None


@confined
def test_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        call = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=5)"
        assert attempt(call) in ("OSError", "ConnectionRefusedError")
    with socket.socket(socket.AF_UNIX) as server:  # in no folder: of the network's namespace
        server.bind("\0autograder-test")
        server.listen()
        call = "import socket; socket.socket(socket.AF_UNIX).connect('\\0autograder-test')"
        assert attempt(call) == "ConnectionRefusedError"


@confined
def test_python_and_the_kit_are_read_only():
    refused = ("OSError", "PermissionError")
    assert attempt("import autograder; open(autograder.__file__, 'a')") in refused
    assert attempt("import numpy; open(numpy.__file__, 'a')") in refused


@confined
@pytest.mark.parametrize("place", ["/", "/tmp", "/dev/shm", "/proc", "/usr", "/dev"])
def test_nothing_can_be_left_for_the_next_submission(place):
    assert attempt(f"open('{place}/left', 'w')") in (
        "OSError",
        "PermissionError",
        "FileNotFoundError",
    )


@confined
def test_only_the_processes_of_the_submission_can_be_signalled():
    assert attempt(f"os.kill({os.getpid()}, 9)") == "ProcessLookupError"
    assert found("os.getpid()") < 10


def test_the_environment_holds_no_secrets(monkeypatch):
    zygotes = Zygotes()
    monkeypatch.setenv("AUTOGRADER_SEED", "12345")
    seen = observe("import os\nraise ValueError(str(dict(os.environ)))", zygotes=zygotes)
    zygotes.close()
    assert seen.refused is not None
    assert "PATH" in seen.refused[1].message
    assert "12345" not in seen.refused[1].message


def test_scratch_folders_are_private_and_start_empty():
    assert found("os.listdir('.')", "open('mine', 'w').close()").count("mine") == 1
    assert "mine" not in found("os.listdir('.')")


def test_large_allocation_is_an_error_with_its_line():
    reason, message = reported("x = 1\nbig = bytearray(20 * 2**30)")
    assert reason == "cell-failed"
    assert message.startswith("MemoryError")


def test_large_file_is_an_error():
    assert attempt("open('big', 'wb').write(bytes(2**30))") == "OSError"


@confined
def test_many_files_are_an_error_too():
    assert attempt("[open(str(i), 'wb').write(bytes(2**27)) for i in range(8)]") == "OSError"


def test_a_gigabyte_of_output_goes_nowhere():
    write = "for i in range(1024): os.write(1 + i % 2, bytes(2**20))"
    assert found("1", f"{write}\nprint('x' * 2**28)") == 1


def test_memory_that_is_used_bit_by_bit():
    source = "kept = []\nwhile True: kept.append(bytes([1]) * 2**24)"
    reason, message = reported(source, Limits(resident=2**28))
    assert reason == "too-much-memory"
    assert "more than 0.25 GiB" in message


def test_fork_bomb():
    reason, message = reported("import os, time\nwhile True:\n  if os.fork() == 0: time.sleep(60)")
    assert reason == "too-many-processes"
    assert "more than 64 processes" in message


def test_thread_bomb():
    code = """
import threading, time
threading.stack_size(2**16)
while True:
  try: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
  except RuntimeError: time.sleep(0.01)
"""
    reason, message = reported(code, Limits(threads=300))
    assert reason == "too-many-processes"
    assert "more than 300 threads" in message


@pytest.mark.parametrize(
    "stubborn",
    [
        "while True: pass",
        "import signal\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
    ],
)
def test_endless_loops(stubborn):
    assert reported(stubborn, Limits(seconds=2))[0] == "timeout"


@pytest.mark.parametrize(
    "idle",
    [
        "import time\ntry:\n  time.sleep(1000)\nexcept BaseException:\n  time.sleep(1000)",
        "import os\nos.read(os.pipe()[0], 1)",
        "import os, time\nif os.fork() == 0: time.sleep(1000)\nos.wait()",
    ],
)
def test_endless_waits(idle):
    """A slow disk may look the same: such a submission is tried again alone."""
    assert reported(idle, Limits(seconds=2))[0] == "stalled"


SIXTY_BUSY = """
import os
for _ in range(60):
    if os.fork() == 0:
        while True: pass
os.wait()
"""


def test_sixty_busy_processes_share_one_limit_of_time():
    began = time.monotonic()
    reason, _ = reported(SIXTY_BUSY, Limits(seconds=4))
    assert reason == "timeout" or time.monotonic() - began > 16


@pytest.mark.slow
def test_busy_neighbours_take_no_time_away():
    """What an innocent needs leaves little room, and on the clock it takes far longer."""
    need = "import time\nwhile time.process_time() < 2.5: pass"
    with ThreadPoolExecutor(4) as pool:
        neighbours = [pool.submit(reported, SIXTY_BUSY, Limits(seconds=10)) for _ in range(4)]
        reasons = {reported(need, Limits(seconds=5))[0] for _ in range(2)}
        for neighbour in neighbours:
            neighbour.result()
    # It ran to its end, or nobody says that it took too long.
    assert reasons <= {"missing-function", KIT_ERROR}


@pytest.mark.parametrize(
    "end",
    [
        "import os; os._exit(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import ctypes; ctypes.string_at(0)",
        "import os; os.abort()",
        "import os; os.closerange(0, 1000)",
    ],
)
def test_sudden_ends(end):
    assert reported(end)[0] == "worker-died"


def test_the_next_submission_is_served_after_all_this():
    assert found("1 + 1") == 2
