"""Completes an installation of the kit beside a JAX that must stay as it is, as on Colab.

The first cell of a notebook installs the kit alone, without what it needs, and calls
`complete_installation`. So this module needs nothing but the standard library.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from autograder.learner import sentences

KIT = "plnkit"
JAX = ("jax", "jaxlib")
HELD = ("numpy", "scipy")
"""What a kernel has often loaded already, and cannot load again."""


def installed_version(package: str) -> str:
    """Return the version of a package; "" where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", version)[0])))


def _needed() -> dict[str, str]:
    """Return the oldest version of each package that the kit needs; "" where any will do."""
    try:
        lines = metadata.requires(KIT) or ()
    except metadata.PackageNotFoundError:  # a copy of the files, which nobody has installed
        return {}
    pairs = (line.partition(">=") for line in lines if "extra ==" not in line)
    return {name.strip(): oldest.strip() for name, _, oldest in pairs}


def _lacks(package: str, oldest: str) -> bool:
    found = installed_version(package)
    return not found or _numbers(found) < _numbers(oldest)


def _jax_with_plugin(oldest: str) -> str:
    """Return the requirement that upgrades jax, its plug-in and nothing else."""
    installed = {re.sub(r"[-_.]+", "-", one.name or "").lower() for one in metadata.distributions()}
    extras = [m[1] for one in installed if (m := re.fullmatch(r"jax-(\w+)-plugin", one))]
    if not any(one.startswith("nvidia-cudnn-") for one in installed):
        extras = [f"{extra}-local" for extra in extras]  # CUDA is the system's
    extras += ["tpu"] * ("libtpu" in installed)
    return f"jax[{','.join(sorted(extras))}]>={oldest}" if extras else f"jax>={oldest}"


def find_old_jax() -> str:
    """Return what to do about a JAX that is too old for the kit; "" where there is none."""
    oldest, found = _needed().get("jax", ""), installed_version("jax")
    if not found or not _lacks("jax", oldest):
        return ""
    command = f'%pip install -q "{_jax_with_plugin(oldest)}"'
    return sentences.OLD_JAX.format(found=found, oldest=oldest, command=command)


def _says_yes(question: str) -> bool:
    try:
        return input(question).strip().lower() in ("y", "yes")
    except Exception:  # whatever a kernel raises that cannot ask
        return False


def _pip_install(wanted: list[str], held: tuple[str, ...]) -> None:
    lines = [f"{package}=={found}\n" for package in held if (found := installed_version(package))]
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", "-q", "-c", str(constraints), *wanted]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise SystemExit(sentences.NOT_COMPLETED.format(problem=done.stderr.strip()[-2000:]))
    importlib.invalidate_caches()


def complete_installation() -> None:
    """Install what the kit needs and this Python lacks; do nothing where nothing is lacking.

    A JAX that is here stays as it is. Where it is too old for the kit, the user is asked whether to
    upgrade it together with its plug-in for GPUs.

    Raises:
        SystemExit: JAX is too old and stays so, was loaded before it was upgraded, or pip failed.
    """
    needed = _needed()
    lacking = [package for package, oldest in needed.items() if _lacks(package, oldest)]
    if not lacking:
        return
    kit, before = f"{KIT}=={installed_version(KIT)}", installed_version("jax")
    if problem := find_old_jax():
        if not _says_yes(sentences.ASK_FOR_JAX.format(found=before, oldest=needed["jax"])):
            raise SystemExit(problem)
        _pip_install([kit, _jax_with_plugin(needed["jax"])], HELD)
    else:
        _pip_install([kit], (*JAX, *HELD))
    print(sentences.COMPLETED.format(kit=installed_version(KIT), jax=installed_version("jax")))
    if "jax" in sys.modules and installed_version("jax") != before:
        raise SystemExit(sentences.RESTART)
