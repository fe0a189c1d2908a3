"""`pytest --as-windows` and `--as-macos`: the kit's own code meets what those systems lack.

What runs is Linux. The kit's modules get `views` of Python's modules, and `files` refuses. Both are
installed when Python starts, so pytest is started again, and child processes have them too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SYSTEM = "AUTOGRADER_TESTS_AS"
_PRELUDE = Path(__file__).parent / "prelude"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("systems")
    for system in ("windows", "macos"):
        text = f"refuse to the kit's own code what {system} lacks"
        group.addoption(
            f"--as-{system}", action="store_const", const=system, dest="system", help=text
        )


def environment_of(system: str, folder: Path) -> dict[str, str]:
    """Return the environment of a process whose kit meets `system`.

    `folder` becomes the root of temporary files; its name has a space and an umlaut.
    """
    temporary = folder / "für Übungen"
    temporary.mkdir(exist_ok=True)
    path = os.pathsep.join(filter(None, [str(_PRELUDE), os.environ.get("PYTHONPATH", "")]))
    places = {"TMPDIR": str(temporary), "PYTEST_DEBUG_TEMPROOT": str(temporary)}
    return {**os.environ, **places, SYSTEM: system, "PYTHONPATH": path}


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    system = config.getoption("system")
    if system is None or os.environ.get(SYSTEM) == system:
        return None
    asked = config.invocation_params
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", *asked.args]
        environment = environment_of(system, Path(folder))
        return subprocess.run(command, env=environment, cwd=asked.dir).returncode
