"""Runs everything that needs a GPU: part after part, each with its own limit, and prints one table.

    .ci/gpu [--cpu] [--out FOLDER] [--wheels WHEELS] [PART ...]
    .ci/gpu wheels WHEELS [PACKAGE ...]

The machine needs no network, only Python, jax with CUDA, NumPy, SciPy, optax and torch. The folder
WHEELS has the rest, which is installed into FOLDER/site; `.ci/gpu wheels` fills it where there is a
network, with all but the PACKAGEs that the machine with the GPU has. A part that lacks a package is
left out, and the table says what is missing.

FOLDER/table.json holds everything that the parts have found, as soon as each of them ends, and
FOLDER/PART.log what a part printed. The exit status is 0 if every part passed: none failed, was
stopped at its limit, was left out, or missed what must hold.

Without a GPU, or with --cpu, the same parts run on the CPU with small sizes: nothing is then said
about speed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any

from gpu_process import ROOT, run_part

CI = Path(__file__).resolve().parent
TOTAL_SECONDS = 480.0
SLACK = 10.0
"""How many times as long a part may take on a CPU, which may be busy: it must only run through."""

THERE = ("jax", "jaxlib", "numpy", "optax", "scipy", "torch")
"""Packages that the machine must have: none of them is installed from a wheel."""
KIT = (
    "cloudpickle",
    "filelock",
    "flatbuffers",
    "jinja2",
    "jupytext",
    "nbformat",
    "psutil",
    "typer",
)


@dataclass(frozen=True)
class Part:
    """A part, the module of that name in `gpu_parts`.

    Attributes:
        name: of the module.
        seconds: that it has on a GPU at least; parts that end early leave theirs to later ones.
        needs: modules, beside those that the machine must have.
        measures: whether nothing else may run meanwhile.
        beside: whether it runs beside the other parts that measure nothing.
        cached: whether it shares what it compiles with others, as all do on a CPU.
    """

    name: str
    seconds: float
    needs: tuple[str, ...]
    measures: bool = True
    beside: bool = False
    cached: bool = False


PARTS = (
    Part("exports", 120, KIT, measures=False, beside=True, cached=True),
    Part("tests", 60, (*KIT, "hypothesis", "pandas", "pytest", "xdist"), False, cached=True),
    Part("notebooks", 70, (*KIT, "ipykernel", "nbclient", "pandas"), False, cached=True),
    Part("first_calls", 45, ("pandas",)),
    Part("race", 60, ("pandas", "pyPLNmodels", "torch")),
    Part("ladder", 65, ()),
    Part("submissions", 120, ("flatbuffers",), cached=True),
    Part("comparisons", 60, ("flatbuffers",), cached=True),
)

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NPROC", "PJRT_NPROC")
DEVICE = """
import json, plnkit, jax
from plnkit.machine import environment
device = jax.devices()[0]
print(json.dumps({"platform": device.platform, **environment(device, ".ci/gpu")}))
"""


def install_wheels(wheels: Path, site: Path) -> None:
    """Install the packages of a folder into another.

    Raises:
        subprocess.CalledProcessError: pip cannot.
    """
    files = [file for file in wheels.glob("*.whl") if file.name.partition("-")[0] not in THERE]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
    pip += ["--no-compile", "--no-cache-dir", "--upgrade", "--target", str(site)]
    subprocess.run([*pip, *map(str, sorted(files))], check=True)


def environment_of(site: Path, on_cpu: bool) -> dict[str, str]:
    """Return the environment of all parts."""
    path = os.pathsep.join(filter(None, [str(ROOT), str(site), os.environ.get("PYTHONPATH")]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    environment = {**kept, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
    if on_cpu:
        environment |= {"JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}
        environment |= dict.fromkeys(THREADS, "1")  # they would wait for each other, busily
    return environment


def settings_of(part: Part, folder: Path, on_cpu: bool) -> dict[str, str]:
    """Return the variables that tell a part how to use JAX and its device."""
    settings = {"GPU_TESTS_ON": "cpu" if on_cpu else "gpu"}
    if part.cached or on_cpu:
        settings["JAX_COMPILATION_CACHE_DIR"] = str(folder / "compilations")
        settings["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
        settings["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
    if not part.measures:  # several processes share the card
        settings["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    return settings


def ask_device(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return what this machine is; asked in another process, which gives the device back.

    Raises:
        SystemExit: JAX, or what plnkit needs of it, is not there.
    """
    command = [sys.executable, "-c", DEVICE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"plnkit cannot be imported here: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def run_parts(
    parts: Sequence[Part],
    folder: Path,
    environment: Mapping[str, str],
    on_cpu: bool,
    seconds: float,
    keep: Callable[[Mapping[str, Any]], None] = lambda results: None,
) -> dict[str, dict[str, Any]]:
    """Run parts one by one, those that measure last; some run beside the others until then.

    Args:
        parts: to run.
        folder: for what they find.
        environment: of all of them.
        on_cpu: whether they run at small sizes.
        seconds: for all of them, on a GPU.
        keep: called with the results so far, by part, after each part.
    """
    end = time.monotonic() + seconds
    results: dict[str, dict[str, Any]] = {}
    lock = threading.Lock()

    def run(part: Part, later: float) -> None:
        left = end - time.monotonic()
        limit = part.seconds * SLACK if on_cpu else min(left, max(part.seconds, left - later))
        missing = [name for name in part.needs if util.find_spec(name) is None]
        found: dict[str, Any]
        if missing:
            found = {"status": "left out", "problems": [f"not installed: {', '.join(missing)}"]}
        elif limit < 1:
            found = {"status": "no time left"}
        else:
            command = [sys.executable, str(CI / "gpu_parts"), part.name, str(folder)]
            command += ["--small"] if on_cpu else []
            own = {**environment, **settings_of(part, folder, on_cpu)}
            found = run_part(part.name, command, own, limit, folder)
        with lock:
            results[part.name] = {"seconds": 0.0, "limit": limit, **found}
            keep({one.name: results[one.name] for one in parts if one.name in results})
        print(f".ci/gpu: {part.name}: {found['status']}", flush=True)

    def run_each(chosen: Sequence[Part], later: float) -> None:
        for number, part in enumerate(chosen, 1):
            run(part, later + sum(other.seconds for other in chosen[number:]))

    measuring = [part for part in parts if part.measures]
    with ThreadPoolExecutor() as pool:
        running = [pool.submit(run, part, math.inf) for part in parts if part.beside]
        quiet = [part for part in parts if not part.measures and not part.beside]
        run_each(quiet, sum(part.seconds for part in measuring))
        for one in running:
            one.result()
    run_each(measuring, 0.0)
    return {part.name: results[part.name] for part in parts}


def print_table(device: Mapping[str, Any], results: Mapping[str, Mapping[str, Any]]) -> None:
    versions = ", ".join(f"{name} {v}" for name, v in device["versions"].items() if v)
    print(f"\n{device['device']}, {device['cores']} cores, {device['date']}, {versions}")
    print(f"{'part':<12} {'result':<12} {'seconds':>7} {'limit':>6}  found")
    for name, one in results.items():
        lines = [*one.get("figures", ()), *one.get("problems", ())]
        lines += [
            f"{'holds' if required['holds'] else 'MISSED'}: {required['what']}"
            for required in one.get("requirements", ())
        ]
        row = f"{name:<12} {one['status']:<12} {one['seconds']:>7.1f} {one['limit']:>6.0f}"
        for line in lines or [""]:
            print(f"{row:<40}  {line}".rstrip())
            row = ""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog=".ci/gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="by default all of them")
    parser.add_argument("--cpu", action="store_true", help="small sizes on the CPU")
    parser.add_argument(
        "--out", type=Path, default=Path("gpu-results"), help="folder (%(default)s)"
    )
    parser.add_argument("--wheels", type=Path, help="folder to install packages from")
    options = parser.parse_args()
    known = [part.name for part in PARTS]
    if unknown := sorted({*options.parts} - {*known}):
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(known)}")
    if options.wheels and not any(options.wheels.glob("*.whl")):
        parser.error(f"there are no wheels in {options.wheels}")
    began = time.monotonic()
    folder = options.out.resolve()
    site = folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    if options.wheels:
        install_wheels(options.wheels, site)
    sys.path.append(str(site))  # what `find_spec` finds is what the parts find
    device = ask_device(environment_of(site, options.cpu))
    on_cpu = device["platform"] != "gpu"
    if on_cpu and not options.cpu:
        print("jax sees no GPU here: small sizes run on the CPU, and nothing is said about speed")
    print(f".ci/gpu: {device['device']}", flush=True)

    def keep(results: Mapping[str, Any]) -> None:
        table = {"schema": 1, "environment": device, "parts": results}
        new = folder / "table.new"
        new.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        new.replace(folder / "table.json")

    results = run_parts(
        [part for part in PARTS if part.name in (options.parts or known)],
        folder,
        environment_of(site, on_cpu),
        on_cpu,
        TOTAL_SECONDS - (time.monotonic() - began),
        keep,
    )
    print_table(device, results)
    print(f".ci/gpu took {time.monotonic() - began:.0f} s")
    sys.exit(any(one["status"] != "passed" for one in results.values()))


if __name__ == "__main__":
    main()
