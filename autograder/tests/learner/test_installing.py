"""A notebook's first cell where the kit is missing: real pip, a wheel of the kit, no network.

What the kit needs are empty packages, in an index of the test's own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.learner import installing
from autograder.lessons.authoring import build_exercise
from autograder.model.notebook import INSTALL, INSTALL_SOURCE, cells_of

PIP = Path(sysconfig.get_path("purelib")) / "pip"
"""It is copied, not imported: setuptools does without its own distutils once pip is looked for."""

pytestmark = pytest.mark.skipif(not PIP.is_dir(), reason="pip is not installed")

CELL = """
import subprocess, sys
class Shell:
    def run_line_magic(self, name, line):
        subprocess.run([sys.executable, "-m", name, *line.split()], check=True)
get_ipython = Shell
""" + TransformerManager().transform_cell(INSTALL_SOURCE)
CUDA_EXTRAS = {
    "cuda12": "jax-cuda12-plugin[with-cuda]",
    "cuda13": "jax-cuda13-plugin[with-cuda]",
    "cuda12-local": "jax-cuda12-plugin",
}


def make_wheel(
    folder: Path,
    name: str,
    version: str,
    requires: tuple[str, ...] = (),
    extras: dict[str, str] | None = None,
) -> None:
    file = name.replace("-", "_")
    info = f"{file}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in requires]
    for extra, needed in (extras or {}).items():
        lines += [f"Provides-Extra: {extra}", f'Requires-Dist: {needed}; extra == "{extra}"']
    kind = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(folder / f"{file}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "\n".join(lines) + "\n")
        wheel.writestr(f"{info}/WHEEL", kind)
        wheel.writestr(f"{info}/RECORD", "")


def make_jax(folder: Path, version: str) -> None:
    """Make a release of jax, with plug-ins that fit this release only."""
    exact = f">={version},<={version}"
    extras = {name: f"{plugin}{exact}" for name, plugin in CUDA_EXTRAS.items()}
    make_wheel(folder, "jax", version, (f"jaxlib{exact}", "numpy>=2"), extras)
    make_wheel(folder, "jaxlib", version)
    for plugin in ("jax-cuda12-plugin", "jax-cuda13-plugin"):
        make_wheel(folder, plugin, version, (), {"with-cuda": "nvidia-cudnn-cu12"})


@pytest.fixture(scope="module")
def index(root, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (kit,) = folder.glob("plnkit-*.whl")
    with zipfile.ZipFile(kit) as wheel:
        (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        lines = wheel.read(metadata).decode().splitlines()
    needed = [line.split()[1] for line in lines if line.startswith("Requires-Dist")]
    for name in {re.split(r"[^\w-]", one)[0] for one in needed} - {"jax", "jaxlib", "optax"}:
        make_wheel(folder, name, "9.9")
    for version in ("0.7.2", "0.10.0", "0.99.0"):
        make_jax(folder, version)
    make_wheel(folder, "numpy", "2.0")
    make_wheel(folder, "nvidia-cudnn-cu12", "1")
    make_wheel(folder, "optax", "0.2", ("jax>=0.9",))
    make_wheel(folder, "optax", "0.3", ("jax>=0.99",))  # the newest asks for more than is there
    return folder


class Machine:
    """A Python with pip and with nothing else, which finds packages in the index only."""

    def __init__(self, folder: Path, index: Path) -> None:
        made = [sys.executable, "-m", "venv", "--without-pip", folder / "env"]
        subprocess.run(made, check=True)
        self.python = next(p for p in (folder / "env").glob("[bS]*/python*") if p.stem == "python")
        (site,) = (folder / "env").glob("[lL]ib/**/site-packages")
        shutil.copytree(PIP, site / "pip")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "PYTHON"))}
        self.env |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index.as_uri(), "NO_COLOR": "1"}
        self.env |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def run(self, *arguments: str, answer: str = "") -> tuple[int, str]:
        done = subprocess.run(
            [str(self.python), "-P", *arguments],
            env=self.env,
            input=answer,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr

    def install(self, *packages: str) -> None:
        status, printed = self.run("-m", "pip", "install", "-q", *packages)
        assert status == 0, printed

    def packages(self) -> dict[str, str]:
        status, printed = self.run("-m", "pip", "list", "--format", "json")
        assert status == 0, printed
        return {one["name"]: one["version"] for one in json.loads(printed)}


@pytest.fixture
def machine(tmp_path, index) -> Machine:
    return Machine(tmp_path, index)


def test_every_notebook_begins_with_the_cell(lessons):
    for lesson in lessons.values():
        notebook = build_exercise(lesson)
        first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
        assert first["source"] == INSTALL_SOURCE and first["metadata"] == {"tags": [INSTALL]}
        assert cells_of(notebook)[0].role == "show"  # so no grader runs it, or reads it


@pytest.mark.slow
def test_jax_stays_as_it_is(machine):
    """The newest optax would bring a newer jax; the kit itself asks for none."""
    machine.install("jax==0.10.0", "numpy==2.0")
    status, printed = machine.run("-c", CELL)
    assert (status, printed) == (0, "plnkit 0.1.0 is installed, with jax 0.10.0.\n")
    after = machine.packages()
    assert (after["jax"], after["jaxlib"], after["numpy"]) == ("0.10.0", "0.10.0", "2.0")
    assert (after["optax"], after["plnkit"]) == ("0.2", "0.1.0")
    assert machine.run("-c", CELL) == (0, "")  # nothing is lacking any more


@pytest.mark.slow
def test_an_old_jax_is_upgraded_with_its_plugin_on_request(machine):
    there = ("jax[cuda12]==0.7.2", "numpy==2.0", "cloudpickle")
    machine.install(*there)
    before = machine.packages()
    for answer in ("n\n", ""):  # nobody answers where a kernel cannot ask
        status, printed = machine.run("-c", CELL, answer=answer)
        assert status == 1 and "has jax 0.7.2, and the kit needs jax 0.9 or newer" in printed
        assert '%pip install -q "jax[cuda12]>=0.9"' in printed and "Traceback" not in printed
        assert machine.packages() == {**before, "plnkit": "0.1.0"}
    status, printed = machine.run("-c", "from autograder import check")
    assert status == 1 and "ImportError: This Python has jax 0.7.2" in printed
    status, printed = machine.run("-c", CELL, answer="y\n")
    assert status == 0 and printed.endswith("plnkit 0.1.0 is installed, with jax 0.99.0.\n"), (
        printed
    )
    after = machine.packages()
    assert {after[one] for one in ("jax", "jaxlib", "jax-cuda12-plugin")} == {"0.99.0"}
    assert after["numpy"] == "2.0" and "jax-cuda13-plugin" not in after
    assert machine.run("-c", CELL) == (0, "")


@pytest.mark.slow
def test_a_kernel_that_has_loaded_the_old_jax_is_restarted(machine):
    machine.install("jax==0.7.2")
    loaded = "import sys; sys.modules['jax'] = sys\n"
    status, printed = machine.run("-c", loaded + CELL, answer="yes\n")
    assert status == 1 and "Restart the kernel" in printed and "Traceback" not in printed
    assert machine.packages()["jax"] == "0.99.0"


@pytest.mark.slow
def test_without_any_jax_the_newest_comes(machine):
    assert machine.run("-c", CELL)[0] == 0
    assert machine.packages()["jax"] == "0.99.0"


@pytest.mark.slow
def test_what_pip_says_when_it_fails(machine, tmp_path):
    machine.install("jax==0.10.0", "--no-deps")
    machine.install("plnkit", "--no-deps")
    machine.env["PIP_FIND_LINKS"] = tmp_path.as_uri()
    status, printed = machine.run("-c", CELL)
    assert status == 1 and "could not be installed. pip says:" in printed
    assert "No matching distribution found" in printed and "Traceback" not in printed


@pytest.mark.parametrize(
    ("installed", "wanted"),
    [
        ((), "jax>=0.9"),
        (("jax_cuda12_plugin", "nvidia-cudnn-cu12"), "jax[cuda12]>=0.9"),
        (("jax-cuda13-plugin",), "jax[cuda13-local]>=0.9"),
        (("jax-rocm7-plugin", "jax-rocm7-pjrt"), "jax[rocm7-local]>=0.9"),
        (("libtpu",), "jax[tpu]>=0.9"),
    ],
)
def test_the_plugin_that_is_there_is_upgraded(monkeypatch, installed, wanted):
    class Distribution:
        def __init__(self, name: str | None) -> None:
            self.name = name

    found = [Distribution(name) for name in (*installed, "jax", None)]
    monkeypatch.setattr(installing.metadata, "distributions", lambda: found)
    assert installing._jax_with_plugin("0.9") == wanted


@pytest.mark.parametrize(
    ("version", "old"),
    [
        *(("0.4.35", True), ("0.8.99", True), ("0.9", False), ("0.9.0", False)),
        *(("0.10.2", False), ("0.9.0.dev20260101", False), ("0.9.1+cuda12", False), ("1.0", False)),
    ],
)
def test_old_is_by_number(monkeypatch, version, old):
    monkeypatch.setattr(installing, "installed_version", lambda package: version)
    assert bool(installing.find_old_jax()) == old
