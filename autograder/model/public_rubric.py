"""What students get of a rubric: data, and no code.

A file ``NAME.check.json`` lies beside a lesson's notebook. It holds the public calls and what comes
out of them, and the points and hints. It holds no reference and no baseline. Nothing in it is ever
run, so it may lie in a folder that somebody else has filled.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.model.exercise import (
    BehaviourExercise,
    Compilations,
    Exercise,
    FunctionExercise,
    Loop,
    ProgramExercise,
    RubricError,
)
from autograder.model.expected import Expected, ExpectedLeaf
from autograder.model.report import SCHEMA
from autograder.model.rubric import Rubric

SUFFIX = ".check.json"

FIELDS = (
    *("name", "points", "entry_points", "permits", "long_calls", "hints"),
    *("minutes", "difficulty", "importance", "devices"),
)
"""The fields of an exercise that students get as they are."""

KINDS = {kind.__name__: kind for kind in (ProgramExercise, BehaviourExercise)}
"""The kinds of exercise that students can check without what tells them the answer."""

UNREADABLE = (
    "{file} cannot be read ({error}). Get this file again from your instructor, and put it beside "
    "the notebook."
)
WITHHELD = (
    "exercise {name!r} cannot be checked here: {why}. Your instructor's grader checks it, after "
    "you have handed in."
)
_MOST_BYTES = 2**26
_BAD = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What a file that holds anything may raise."""

Call = tuple[tuple, Expected]
"""The arguments of a public call, and what comes out of it."""


@dataclass(frozen=True)
class KnownResults:
    """The right results of some calls, in the place of a reference."""

    calls: tuple[Call, ...]

    def __call__(self, args: tuple) -> Expected:
        """Return what comes out of a public call."""
        wanted = json.dumps(encode(args))
        return next(right for known, right in self.calls if json.dumps(encode(known)) == wanted)


def encode(value: Any) -> Any:
    """Return an argument as JSON; arrays keep their dtype and shape.

    Raises:
        TypeError: it is something else than arrays, plain values and plain containers of these.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in (tuple, list):
        return {type(value).__name__: [encode(one) for one in value]}
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": {key: encode(one) for key, one in value.items()}}
    if isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "biufc":
        array = np.asarray(value, order="C")
        data = base64.b64encode(array.tobytes()).decode()
        return {"array": data, "dtype": array.dtype.str, "shape": list(array.shape)}
    raise TypeError(type(value).__name__)


def decode(data: Any) -> Any:
    """Return the argument that `encode` was given."""
    if not isinstance(data, dict):
        return data
    if "array" in data:
        dtype = np.dtype(str(data["dtype"]))
        if dtype.kind not in "biufc":
            raise ValueError(f"an array of {dtype}")
        raw = base64.b64decode(data["array"], validate=True)
        return np.frombuffer(raw, dtype).reshape(data["shape"]).copy()
    if "dict" in data:
        return {str(key): decode(one) for key, one in data["dict"].items()}
    kind = tuple if "tuple" in data else list
    return kind(decode(one) for one in data[kind.__name__])


def encode_calls(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """Return calls and what comes out of them as JSON."""
    return [
        {
            "arguments": encode(args),
            "results": [
                {"path": x.path, "exact": encode(x.exact), "single": encode(x.single)}
                | ({"least": x.least} if x.least else {})
                for x in right
            ],
        }
        for args, right in calls
    ]


def _decode_call(data: Any) -> Call:
    leaves = (
        ExpectedLeaf(
            str(leaf["path"]),
            decode(leaf["exact"]),
            decode(leaf["single"]),
            float(leaf.get("least", 0)),
        )
        for leaf in data["results"]
    )
    return decode(data["arguments"]), tuple(leaves)


def public_file(folder: Path, lesson: str) -> Path:
    """Return where a folder has the public file of a lesson."""
    return folder / f"{lesson}{SUFFIX}"


def read_public(file: Path) -> Rubric:
    """Read what students get of a rubric. Nothing of the file is run.

    Raises:
        RubricError: it is not such a file.
    """
    try:
        data = _read(file)
        exercises = tuple(map(_exercise, data["exercises"]))
        rubric = Rubric(str(data["lesson"]), exercises, str(data["learned"]), int(data["minutes"]))
    except (*_BAD, RubricError) as error:
        text = f"{type(error).__name__}: {error}"[:200]
        raise RubricError(UNREADABLE.format(file=file, error=text)) from None
    object.__setattr__(rubric, "file", file.resolve())
    return rubric


def _read(file: Path) -> Any:
    with file.open("rb") as stream:
        raw = stream.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise ValueError("it is too large")
    data = json.loads(raw)
    if data["schema"] != SCHEMA:
        raise ValueError(f"its schema is {data['schema']!r}, not {SCHEMA}")
    return data


def describe(exercise: FunctionExercise) -> dict[str, Any]:
    """Return what students get of an exercise, but for its calls, as JSON."""
    given: dict[str, Any] = {name: getattr(exercise, name) for name in FIELDS}
    given["kind"] = type(exercise).__name__
    given["compilations"] = asdict(exercise.compilations)
    if isinstance(exercise, ProgramExercise):
        given["gradient"] = exercise.gradient
        given["loop"] = exercise.loop and exercise.loop.argument
    return given


def _exercise(data: Any) -> Exercise:
    calls, loops = (tuple(map(_decode_call, data[name])) for name in ("calls", "loops"))
    given = {name: data[name] for name in FIELDS}
    given["entry_points"] = tuple(map(str, given["entry_points"]))
    given["permits"] = tuple(map(str, given["permits"]))
    given["hints"] = {str(k): tuple(map(str, v)) for k, v in given["hints"].items()}
    given["compilations"] = Compilations(**data["compilations"])
    kind = KINDS[data["kind"]]
    if kind is ProgramExercise:
        given["gradient"] = data["gradient"]
        if loops:
            given["loop"] = Loop(int(data["loop"]), lambda rng: [args for args, _ in loops])
    known = KnownResults(calls + loops)
    return kind(**given, draws=lambda rng: [args for args, _ in calls], reference=known)


def withheld(file: Path) -> dict[str, str]:
    """Return why exercises of a lesson are not in its public file, by name."""
    try:
        found = _read(file)["withheld"]
        return {str(name): str(why) for name, why in found.items()}
    except _BAD:
        return {}


def digest_of_public(file: Path) -> str:
    """Return the digest of the rubric that a public file was made from; empty without one."""
    try:
        return str(_read(file)["rubric"])
    except _BAD:
        return ""


def rubric_digest(rubric: Rubric) -> str:
    """Return a digest of a rubric that says nothing about its text to who guesses parts of it."""
    return hashlib.sha256(f"public {rubric.digest}".encode()).hexdigest()


def find_public(name: str, folder: Path) -> tuple[Rubric, Exercise] | None:
    """Find an exercise in the public files of a folder; None where none of them has it.

    Raises:
        RubricError: a file that cannot be read, or an exercise that is not in it on purpose.
    """
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.name != f"{name}{SUFFIX}")
    for file in files:
        if not file.is_file():
            continue
        if why := withheld(file).get(name):
            raise RubricError(WITHHELD.format(name=name, why=why))
        rubric = read_public(file)
        if name in [exercise.name for exercise in rubric.exercises]:
            return rubric, rubric.exercise(name)
    return None
