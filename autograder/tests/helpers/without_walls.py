"""A machine on which nothing but limits confines submissions, also where root grades.

bubblewrap fails, as in a container that forbids namespaces. Python lies in a folder that is closed
to others, so root cannot give a submission another user.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import autograder


def machine_without_walls(folder: Path) -> dict[str, Any]:
    """Return Python and the environment of such a machine, as `tests.courses` takes them.

    Args:
        folder: a new one, which is made.
    """
    folder.mkdir(mode=0o700)
    bwrap = folder / "bin" / "bwrap"
    bwrap.parent.mkdir()
    bwrap.write_text("#!/bin/sh\nexit 1\n")
    bwrap.chmod(0o755)
    command = [sys.executable, "-m", "venv", "--without-pip", folder / "env"]
    subprocess.run(command, check=True)
    (packages,) = (folder / "env").glob("lib/*/site-packages")
    kit = str(Path(autograder.__file__).resolve().parents[1])
    found = [kit, *(path for path in sys.path if "site-packages" in path)]
    (packages / "kit.pth").write_text("\n".join(dict.fromkeys(found)) + "\n")
    path = f"{bwrap.parent}{os.pathsep}{os.environ['PATH']}"
    python = folder / "env" / "bin" / "python"
    return {"python": python, "env": {**os.environ, "PATH": path}}
