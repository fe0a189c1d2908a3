"""Collects the wheels that `.ci/gpu` needs beside what the machine with the GPU has.

    .ci/gpu wheels FOLDER [PACKAGE ...]

The PACKAGEs, and those that such a machine must have, are left out, and so is what only they need.
Wheels are for Python 3.12 on Linux, x86-64.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from gpu import ROOT, THERE
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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
PLATFORMS = ("2_28", "2_27", "2_17", "2_12", "2_5")
THEIRS = {
    **default_environment(),
    "python_version": PYTHON,
    "python_full_version": f"{PYTHON}.0",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}


def download(requirements: list[Requirement], folder: Path) -> None:
    """Fetch a wheel for each requirement, and none of what these need."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", PYTHON, "--implementation", "cp", "--dest", str(folder)]
    for glibc in PLATFORMS:
        command += ["--platform", f"manylinux_{glibc}_x86_64"]
    for old in ("manylinux2014", "manylinux2010", "manylinux1", "linux"):
        command += ["--platform", f"{old}_x86_64"]
    subprocess.run([*command, *map(bare, requirements)], check=True)


def bare(requirement: Requirement) -> str:
    return f"{requirement.name}{requirement.specifier}"


def needs_of(wheel: Path, extras: set[str]) -> list[Requirement]:
    """Return what a wheel requires there, with some of its extras."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.count("/") == 1 and n.endswith("/METADATA"))
        header = HeaderParser().parsestr(archive.read(name).decode())
    needs = [Requirement(text) for text in header.get_all("Requires-Dist", [])]
    return [need for need in needs if applies(need, extras)]


def applies(need: Requirement, extras: set[str]) -> bool:
    marker = need.marker
    return marker is None or any(
        marker.evaluate(THEIRS | {"extra": extra}) for extra in ("", *extras)
    )


def collect(folder: Path, there: list[str]) -> list[Path]:
    """Return the wheels of all that is needed, level by level of what requires what."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    level = [Requirement(text) for text in (*project["dependencies"], *ALSO)]
    known = {canonicalize_name(name) for name in (*THERE, *there)}
    while level:
        wanted: dict[str, Requirement] = {}
        for need in level:
            name = canonicalize_name(need.name)
            if name in known:
                continue
            if name in wanted:
                wanted[name].specifier &= need.specifier
                wanted[name].extras |= need.extras
            else:
                wanted[name] = need
        if not wanted:
            break
        known |= wanted.keys()
        download(list(wanted.values()), folder)
        files = {
            canonicalize_name(file.name.partition("-")[0]): file for file in folder.glob("*.whl")
        }
        level = [
            need for name, asked in wanted.items() for need in needs_of(files[name], asked.extras)
        ]
    return sorted(folder.glob("*.whl"))


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    files = collect(folder, sys.argv[2:])
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} wheels, {size:.0f} MB, in {folder}")


if __name__ == "__main__":
    main()
