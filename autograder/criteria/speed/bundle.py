"""A bundle: exported programs on their way to a GPU, with inputs, right results and baselines.

A bundle is a folder with ``manifest.json`` and files named after the SHA-256 of their content:
programs (``*.stablehlo``) and arrays (``*.npz``, never pickled). It holds the instructor's secret
key, the inputs drawn with it, and the lesson's own solution as a program: do not hand it to
students.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import jax
import numpy as np

from autograder.criteria.speed import messages
from autograder.processes.files import write_whole

_SCHEMA = 3
_KIND = "speed bundle"
_MANIFEST = "manifest.json"
_FILE = re.compile(r"[0-9a-f]{64}\.\w+")

PlainValue = bool | int | float | str | None


class BundleError(Exception):
    """A bundle that must not be used; the message is for whoever runs it."""


def result_key(exercise: str, program: str, rubric: str, solution: str, key: int) -> str:
    """Name a result by its exercise, the digests of program, rubric and solution, and the key."""
    return f"{exercise}:{program}:{rubric}:{solution}:{key}"


def digest_of(solution: Sequence[str]) -> str:
    """Return the SHA-256 of the cells of the lesson's own solution; empty where there are none."""
    return _sha256("\0".join(solution).encode()) if solution else ""


@dataclass(frozen=True)
class Entry:
    """One program to be timed.

    Attributes:
        exercise: name of the exercise, for people.
        program, inputs: SHA-256 of the files.
        baseline: the same of the baseline; empty where it is eager.
        reference_solution: the same of the lesson's own solution; empty where there is none.
        expected: the same of the right results (`autograder.criteria.speed.right_results`); empty
            where the rubric compares.
        paths: of the leaves of the right results.
        rubric: digest of the rubric's file.
        key: key that the inputs were drawn with.
        threshold, factor: what is required (`autograder.model.exercise.Speed`).
        program_iterations, baseline_iterations: steps of the algorithm that one run of each does.
        solution: digest of the source of the reference solution.
        lesson: name of the lesson whose rubric is needed where the program is timed, because it
            has the baseline, or compares; else empty.
        eager: whether the baseline runs without jit.
        call: the arguments of a call, None for each array, where the rubric is needed: the machine
            that times need not be able to draw them.
    """

    exercise: str
    program: str
    baseline: str
    reference_solution: str
    inputs: str
    expected: str
    rubric: str
    key: int
    threshold: float
    paths: tuple[str, ...] = ()
    factor: float = 3.0
    program_iterations: int = 1
    baseline_iterations: int = 1
    solution: str = ""
    lesson: str = ""
    eager: bool = False
    call: tuple[PlainValue, ...] = ()

    @property
    def result_key(self) -> str:
        """The key of its result; two exercises may require different ratios of one program."""
        return result_key(self.exercise, self.program, self.rubric, self.solution, self.key)

    @property
    def files(self) -> list[str]:
        """The names of its files."""
        programs = filter(None, (self.baseline, self.reference_solution))
        arrays = filter(None, (self.expected,))
        return [
            *(f"{digest}.stablehlo" for digest in (self.program, *programs)),
            *(f"{digest}.npz" for digest in (self.inputs, *arrays)),
        ]


@dataclass(frozen=True)
class Bundle:
    """A bundle that was read and found whole."""

    path: Path
    entries: tuple[Entry, ...]

    def program(self, digest: str) -> bytes:
        """Return the bytes of an exported program."""
        return (self.path / f"{digest}.stablehlo").read_bytes()

    def draws(self, digest: str) -> list[list[np.ndarray]]:
        """Return inputs or right results: one list of arrays for each draw."""
        return _unpack((self.path / f"{digest}.npz").read_bytes())


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _pack(draws: Sequence[Sequence[Any]]) -> bytes:
    """Write draws as an npz file; equal draws give equal bytes."""
    named: dict[str, Any] = {
        f"{i}_{j}": np.asarray(value, order="C")
        for i, draw in enumerate(draws)
        for j, value in enumerate(draw)
    }
    for array in named.values():
        if array.dtype.kind not in "biufc":
            raise TypeError(f"inputs of dtype {array.dtype} cannot be put in a bundle")
    out = io.BytesIO()
    np.savez(out, **named)
    return out.getvalue()


def _unpack(data: bytes) -> list[list[np.ndarray]]:
    draws: dict[str, list[np.ndarray]] = {}
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        for name in arrays.files:  # in the order in which they were written
            draws.setdefault(name.partition("_")[0], []).append(arrays[name])
    return list(draws.values())


class BundleWriter:
    """Adds programs to a folder, which is no bundle until `close` has written the manifest."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._entries: list[Entry] = []
        self.standards: dict[tuple[str, int], dict[str, Any]] = {}
        """By exercise and key: the fields of an entry that all its programs share."""

    def _put(self, data: bytes, suffix: str) -> str:
        digest = _sha256(data)
        (self.path / f"{digest}.{suffix}").write_bytes(data)
        return digest

    def put_program(self, blob: bytes) -> str:
        """Write a program, and return its SHA-256."""
        return self._put(blob, "stablehlo")

    def read_program(self, digest: str) -> bytes:
        """Return a program that was written."""
        return (self.path / f"{digest}.stablehlo").read_bytes()

    def put_arrays(self, draws: Sequence[Sequence[Any]]) -> str:
        """Write arrays, by draw, and return their SHA-256."""
        return self._put(_pack(draws), "npz")

    def add(self, entry: Entry) -> Entry:
        """Add a program that is to be timed; its files are written."""
        self._entries.append(entry)
        return entry

    def close(self) -> Path:
        """Write the manifest, and return the folder."""
        manifest = {
            "schema": _SCHEMA,
            "kind": _KIND,
            "jax": jax.__version__,
            "platforms": ["cpu", "cuda"],
            "entries": [asdict(entry) for entry in self._entries],
        }
        write_whole(self.path / _MANIFEST, json.dumps(manifest, indent=1) + "\n")
        return self.path


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _read_entry(data: dict[str, Any]) -> Entry:
    data = {**data, **{name: tuple(data.get(name, ())) for name in ("call", "paths")}}
    entry = Entry(**{field.name: data[field.name] for field in fields(Entry)})
    # Each names a file in the folder, and a lesson names code that is run.
    for name in entry.files:
        if not _FILE.fullmatch(name):
            raise ValueError(f"{name[:80]!r} is not a SHA-256")
    if entry.lesson and not entry.lesson.isidentifier():
        raise ValueError(f"{entry.lesson[:80]!r} is not a lesson")
    return entry


def _check_files(path: Path, entries: Sequence[Entry]) -> None:
    for name in sorted({name for entry in entries for name in entry.files}):
        file = path / name
        if not file.is_file():
            raise BundleError(messages.MISSING_FILE.format(path=path, name=name))
        if _sha256(file.read_bytes()) != file.stem:
            raise BundleError(messages.CHANGED_FILE.format(path=path, name=name))


def read_bundle(path: str | Path) -> Bundle:
    """Read a bundle and make sure that it is whole.

    Raises:
        BundleError: not a bundle, cut off, changed, or of a newer jax.
    """
    path = Path(path)
    if not path.is_dir():
        raise BundleError(messages.NO_FOLDER.format(path=path))
    if not (path / _MANIFEST).is_file():
        raise BundleError(messages.NO_MANIFEST.format(path=path))
    try:
        manifest = json.loads((path / _MANIFEST).read_bytes())
        schema = manifest.get("schema")
        if manifest.get("kind") != _KIND:
            raise ValueError(f"its kind is {manifest.get('kind')!r}")
        if schema != _SCHEMA:
            raise BundleError(messages.OTHER_SCHEMA.format(path=path, schema=schema, known=_SCHEMA))
        theirs = str(manifest["jax"])
        entries = tuple(_read_entry(data) for data in manifest["entries"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        text = messages.BAD_MANIFEST.format(path=path, error=str(error)[:200])
        raise BundleError(text) from error
    if _release(theirs) > _release(jax.__version__):
        raise BundleError(messages.NEWER_JAX.format(path=path, theirs=theirs, ours=jax.__version__))
    _check_files(path, entries)
    return Bundle(path, entries)
