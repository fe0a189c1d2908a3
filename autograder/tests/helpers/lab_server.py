"""A real JupyterLab server for tests, with nbgrader's extensions and settings of its own."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autograder.processes.child_process import with_kit

TOKEN = "kit"
START_SECONDS = 90.0

Theme = Literal["JupyterLab Light", "JupyterLab Dark"]


@dataclass(frozen=True)
class LabServer:
    """A running server.

    Attributes:
        address: without a slash at its end.
        files: the folder that it shows.
        settings: the folder of its user settings.
    """

    address: str
    files: Path
    settings: Path

    def url(self, path: str) -> str:
        """The address of a page, with the token."""
        return f"{self.address}{path}?token={TOKEN}"

    def set(self, plugin: str, name: str, **values: object) -> None:
        """Write user settings; pages loaded from now on follow them."""
        folder = self.settings / "@jupyterlab" / plugin
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jupyterlab-settings").write_text(json.dumps(values))

    def use_theme(self, theme: Theme) -> None:
        self.set("apputils-extension", "themes", theme=theme)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}/api/status?token={TOKEN}", timeout=5).close()
    except (urllib.error.URLError, OSError):
        return False
    return True


def _environment(home: Path) -> dict[str, str]:
    """This process's, but for the user's own settings; nbgrader starts its helpers by name."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return with_kit(
        {
            **os.environ,
            "PATH": path,
            "HOME": str(home),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        }
    )


@contextlib.contextmanager
def lab_server(files: Path, course: Path, home: Path) -> Iterator[LabServer]:
    """Serve a folder while the block runs.

    Args:
        files: the folder to show; must contain `course`, as nbgrader asks.
        course: the nbgrader course of formgrader.
        home: an empty folder for everything that Jupyter keeps.
    """
    home.mkdir()
    address = f"http://127.0.0.1:{(port := _free_port())}"
    options = {
        "--ServerApp.port": port,
        "--ServerApp.root_dir": files,
        "--IdentityProvider.token": TOKEN,
        "--LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                *(f"{name}={value}" for name, value in options.items()),
            ],
            cwd=course,  # formgrader reads the configuration that lies there
            env=_environment(home),
            stdout=output,
            stderr=output,
        )
    server = LabServer(address, files, home / "settings")
    # All cells are then in the page, those out of sight too.
    server.set("notebook-extension", "tracker", windowingMode="none")
    server.set("apputils-extension", "notification", fetchNews="false")
    try:
        end = time.monotonic() + START_SECONDS
        while not _answers(address):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()  # ends its kernels too
        process.wait(30)
