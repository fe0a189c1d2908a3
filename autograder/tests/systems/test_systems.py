"""The learner's path as on Windows and macOS; and what those systems lack is really refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.lessons.verification.compilation_cache import settings_for
from autograder.model.rubric_files import rubric_names
from autograder.tests.systems.options import environment_of

ROOT = Path(__file__).resolve().parents[3]
SYSTEMS = ["windows", "macos"]
WINDOWS_HERE = [pytest.param("windows", marks=pytest.mark.ordinary_user), "macos"]
LEARNER = "autograder/tests/learner/"
FAST = [  # a way through the learner's path
    "test_kernel.py::test_in_a_script",
    "test_commands.py::test_next_says_what_is_asked",
]
SLOW = [
    *("test_kernel.py", "test_commands.py", "test_folder.py", "test_pytest_plugin.py"),
    "test_never_the_students_fault.py",
    "test_watching.py::test_a_save_is_checked_and_the_next_one_too",
]
WHOLE = [*(("windows", tests) for tests in SLOW), *(("macos", tests) for tests in SLOW[:2])]
"""As on macOS only the kernel and the commands: Windows lacks all that is missing there."""
SHARES = 12


def run_python(system, tmp_path, code, *arguments):
    command = [sys.executable, "-c", code, *arguments]
    environment = environment_of(system, tmp_path)
    return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)


IMPORT_ALL = """
import importlib, pkgutil
for package in map(importlib.import_module, ("autograder", "plnkit")):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        # A zygote's own process runs on Linux only; the other modules are there to run a package.
        parts = module.name.split(".")
        if not {"tests", "__main__", "zygote_process"} & set(parts):
            importlib.import_module(module.name)
"""


@pytest.mark.slow
@pytest.mark.parametrize("system", ["windows", pytest.param("macos", marks=pytest.mark.slow)])
def test_every_module_can_be_imported(system, tmp_path):
    done = run_python(system, tmp_path, IMPORT_ALL)
    assert done.returncode == 0, done.stderr


BOTH = {
    "import os; os.sched_getaffinity(0)": "AttributeError",
    "import os; os.pidfd_open(os.getpid())": "AttributeError",
    "open('/proc/self/stat', 'rb')": "FileNotFoundError",
    "import os; os.listdir('/proc/self/task')": "FileNotFoundError",
    "import socket as s; s.socketpair(getattr(s, 'AF_UNIX', None), s.SOCK_SEQPACKET)": "OSError",
    "import ctypes; getattr(ctypes.CDLL('libc.so.6'), 'prctl')": "AttributeError",
    "from pathlib import Path; Path('there').read_text()": "AssertionError",
    "import subprocess; subprocess.run(['true'], text=True)": "AssertionError",
    "import multiprocessing as m; assert m.get_start_method() != 'spawn'": "AssertionError",
    "import sys; assert sys.platform == 'linux'": "AssertionError",
}
POSIX_ONLY = {
    "import fcntl": "ModuleNotFoundError",
    "import resource": "ModuleNotFoundError",
    "import pwd": "ModuleNotFoundError",
    "import termios": "ModuleNotFoundError",
    "import os; os.fork": "AttributeError",
    "import os; os.killpg": "AttributeError",
    "from os import getuid": "ImportError",
    "import signal; signal.SIGALRM": "AttributeError",
    "import signal; signal.setitimer": "AttributeError",
    "import socket; socket.AF_UNIX": "AttributeError",
    "import os, select; select.select([os.pipe()[0]], [], [], 0)": "OSError",
    "import os, selectors; selectors.DefaultSelector().register(os.pipe()[0], 1)": "OSError",
    "import subprocess; subprocess.Popen(['true'], start_new_session=True)": "ValueError",
    "import subprocess; subprocess.Popen(['true'], preexec_fn=print)": "ValueError",
    "import ctypes; ctypes.CDLL(None)": "TypeError",
    "import os; f = open('there', 'rb'); os.remove('there')": "PermissionError",
    "import os; f = open('there', 'rb'); os.replace('other', 'there')": "PermissionError",
    "import shutil; shutil.rmtree('.')": "PermissionError",
    "open('THERE', 'wb')": "OSError",
    "open('aux.txt', 'wb')": "OSError",
    "open('a:b', 'wb')": "OSError",
    "import os; os.symlink('there', 'link')": "OSError",
}
MACOS_ONLY = {
    "import resource as r; r.setrlimit(r.RLIMIT_AS, r.getrlimit(r.RLIMIT_AS))": "ValueError",
}
REFUSED = {"windows": BOTH | POSIX_ONLY, "macos": BOTH | MACOS_ONLY}
PROBE = """
import json, os, sys
found = {}
for source in json.loads(sys.argv[2]):
    for name in ("there", "other"):
        open(name, "w").close()
    space = {"__file__": sys.argv[1]}
    try:
        exec(compile(source, sys.argv[1], "exec"), space)
        found[source] = ""
    except Exception as error:
        found[source] = type(error).__name__
    if "f" in space:
        space["f"].close()
print(json.dumps(found))
"""


def probe(system, tmp_path, file, sources):
    done = run_python(system, tmp_path, PROBE, str(file), json.dumps(list(sources)))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_kit_is_refused_what_the_system_lacks(system, tmp_path):
    kits = ROOT / "autograder" / "model" / "probe.py"
    assert probe(system, tmp_path, kits, REFUSED[system]) == REFUSED[system]


def test_macos_has_what_only_windows_lacks(tmp_path):
    # The last ones would delete what the probe works with.
    sources = [s for s in POSIX_ONLY if "'.'" not in s and "link" not in s]
    found = probe("macos", tmp_path, ROOT / "plnkit" / "probe.py", sources)
    assert not any(found.values()), found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("file", ["autograder/tests/probe.py", "elsewhere/probe.py"])
def test_others_are_refused_nothing(system, file, tmp_path):
    """Tests, and packages: they have to run on this system."""
    passing = [s for s in REFUSED[system] if "assert" not in s and "'.'" not in s]
    found = probe(system, tmp_path, ROOT / file, passing)
    assert not any(found.values()), found


def run_suite(system, tests, **variables):
    command = [sys.executable, "-m", "pytest", f"--as-{system}", "-q", "-p", "no:cacheprovider"]
    command += ["-m", "slow or not slow", *(LEARNER + test for test in tests)]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize("system", WINDOWS_HERE)
def test_the_learners_suite(system):
    run_suite(system, FAST)


@pytest.mark.slow
@pytest.mark.parametrize(("system", "tests"), WHOLE)
def test_the_learners_whole_suite(system, tests):
    run_suite(system, [tests])


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_right_repairs(share, tmp_path):
    """Each share has some of the lessons; all right submissions of a lesson run on one system.

    The second system finds what the first has compiled.
    """
    lessons = rubric_names()[share::SHARES]
    for turn, system in enumerate(SYSTEMS):
        asked = [f"test_lessons_own_solutions[{lesson}]" for lesson in lessons]
        asked += [f"test_right_submissions[{lesson}]" for lesson in lessons[turn::2]]
        tests = [f"test_right_repairs.py::{test}" for test in asked]
        run_suite(system, tests, **settings_for(tmp_path))
