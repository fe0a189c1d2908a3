"""Right repairs on many machines: what differs between them must not decide a mark.

    python3 .ci/machines.py list          the table: every pair of settings is in some row, and
                                          every lesson meets every setting
    python3 .ci/machines.py run ROW ...   run rows of it, by default all, each in an environment of
                                          its own
    python3 .ci/machines.py sample [SEED] three rows drawn at random: every setting is in one of
                                          them, and so is every lesson
    python3 .ci/machines.py here [SEED]   one row for the environment in .venv, drawn at random

Rows run `right_repairs.py` in a copy of the checkout. The number of processors is pretended
(`cores.c`); in confined workers it is the machine's own. Rows for an ordinary user need root.
"""

from __future__ import annotations

import itertools
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

CI = Path(__file__).resolve().parent
ROOT = CI.parent
SETTINGS = {
    "python": ("3.11", "3.12.1", "3.13.0"),
    "cores": ("1", "16", "64"),
    "jax": ("newest", "oldest"),
    "user": ("ordinary", "root"),
    "bubblewrap": ("there", "absent"),
    "locale": ("UTF-8", "ASCII"),
    "home": ("writable", "missing"),
    "folder": ("plain", "Übung zwölf"),
}
OLDEST_JAX = "0.9.0"
INSTALLED = ("python", "jax")
"""Settings that a virtual environment decides."""
IMPORTED = """
import autograder.cli, autograder.grading.pipeline, autograder.judge.child, nbclient, pytest
import jax; jax.jit(lambda x: x + 1)(1.0)
"""
Row = dict[str, str]


def cover(settings: dict[str, tuple[str, ...]], together: int = 2, seed: int = 0) -> list[Row]:
    """Return few rows that hold all values of any two settings together, or of `together`."""
    missing = {
        frozenset(zip(names, values, strict=True))
        for names in itertools.combinations(settings, together)
        for values in itertools.product(*(settings[name] for name in names))
    }
    rows, draw = [], random.Random(seed)
    while missing:
        best: tuple[int, Row] = (0, {})
        for _ in range(300):
            row = {name: draw.choice(values) for name, values in settings.items()}
            new = sum(pair <= set(row.items()) for pair in missing)
            best = max(best, (new, row), key=lambda scored: scored[0])
        row = best[1]
        missing = {pair for pair in missing if not pair <= set(row.items())}
        rows.append(row)
    return rows


def share_lessons(rows: list[Row], lessons: list[str]) -> list[list[str]]:
    """Return the lessons of each row: few, so that every lesson meets every value of a setting."""
    shares: list[list[str]] = [[] for _ in rows]
    for lesson in lessons:
        missing = {(name, value) for name, values in SETTINGS.items() for value in values}
        while missing:
            new = [(len(missing & set(row.items())), -len(shares[i])) for i, row in enumerate(rows)]
            best = new.index(max(new))
            shares[best].append(lesson)
            missing -= set(rows[best].items())
    return shares


def lesson_names() -> list[str]:
    return sorted(file.stem[3:] for file in (ROOT / "solutions").glob("[0-9][0-9]_*.py"))


def show(row: Row) -> str:
    return ", ".join(f"{name}: {value}" for name, value in row.items())


def make_environment(row: Row, folder: Path) -> Path:
    """Return a virtual environment with the row's Python and JAX."""
    made = folder / f"{row['python']}-{row['jax']}"
    python = f"python{row['python'].rpartition('.')[0] if row['python'].count('.') > 1 else '3'}"
    versions = {"PYENV_VERSION": row["python"]} if row["python"].count(".") > 1 else {}
    subprocess.run([python, "-m", "venv", made], env={**os.environ, **versions}, check=True)
    exact = f"=={OLDEST_JAX}" if row["jax"] == "oldest" else ""
    kit = [f"jax{exact}", f"jaxlib{exact}", "-e", f"{ROOT}[instructor]"]
    subprocess.run([made / "bin/pip", "install", "-q", "--no-compile", "uv"], check=True)
    # uv compiles nothing: most of what it installs is never imported. What is, must be compiled
    # before ordinary users run it, who cannot write here.
    subprocess.run([made / "bin/uv", "pip", "install", "-q", "--python", made, *kit], check=True)
    subprocess.run([made / "bin/python", "-c", IMPORTED], check=True)
    return made


def path_without(program: str, folder: Path) -> str:
    """Return a PATH on which everything is found but one program."""
    folder.mkdir()
    for name in reversed(os.environ["PATH"].split(os.pathsep)):
        if not Path(name).is_dir():
            continue
        for file in Path(name).iterdir():
            link = folder / file.name
            if file.name != program:
                link.unlink(missing_ok=True)
                link.symlink_to(file)
    return str(folder)


def surroundings(row: Row, folder: Path) -> dict[str, str]:
    """Return the environment variables that make this machine the row's."""
    variables = {}
    if shutil.which("cc"):
        shim, source = folder / "cores.so", CI / "cores.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
        variables = {"CORES": row["cores"], "LD_PRELOAD": str(shim)}
    else:
        print("there is no C compiler: the number of processors stays as it is")
    if row["locale"] == "ASCII":
        variables |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    else:
        variables |= {"LC_ALL": "C.UTF-8"}
    if row["home"] == "missing":
        variables["HOME"] = "/proc/no-home"  # nobody can make it, not even root
    if row["bubblewrap"] == "absent":
        variables["PATH"] = path_without("bwrap", folder / "bin")
    return variables


def run(row: Row, environment: Path, key: int, lessons: list[str]) -> bool:
    """Run one row and print what it printed; False where a right repair lost points."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        folder = Path(scratch)
        name = row["folder"]
        if row["locale"] == "ASCII":  # Python itself cannot read such a path from a .pth file then
            name = name.encode("ascii", "ignore").decode()
        checkout = folder / name
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        for path in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / path).exists():
                (checkout / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, checkout / path)
        subprocess.run(["cp", "-al", environment, checkout / ".venv"], check=True)
        for file in checkout.glob(".venv/lib/python3*/site-packages/*.pth"):
            text = file.read_text()
            file.unlink()  # a hard link: the environment's own file stays as it is
            file.write_text(text.replace(str(ROOT), str(checkout)))
        variables = [f"{one}={value}" for one, value in surroundings(row, folder).items()]
        python = checkout / ".venv/bin/python"
        as_user = []
        if os.getuid() != 0 and row["user"] == "root":
            print("this is not root: the row runs as an ordinary user")
        if os.getuid() == 0 and row["user"] == "ordinary":
            # Rows run at the same time, each in a folder of its own.
            copy = f"COPY={name}-{key % 10**6}"
            as_user = ["env", copy, "bash", str(CI / "as_ordinary_user")]
            as_user.append(str(checkout))
            python = Path(".venv/bin/python")
        command = [*as_user, "env", *variables, str(python), ".ci/right_repairs.py", str(key)]
        done = subprocess.run(
            [*command, *lessons],
            cwd=checkout,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    took = f"{time.monotonic() - began:.0f} s"
    print(f"row: {show(row)}; course key {key}; {took}\n{done.stdout}", flush=True)
    return done.returncode == 0


def run_rows(rows: list[Row], shares: list[list[str]]) -> bool:
    """Run rows, each with a share of the lessons; False where any failed."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chmod(folder, 0o755)
        kinds = {tuple(row[name] for name in INSTALLED): row for row in rows}
        made = pool.map(make_environment, kinds.values(), repeat(Path(folder)))
        found = dict(zip(kinds, made, strict=True))
        places = [found[tuple(row[name] for name in INSTALLED)] for row in rows]
        keys = [secrets.randbelow(2**128 - 1) + 1 for _ in rows]
        return all([*pool.map(run, rows, places, keys, shares)])


def run_sample(seed: int) -> bool:
    """Run a few rows that are drawn at random, as `sample` says above."""
    print(f"python3 .ci/machines.py sample {seed} repeats these rows")
    rows, lessons = cover(SETTINGS, 1, seed), lesson_names()
    random.Random(seed).shuffle(lessons)
    return run_rows(rows, [lessons[i :: len(rows)] for i in range(len(rows))])


def run_here(seed: int, lessons: int = 1) -> bool:
    """Run a random row in the environment of this checkout, with one of the lessons."""
    draw = random.Random(seed)
    row = {n: draw.choice(v) for n, v in SETTINGS.items() if n not in INSTALLED}
    print(f"python3 .ci/machines.py here {seed} repeats this row")
    key = draw.randrange(1, 2**128)
    return run(row, ROOT / ".venv", key, draw.sample(lesson_names(), lessons))


def main() -> None:
    command, *rest = sys.argv[1:] or ["list"]
    numbers = [int(text) for text in rest]
    seed = numbers[0] if numbers else secrets.randbelow(10**6)
    if command == "here":
        sys.exit(not run_here(seed))
    if command == "sample":
        sys.exit(not run_sample(seed))
    table = cover(SETTINGS)
    shares = share_lessons(table, lesson_names())
    if command == "list":
        for i, share in enumerate(shares):
            print(f"{i:2} {show(table[i])}\n   {', '.join(share)}")
    else:
        numbers = numbers or [*range(len(table))]
        sys.exit(not run_rows([table[i] for i in numbers], [shares[i] for i in numbers]))


if __name__ == "__main__":
    main()
