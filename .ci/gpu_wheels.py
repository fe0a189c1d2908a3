"""Collects the wheels that `.ci/gpu` needs on a machine with a GPU and without a network.

    .ci/gpu wheels FOLDER [PACKAGE ...]

The packages that such a machine must have, and the PACKAGEs that it has too, are left out, together
with what only they need. The wheels are for Python 3.12 on Linux, x86-64. `uv` must be on the path.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from gpu import ROOT, THERE

ALSO = (
    "hypothesis",
    "ipykernel",
    "nbclient",
    "pandas",
    "pyPLNmodels",
    "pytest-xdist",
    "setuptools<81",
)
"""What parts need and the kit does not require; pyPLNmodels imports pkg_resources."""
PYTHON = "3.12"
GLIBC = ("2_28", "2_27", "2_17", "2_12", "2_5")
PLATFORMS = [
    *(f"manylinux_{version}_x86_64" for version in GLIBC),
    *(f"{old}_x86_64" for old in ("manylinux2014", "manylinux2010", "manylinux1", "linux")),
]
"""pip takes each name of a platform as it is written."""


def resolve(left_out: list[str]) -> str:
    """Return what is needed as pinned requirements, one a line."""
    with tempfile.TemporaryDirectory() as folder:
        overrides, also = Path(folder, "overrides.txt"), Path(folder, "also.in")
        overrides.write_text("".join(f"{name}; sys_platform == 'never'\n" for name in left_out))
        also.write_text("\n".join(ALSO))
        command = ["uv", "pip", "compile", "-q", "--no-header", "--no-annotate"]
        command += ["--python-version", PYTHON, "--python-platform", f"x86_64-manylinux_{GLIBC[0]}"]
        command += ["--only-binary", ":all:", "--overrides", str(overrides)]
        command += [str(ROOT / "pyproject.toml"), str(also)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def download(requirements: str, folder: Path) -> None:
    """Fetch the wheel of each requirement."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", PYTHON, "--implementation", "cp", "--dest", str(folder)]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    subprocess.run([*command, *requirements.split()], check=True)


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    download(resolve([*THERE, *sys.argv[2:]]), folder)
    files = list(folder.glob("*.whl"))
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} wheels, {size:.0f} MB, in {folder}")


if __name__ == "__main__":
    main()
