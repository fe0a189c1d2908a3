"""A bundle: exported programs on their way to a GPU, with their inputs and baselines.

A bundle is a folder with ``manifest.json`` and files named after the SHA-256 of their content:
programs (``*.stablehlo``) and inputs (``*.npz``, never pickled). It holds the instructor's secret
key and the inputs drawn with it: do not hand it to students.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import jax
import numpy as np

from autograder.core.files import write_whole
from autograder.core.program import ProgramError, export_program, is_data, split_data
from autograder.core.rubric import Exercise, Rubric, RubricError
from autograder.criteria.speed import messages

_SCHEMA = 1
_KIND = "speed bundle"
_MANIFEST = "manifest.json"
_HEX_DIGEST = re.compile(r"[0-9a-f]{64}")
_MAX_INPUT_BYTES = 2**31
_DRAWS = 3

PlainValue = bool | int | float | str | None


class BundleError(Exception):
    """A bundle that must not be used; the message is for whoever runs it."""


def result_key(exercise: str, program: str, rubric: str, key: int) -> str:
    """Name a result by its exercise, the digests of program and rubric, and the key."""
    return f"{exercise}:{program}:{rubric}:{key}"


@dataclass(frozen=True)
class Entry:
    """One program to be timed.

    Attributes:
        exercise: name of the exercise, for people.
        program, baseline, inputs: SHA-256 of the files; `baseline` is empty where it is eager.
        rubric: digest of the rubric's file.
        key: key that the inputs were drawn with.
        threshold: the required ratio of times per iteration, baseline over program.
        program_iterations, baseline_iterations: steps of the algorithm that one run of each does.
        eager: name of the lesson whose rubric has the baseline, where that runs without jit.
        call: the arguments of an eager baseline, None for each array: the machine that times need
            not be able to draw them.
    """

    exercise: str
    program: str
    baseline: str
    inputs: str
    rubric: str
    key: int
    threshold: float
    program_iterations: int = 1
    baseline_iterations: int = 1
    eager: str = ""
    call: tuple[PlainValue, ...] = ()

    @property
    def result_key(self) -> str:
        """The key of its result; two exercises may require different ratios of one program."""
        return result_key(self.exercise, self.program, self.rubric, self.key)


@dataclass(frozen=True)
class Bundle:
    """A bundle that was read and found whole."""

    path: Path
    entries: tuple[Entry, ...]

    def program(self, digest: str) -> bytes:
        """Return the bytes of an exported program."""
        return (self.path / f"{digest}.stablehlo").read_bytes()

    def draws(self, digest: str) -> list[list[np.ndarray]]:
        """Return the inputs: one list of arrays for each draw."""
        name = f"{digest}.npz"
        try:
            return _unpack((self.path / name).read_bytes())
        except (ValueError, OSError, KeyError, zipfile.BadZipFile) as error:
            text = messages.BAD_INPUTS.format(path=self.path, name=name, error=error)
            raise BundleError(text) from error


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
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > _MAX_INPUT_BYTES:
            raise ValueError("more than 2 GiB of inputs")
    draws: dict[int, dict[int, np.ndarray]] = {}
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        for name in arrays.files:
            i, _, j = name.partition("_")
            draws.setdefault(int(i), {})[int(j)] = arrays[name]
    if not draws or len({len(draw) for draw in draws.values()}) > 1:
        raise ValueError("no draws, or draws of different length")
    return [[draw[j] for j in sorted(draw)] for _, draw in sorted(draws.items())]


class BundleWriter:
    """Adds programs to a folder, which is no bundle until `close` has written the manifest."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True)
        self._entries: list[Entry] = []

    def _put(self, data: bytes, suffix: str) -> str:
        digest = _sha256(data)
        (self.path / f"{digest}.{suffix}").write_bytes(data)
        return digest

    def add(
        self,
        exercise: str,
        program: bytes,
        baseline: bytes | None,
        draws: Sequence[Sequence[Any]],
        **others: Any,
    ) -> Entry:
        """Add a program, its baseline (None where it is eager) and its inputs, by draw.

        `others` are the other fields of the entry, which is returned.
        """
        entry = Entry(
            exercise=exercise,
            program=self._put(program, "stablehlo"),
            baseline="" if baseline is None else self._put(baseline, "stablehlo"),
            inputs=self._put(_pack(draws), "npz"),
            **others,
        )
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


def baseline_call(exercise: Exercise, call: tuple) -> tuple[tuple, int, int]:
    """Return the call of the baseline, its own number of iterations, and the program's."""
    speed, at = exercise.speed, exercise.iterations
    if speed is None or at is None:
        return call, 1, 1
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def without_arrays(call: tuple) -> tuple[PlainValue, ...]:
    """Return the arguments of a call, None for each array; they must be plain values otherwise."""
    for argument in call:
        if not is_data(argument) and type(argument) not in (bool, int, float, str):
            raise RubricError(
                "an eager baseline is called with arrays, numbers and strings, not with a "
                f"{type(argument).__name__}"
            )
    return tuple(None if is_data(argument) else argument for argument in call)


def add_to_bundle(
    writer: BundleWriter,
    rubric: Rubric,
    exercise: Exercise,
    program: bytes,
    key: int,
    *,
    stays_here: bool = False,
) -> Entry:
    """Put a student's program, the baseline and the inputs in a bundle.

    Args:
        writer: of the bundle.
        rubric, exercise: what the program was made for.
        program: exported for `exercise.speed_calls(key)`: the last one of an observation.
        key: of the draws to time with.
        stays_here: whether the bundle is timed on this machine, where the rubric is.

    Raises:
        RubricError: the exercise has no speed criterion, or its baseline cannot be exported.
    """
    speed = exercise.speed
    if speed is None:
        raise RubricError(f"exercise {exercise.name!r} has no speed criterion")
    if speed.eager and rubric.source != rubric.lesson and not stays_here:
        raise RubricError(
            f"exercise {exercise.name!r}: an eager baseline must be of one of the kit's lessons, "
            "because the machine that times it finds it by the lesson's name"
        )
    calls = exercise.speed_calls(key, _DRAWS)
    baseline = None
    try:
        call, baseline_iterations, program_iterations = baseline_call(exercise, calls[0])
        if not speed.eager:
            baseline = export_program(exercise.results(speed.baseline), call).blob
    except Exception as error:  # whatever the rubric's code raises
        what = str(error) if isinstance(error, ProgramError) else f"{type(error).__name__}: {error}"
        raise RubricError(f"the baseline of {exercise.name!r} is not a program: {what}") from None
    return writer.add(
        exercise.name,
        program,
        baseline,
        [split_data(call)[0] for call in calls],
        rubric=rubric.digest,
        key=key,
        threshold=speed.threshold,
        program_iterations=program_iterations,
        baseline_iterations=baseline_iterations,
        eager=rubric.lesson if speed.eager else "",
        call=without_arrays(calls[0]) if speed.eager else (),
    )


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _read_entry(data: dict[str, Any]) -> Entry:
    data = {"eager": "", **data, "call": tuple(data.get("call", ()))}
    entry = Entry(**{field.name: data[field.name] for field in fields(Entry)})
    if entry.eager and (entry.baseline or not entry.eager.isidentifier()):
        raise ValueError("an eager baseline has the name of a lesson, and no file")
    plain = all(isinstance(value, PlainValue) for value in entry.call)
    if bool(entry.eager) != bool(entry.call) or not plain:
        raise ValueError("an eager baseline, and no other, has a call of plain values")
    for name in ("program", "inputs") if entry.eager else ("program", "baseline", "inputs"):
        if not _HEX_DIGEST.fullmatch(getattr(entry, name)):
            raise ValueError(f"{name} is not a SHA-256")
    if min(entry.program_iterations, entry.baseline_iterations) < 1 or not entry.threshold > 0:
        raise ValueError("iterations and threshold must be positive")
    return entry


def _check_files(path: Path, entries: Sequence[Entry]) -> None:
    programs = {digest for e in entries for digest in (e.program, e.baseline) if digest}
    known = {f"{e.inputs}.npz" for e in entries} | {f"{digest}.stablehlo" for digest in programs}
    for file in sorted(path.iterdir()):
        if file.name != _MANIFEST and (file.name not in known or file.is_symlink()):
            raise BundleError(messages.FOREIGN_FILE.format(path=path, name=file.name))
    for name in sorted(known):
        file = path / name
        if not file.is_file():
            raise BundleError(messages.MISSING_FILE.format(path=path, name=name))
        if _sha256(file.read_bytes()) != file.stem:
            raise BundleError(messages.CHANGED_FILE.format(path=path, name=name))


def read_bundle(path: str | Path) -> Bundle:
    """Read a bundle and make sure that it is whole.

    Raises:
        BundleError: not a bundle, cut off, changed, with foreign files, or of a newer jax.
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
