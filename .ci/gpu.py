"""Runs all that needs a GPU: part after part, each with its own limit, and one table at the end.

    .ci/gpu [--cpu] [--out FOLDER] [--wheels FOLDER] [--seconds N] [PART ...]
    .ci/gpu wheels FOLDER [PACKAGE ...]

The machine needs no network: it has Python, jax with CUDA, NumPy, SciPy, optax and torch, and a
folder of wheels, which are installed into a folder of their own. What a part lacks is told, and the
part left out. FOLDER/PART.json holds what a part has found, as soon as it has found it,
FOLDER/PART.log what it printed, and FOLDER/table.json the whole. The exit status is 1 where a part
failed, was stopped at its limit, or missed what must hold.

Without a GPU, or with --cpu, the same parts run on the CPU with small sizes: nothing is then said
about speed. `.ci/gpu wheels` collects the wheels, where there is a network: all but the PACKAGEs
that the machine with the GPU has.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any

CI = Path(__file__).resolve().parent
ROOT = CI.parent
TOTAL_SECONDS = 480.0
SLACK = 10.0
"""How many times as long a part may take on a CPU, which may be busy: it must only run through."""
MANY_CORES = 8

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
NOTEBOOKS = (*KIT, "ipykernel", "nbclient", "pandas")


@dataclass(frozen=True)
class Part:
    """A part of `gpu_parts.py`.

    Attributes:
        name: of its function there.
        seconds: that it has on a GPU at least, beside what earlier parts have left.
        needs: modules, beside those that the machine must have.
        measures: whether nothing else may run meanwhile.
        beside: whether it runs beside the parts that measure nothing.
        cached: whether it shares what it compiles with others, as all do on a CPU.
    """

    name: str
    seconds: float
    needs: tuple[str, ...] = KIT
    measures: bool = True
    beside: bool = False
    cached: bool = False


PARTS = (
    Part("exports", 120, measures=False, beside=True, cached=True),
    Part(
        "tests",
        60,
        (*KIT, "hypothesis", "pandas", "pytest", "xdist"),
        measures=False,
        cached=True,
    ),
    Part("notebooks", 60, NOTEBOOKS, measures=False, cached=True),
    Part("first_calls", 50, ("pandas",)),
    Part("race", 60, ("pandas", "pyPLNmodels", "torch")),
    Part("ladder", 70, ()),
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
    if files:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
        pip += ["--no-compile", "--no-cache-dir", "--upgrade", "--target", str(site)]
        subprocess.run([*pip, *map(str, sorted(files))], check=True)


def environment_of(site: Path, on_cpu: bool) -> dict[str, str]:
    """Return the environment of a part."""
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
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
    if done.returncode:
        sys.exit(f"plnkit cannot be imported here: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def run_part(
    name: str, command: Sequence[str], environment: Mapping[str, str], seconds: float, folder: Path
) -> dict[str, Any]:
    """Run a part in a process of its own, and end it and all that it has started at its limit.

    Returns:
        What it kept in ``FOLDER/NAME.json``, with its `status`: passed, failed or stopped.
    """
    result, log = folder / f"{name}.json", folder / f"{name}.log"
    result.unlink(missing_ok=True)
    began = time.monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=environment, cwd=ROOT, start_new_session=True
        )
        try:
            code: int | None = process.wait(max(seconds, 0.0))
        except subprocess.TimeoutExpired:
            code = None
        end_family(process)
    found: dict[str, Any] = {"figures": [], "must": [], "problems": []}
    with suppress(OSError, ValueError):  # it was ended before it had found anything
        found |= json.loads(result.read_bytes())
    missed = [one for one in found["must"] if not one["holds"]]
    if code is None:
        found["status"] = "stopped"
    else:
        found["status"] = "passed" if code == 0 and not missed else "failed"
        if code:
            lines = log.read_text(errors="replace").strip().splitlines()
            found["problems"] += [f"exit status {code}: {' / '.join(lines[-2:])[-300:]}"]
    found |= {"seconds": round(time.monotonic() - began, 1), "limit": round(seconds, 1)}
    result.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def end_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, those in sessions of their own included."""
    with suppress(ProcessLookupError):
        if util.find_spec("psutil") is None:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            end_with_psutil(process.pid)
    process.wait()


def end_with_psutil(pid: int) -> None:
    import psutil

    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(pid).children(recursive=True)
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    os.killpg(pid, signal.SIGKILL)
    psutil.wait_procs(family, timeout=5)


def run_parts(
    parts: Sequence[Part], folder: Path, site: Path, on_cpu: bool, seconds: float
) -> dict[str, dict[str, Any]]:
    """Run parts one by one, those that measure last; some run beside the others until then."""
    end = time.monotonic() + seconds
    environment = environment_of(site, on_cpu)
    results: dict[str, dict[str, Any]] = {}

    def run(part: Part, later: float = 0.0) -> None:
        left = end - time.monotonic()
        limit = part.seconds * SLACK if on_cpu else min(left, max(part.seconds, left - later))
        missing = [name for name in part.needs if util.find_spec(name) is None]
        if missing:
            found = {"status": "missing", "problems": [f"not installed: {', '.join(missing)}"]}
        elif limit < 1:
            found = {"status": "no time left", "problems": []}
        else:
            command = [sys.executable, str(CI / "gpu_parts.py"), part.name, str(folder)]
            command += ["--small"] if on_cpu else []
            own = {**environment, **settings_of(part, folder, on_cpu)}
            found = run_part(part.name, command, own, limit, folder)
        results[part.name] = {"figures": [], "seconds": 0.0, "limit": limit, **found}
        print(f".ci/gpu: {part.name}: {found['status']}", flush=True)

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    beside = [part for part in parts if part.beside and cores >= MANY_CORES]
    alone = sorted((part for part in parts if part not in beside), key=lambda part: part.measures)
    with ThreadPoolExecutor() as pool:
        running = [pool.submit(run, part) for part in beside]
        for number, part in enumerate(alone):
            if part.measures:
                for one in running:
                    one.result()
            run(part, sum(other.seconds for other in alone[number + 1 :]))
        for one in running:
            one.result()
    return {part.name: results[part.name] for part in parts}


def print_table(device: Mapping[str, Any], results: Mapping[str, Mapping[str, Any]]) -> None:
    versions = ", ".join(f"{name} {v}" for name, v in device["versions"].items() if v)
    print(f"\n{device['device']}, {device['cores']} cores, {device['date']}, {versions}")
    print(f"{'part':<12} {'result':<13} {'seconds':>7} {'limit':>6}  found")
    for name, one in results.items():
        told = [*one["figures"], *one["problems"]]
        told += [
            f"{'holds' if must['holds'] else 'MISSED'}: {must['what']}"
            for must in one.get("must", ())
        ]
        first, *others = told or [""]
        print(
            f"{name:<12} {one['status']:<13} {one['seconds']:>7.1f} {one['limit']:>6.0f}  {first}"
        )
        for line in others:
            print(f"{'':<42}{line}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog=".ci/gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="by default all of them")
    parser.add_argument("--cpu", action="store_true", help="small sizes on the CPU")
    parser.add_argument(
        "--out", type=Path, default=Path("gpu-results"), help="folder (%(default)s)"
    )
    parser.add_argument("--wheels", type=Path, help="folder of wheels to install from")
    parser.add_argument(
        "--seconds", type=float, default=TOTAL_SECONDS, help="for all parts (%(default)g)"
    )
    options = parser.parse_args()
    known = [part.name for part in PARTS]
    if unknown := sorted({*options.parts} - {*known}):
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(known)}")
    if options.wheels and not options.wheels.is_dir():
        parser.error(f"{options.wheels} is not a folder")
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
    parts = [part for part in PARTS if part.name in (options.parts or known)]
    left = options.seconds - (time.monotonic() - began)
    results = run_parts(parts, folder, site, on_cpu, left)
    table = {"schema": 1, "environment": device, "parts": results}
    (folder / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print_table(device, results)
    print(f".ci/gpu took {time.monotonic() - began:.0f} s")
    sys.exit(any(one["status"] not in ("passed", "missing") for one in results.values()))


if __name__ == "__main__":
    main()
